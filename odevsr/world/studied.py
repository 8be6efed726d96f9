"""What is studied, whatever it is: a registered system, a file, a simulator of the user's own.

Behind this door only names, ranges and a way to launch are left; equations, if there are any, stay
outside. The door can be sent to another process and be opened there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from odevsr.errors import UsageError
from odevsr.world.launch import Launch, make_launcher
from odevsr.world.oracle import World
from odevsr.world.registry import get_system, is_path
from odevsr.world.simulator import (
    TIME_LIMIT,
    Simulator,
    guarded,
    import_simulator,
    inputs_of,
    ranges_of,
)
from odevsr.world.system import System

Target = str | Path | System | Simulator


@dataclass(frozen=True)
class Studied:
    """A target: its variables, of which `components` have a law, and how to make its launcher."""

    name: str
    names: tuple[str, ...]
    components: tuple[str, ...]
    box: tuple[tuple[float, float], ...]
    make_launch: Callable[[], Launch]
    digest: str
    """What a run must agree in to be resumed."""
    operators: tuple[str, ...] | None = None
    """Operators that its file asks to search with."""

    def world(self) -> World:
        """What an experimenter may know of it."""
        return World(self.names, np.array(self.box), self.make_launch())


def study(target: Target, *, timeout: float = TIME_LIMIT) -> Studied:
    """The target as something to experiment on.

    A name or path gives a system; `package.module:function`, or a function, a simulator (see
    `simulator`), each of whose calls may take `timeout` seconds.
    """
    if not (timeout > 0):
        raise UsageError(f"a time limit of {timeout} seconds is too short; give more than 0")
    if isinstance(target, System):
        return _system(target)
    if isinstance(target, str) and is_reference(target):
        return _simulator(import_simulator(target), target, timeout)
    if isinstance(target, str | Path):
        return _system(get_system(target))
    if callable(target):
        return _simulator(target, target, timeout)
    raise UsageError(
        f"a {type(target).__name__} cannot be studied; give a system, its name or file, or a "
        "simulator marked with @odevsr.simulator"
    )


def is_reference(target: str) -> bool:
    """True for `package.module:function`.

    >>> is_reference("models.rotor:spin"), is_reference("lorenz"), is_reference("C:/a.toml")
    (True, False, False)
    """
    module, colon, function = target.partition(":")
    names = [*module.split("."), function]
    return bool(colon) and not is_path(target) and all(name.isidentifier() for name in names)


def _system(system: System) -> Studied:
    return Studied(
        name=system.name,
        names=system.names,
        components=system.components,
        box=tuple((each.low, each.high) for each in system.variables),
        make_launch=partial(make_launcher, system),
        digest=system.digest,
        operators=system.operators,
    )


def _simulator(function: Simulator, source: Simulator | str, timeout: float) -> Studied:
    ranges, inputs = ranges_of(function), inputs_of(function)
    name = source if isinstance(source, str) else _qualified(function)
    return Studied(
        name=name,
        names=(*ranges, *inputs),
        components=tuple(ranges),
        box=(*ranges.values(), *inputs.values()),
        make_launch=partial(guarded, source, timeout, tuple(inputs)),
        digest=hashlib.sha256(repr((name, ranges, inputs)).encode()).hexdigest(),
    )


def _qualified(function: Simulator) -> str:
    module, name = getattr(function, "__module__", ""), getattr(function, "__qualname__", "")
    return f"{module}:{name}" if module and name else type(function).__name__
