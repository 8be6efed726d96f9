"""Functional Mock-up Units (FMI): what their description says, and how they are launched."""
