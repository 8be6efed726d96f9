"""Parameters as variables: who can set them finds a law that holds for all their values.

A parameter that is varied becomes an input of the system: launched with any value of its range, at
rest while the state moves. Control inputs and time are inputs from the start.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from odevsr.errors import UsageError, nearest
from odevsr.world.registry import AnySystem, get_system
from odevsr.world.system import StateVariable, System
from odevsr.world.system_checks import rate_of_input


def lift(system: AnySystem, ranges: Mapping[str, tuple[float, float]]) -> System:
    """The system, which may be given by name or path, with these parameters as inputs.

    What is an input already gets the range given.

    >>> lift("lorenz", {"sigma": (5, 15)}).names
    ('x0', 'x1', 'x2', 'sigma')
    """
    system = get_system(system)
    for name, limits in ranges.items():
        system = _lifted(system, name, *_limits(name, limits))
    return system


def _limits(name: str, limits: tuple[float, float]) -> tuple[float, float]:
    try:
        low, high = (float(limit) for limit in limits)
    except (TypeError, ValueError):
        raise UsageError(f"{name} varies from low to high: give (5, 15), not {limits!r}") from None
    return low, high


def _lifted(system: System, name: str, low: float, high: float) -> System:
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise UsageError(f"{name} cannot vary from {low:g} to {high:g}; give the smaller first")
    if name in system.inputs:
        return _with_range(system, name, low, high)
    if name not in system.parameters:
        known = (*system.parameters, *system.inputs)
        raise UsageError(f"{system.name} has no parameter {name!r}; {nearest(name, known)}")
    start = _inside(float(system.parameters[name]), low, high)
    rest = {other: value for other, value in system.parameters.items() if other != name}
    return replace(
        system,
        variables=(*system.variables, StateVariable(name, low, high, start, "parameter")),
        equations=(*system.equations, rate_of_input(name)),
        parameters=rest,
        inputs=(*system.inputs, name),
        text="",
    )


def _with_range(system: System, name: str, low: float, high: float) -> System:
    variables = tuple(
        replace(each, low=low, high=high, start=_inside(each.start, low, high))
        if each.name == name
        else each
        for each in system.variables
    )
    return replace(system, variables=variables, text="")


def _inside(value: float, low: float, high: float) -> float:
    """The value itself if the range holds it, else the middle."""
    return value if low <= value <= high else (low + high) / 2
