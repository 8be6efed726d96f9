"""odevsr: discovers the ordinary differential equations of a system it can experiment on."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from odevsr.world.registry import get_system as get_system
    from odevsr.world.registry import register as register
    from odevsr.world.registry import systems as systems
    from odevsr.world.system import Simulation as Simulation
    from odevsr.world.system import StateVariable as StateVariable
    from odevsr.world.system import System as System
    from odevsr.world.system_file import parse_system as parse_system
    from odevsr.world.system_file import read_system as read_system

__version__ = "0.1.0"

# The public names and the modules they live in, imported when first used: `import odevsr` is free.
_HOMES = {
    "Simulation": "odevsr.world.system",
    "StateVariable": "odevsr.world.system",
    "System": "odevsr.world.system",
    "get_system": "odevsr.world.registry",
    "parse_system": "odevsr.world.system_file",
    "read_system": "odevsr.world.system_file",
    "register": "odevsr.world.registry",
    "systems": "odevsr.world.registry",
}

__all__ = [  # noqa: RUF022  (the version stands last)
    "Simulation",
    "StateVariable",
    "System",
    "get_system",
    "parse_system",
    "read_system",
    "register",
    "systems",
    "__version__",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module 'odevsr' has no attribute {name!r}")
        return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
