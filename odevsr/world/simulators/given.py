"""Variables of someone else's model, with the ranges that it shows or that someone gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from odevsr.errors import UsageError, nearest
from odevsr.world.ranges import Range, RangeLike, checked_range
from odevsr.world.systems.checks import TIME
from odevsr.world.systems.system import StateVariable


def state_variable(name: str, given: Range, start: float, meaning: str) -> StateVariable:
    """A variable that starts in its range; in the middle if it would not."""
    inside = start if given.low <= start <= given.high else (given.low + given.high) / 2
    return StateVariable(name, given.low, given.high, inside, meaning, given.scale, given.domain)


def input_variable(name: str, given: Range, value: float) -> StateVariable:
    """A parameter, or time, as an input."""
    return state_variable(name, given, value, "time" if name == TIME else "parameter")


def with_ranges(
    variables: Sequence[StateVariable], ranges: Mapping[str, RangeLike], model: str
) -> tuple[StateVariable, ...]:
    """The variables, some of them with other ranges."""
    known = {each.name: each for each in variables}
    for name, given in ranges.items():
        if name not in known:
            raise UsageError(f"{model} has no variable {name!r}; {nearest(name, known)}")
        before = known[name]
        after = checked_range(name, before.range.changed(checked_range(name, given)))
        known[name] = state_variable(name, after, before.start, before.meaning)
    return tuple(known.values())
