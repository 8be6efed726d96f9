"""odevsr: discovers the ordinary differential equations of a system it can experiment on."""

__version__ = "0.1.0"
