"""What the columns of a recording are, by their headings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from odevsr.errors import DataFileError, UsageError, nearest
from odevsr.world.systems.checks import TIME, check_name
from odevsr.world.systems.refusals import RefusalError

TIMES = (TIME, "time")
"""Headings of the column that holds the times,"""
RUN = "run"
"""and of the one that says which run a sample is of."""
MOST_COLUMNS = 10_000
"""Ten times as many as of variables whose laws were ever looked for."""


@dataclass(frozen=True)
class Roles:
    """Places of the columns in a recording; `derivatives` has None where none were measured."""

    place: str
    """The recording, as sentences name it."""
    width: int
    time: int
    run: int | None
    names: tuple[str, ...]
    states: tuple[int, ...]
    derivatives: tuple[int | None, ...]
    inputs: tuple[str, ...]
    settings: tuple[int, ...]
    """Of the inputs, in their order."""
    units: dict[str, str]


def roles_of(headings: Sequence[str], inputs: Sequence[str], place: str) -> Roles:
    """Roles by the headings: `t` or `time`, `run`, the inputs, `dx` beside `x`; others are states.

    >>> roles = roles_of(["run", "t [s]", "x [m]", "dx", "u"], ["u"], "runs.csv")
    >>> roles.time, roles.states, roles.derivatives, roles.settings, roles.units
    (1, (2,), (3,), (4,), {'t': 's', 'x': 'm'})
    """
    check_width(len(headings), place)
    names, units = _named(headings, place)
    time = _time(names, place)
    names[time] = TIME
    for name in inputs:
        if name not in names:
            raise UsageError(f"{place} has no column {name} for an input; {nearest(name, names)}")
    free = [name for name in names if name not in (TIME, RUN, *inputs)]
    rates = {f"d{name}" for name in free} & set(free)
    rates -= {f"d{name}" for name in rates}  # ddx is no rate of x
    states = [name for name in free if name not in rates]
    if not states:
        raise DataFileError(
            f"{place} has no column for a variable beside the time; give one for each"
        )
    _check_names(states, inputs, place)
    places = {name: index for index, name in enumerate(names)}
    return Roles(
        place=place,
        width=len(names),
        time=time,
        run=places.get(RUN),
        names=tuple(states),
        states=tuple(places[name] for name in states),
        derivatives=tuple(places[f"d{name}"] if f"d{name}" in rates else None for name in states),
        inputs=tuple(inputs),
        settings=tuple(places[name] for name in inputs),
        units={name: unit for name, unit in zip(names, units, strict=True) if unit},
    )


def check_width(columns: int, place: str) -> None:
    """There are columns, and not more than anybody means."""
    if not columns:
        raise DataFileError(f"{place} has no columns; give t and one for each variable")
    if columns > MOST_COLUMNS:
        raise DataFileError(
            f"{place} has {columns:,} columns, and at most {MOST_COLUMNS:,} are read; give samples "
            "as rows, or fewer variables"
        )


def _named(headings: Sequence[str], place: str) -> tuple[list[str], list[str]]:
    """Names without their units, and the units, which may be empty."""
    if all(map(_is_number, headings)):
        raise DataFileError(
            f"{place} begins with numbers; name the columns in the first line, such as t,x,y"
        )
    units: dict[str, str] = {}
    for heading in headings:
        name, bracket, unit = heading.partition("[")
        if name.strip() in units:
            raise DataFileError(f"{place} has two columns {name.strip()}; rename or remove one")
        units[name.strip()] = unit.strip().removesuffix("]").strip() if bracket else ""
    return list(units), list(units.values())


def _time(names: Sequence[str], place: str) -> int:
    found = [index for index, name in enumerate(names) if name in TIMES]
    if len(found) == 1:
        return found[0]
    if found:
        raise DataFileError(f"{place} has columns t and time; rename the one that is not the time")
    shown = ", ".join(names[:6]) + (", ..." if len(names) > 6 else "")
    raise DataFileError(f"{place} has no column t for the time, only {shown}; name it t")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _check_names(states: Sequence[str], inputs: Sequence[str], place: str) -> None:
    """Variables have names that laws can be written with."""
    for section, names in (("state", states), ("inputs", inputs)):
        for name in names:
            try:
                check_name(section, name)
            except RefusalError as error:
                raise DataFileError(f"{place}: the column {error}") from None
