"""odevsr: discovers the ordinary differential equations of a system it can experiment on."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from odevsr.world.launch import Launch as Launch
    from odevsr.world.launch import make_launcher as make_launcher
    from odevsr.world.recording import Recording as Recording
    from odevsr.world.recording import record as record
    from odevsr.world.registry import get_system as get_system
    from odevsr.world.registry import register as register
    from odevsr.world.registry import systems as systems
    from odevsr.world.simulate import simulate as simulate
    from odevsr.world.simulate import simulate_many as simulate_many
    from odevsr.world.store import load_trajectories as load_trajectories
    from odevsr.world.store import save_trajectories as save_trajectories
    from odevsr.world.system import Simulation as Simulation
    from odevsr.world.system import StateVariable as StateVariable
    from odevsr.world.system import System as System
    from odevsr.world.system_file import parse_system as parse_system
    from odevsr.world.system_file import read_system as read_system
    from odevsr.world.trajectory import Status as Status
    from odevsr.world.trajectory import Tolerances as Tolerances
    from odevsr.world.trajectory import Trajectory as Trajectory

__version__ = "0.1.0"

# The public names and the modules they live in, imported when first used: `import odevsr` is free.
_HOMES = {
    "Launch": "odevsr.world.launch",
    "Recording": "odevsr.world.recording",
    "Simulation": "odevsr.world.system",
    "StateVariable": "odevsr.world.system",
    "Status": "odevsr.world.trajectory",
    "System": "odevsr.world.system",
    "Tolerances": "odevsr.world.trajectory",
    "Trajectory": "odevsr.world.trajectory",
    "get_system": "odevsr.world.registry",
    "load_trajectories": "odevsr.world.store",
    "make_launcher": "odevsr.world.launch",
    "parse_system": "odevsr.world.system_file",
    "read_system": "odevsr.world.system_file",
    "record": "odevsr.world.recording",
    "register": "odevsr.world.registry",
    "save_trajectories": "odevsr.world.store",
    "simulate": "odevsr.world.simulate",
    "simulate_many": "odevsr.world.simulate",
    "systems": "odevsr.world.registry",
}

__all__ = [  # noqa: RUF022  (the version stands last)
    "Launch",
    "Recording",
    "Simulation",
    "StateVariable",
    "Status",
    "System",
    "Tolerances",
    "Trajectory",
    "get_system",
    "load_trajectories",
    "make_launcher",
    "parse_system",
    "read_system",
    "record",
    "register",
    "save_trajectories",
    "simulate",
    "simulate_many",
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
