"""Parameters as variables: who can set them finds a law that holds for all their values.

A parameter that is varied becomes an input of the system: launched with any value of its range, at
rest while the state moves. Control inputs and time are inputs from the start.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from odevsr.errors import UsageError, nearest
from odevsr.world.ranges import Range, RangeLike, checked_range
from odevsr.world.systems.checks import laws_of_inputs
from odevsr.world.systems.registry import AnySystem, get_system
from odevsr.world.systems.system import StateVariable, System


def lift(system: AnySystem, ranges: Mapping[str, RangeLike]) -> System:
    """The system, which may be given by name or path, with these parameters as inputs.

    What is an input already gets the range given.

    >>> lift("lorenz", {"sigma": (5, 15)}).names
    ('x0', 'x1', 'x2', 'sigma')
    """
    system = get_system(system)
    for name, limits in ranges.items():
        system = _lifted(system, name, checked_range(name, limits))
    return system


def with_ranges(system: System, ranges: Mapping[str, RangeLike]) -> System:
    """The system with other ranges of some of its variables; what they do not say stays."""
    for name, given in ranges.items():
        if name not in system.names:
            raise UsageError(
                f"{system.name} has no variable {name!r}; {nearest(name, system.names)}"
            )
        system = _with_range(system, name, checked_range(name, given))
    return system


def _lifted(system: System, name: str, given: Range) -> System:
    if name in system.inputs:
        return _with_range(system, name, given)
    if name not in system.parameters:
        known = (*system.parameters, *system.inputs)
        raise UsageError(f"{system.name} has no parameter {name!r}; {nearest(name, known)}")
    start = _inside(float(system.parameters[name]), given)
    lifted = StateVariable(name, given.low, given.high, start, "parameter")
    rest = {other: value for other, value in system.parameters.items() if other != name}
    return replace(
        system,
        variables=(*system.variables, replace(lifted, scale=given.scale, domain=given.domain)),
        equations=(*system.equations, *laws_of_inputs(system.kind, [name])),
        parameters=rest,
        inputs=(*system.inputs, name),
        text="",
    )


def _with_range(system: System, name: str, given: Range) -> System:
    variables = list(system.variables)
    place = system.names.index(name)
    before = variables[place]
    after = checked_range(name, before.range.changed(given))
    variables[place] = replace(
        before,
        low=after.low,
        high=after.high,
        start=_inside(before.start, after),
        scale=after.scale,
        domain=after.domain,
    )
    return replace(system, variables=tuple(variables), text="")


def _inside(value: float, given: Range) -> float:
    """The value itself if the range holds it, else the middle."""
    return value if given.low <= value <= given.high else (given.low + given.high) / 2
