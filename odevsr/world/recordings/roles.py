"""What the columns of a recording are, by their headings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from odevsr.errors import DataFileError, UsageError, nearest
from odevsr.world.recordings.headings import (
    RUN,
    announces_dates,
    few,
    named,
    read_heading,
    renamed,
)
from odevsr.world.systems.checks import TIME, check_name
from odevsr.world.systems.refusals import RefusalError

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
    unnamed: tuple[int, ...] = ()
    """Columns without a heading, which are left out."""
    notes: tuple[str, ...] = ()
    """What columns are called whose headings are no names."""

    @property
    def measured(self) -> list[int]:
        """The columns of numbers."""
        others = {self.run, *self.unnamed}
        return [index for index in range(self.width) if index not in others]


def roles_of(headings: Sequence[str], inputs: Sequence[str], place: str, hint: str = "") -> Roles:
    """Roles by the headings: the time, `run`, the inputs, `dx` beside `x`; others are states.

    Headings that cannot be names in a law get the nearest that can, and a note says so; `hint` is
    for whoever finds no time among them.

    >>> roles = roles_of(["run", "t [s]", "x [m]", "dx", "u"], ["u"], "runs.csv")
    >>> roles.time, roles.states, roles.derivatives, roles.settings, roles.units
    (1, (2,), (3,), (4,), {'t': 's', 'x': 'm'})
    """
    check_width(len(headings), place)
    names, units = named(headings, place)
    time = _time(headings, names, place, hint)
    settings = [_input(name, names, place) for name in inputs]
    free = [name for name in names if name not in ("", TIME, RUN, *settings)]
    rates = {f"d{name}" for name in free} & set(free)
    rates -= {f"d{name}" for name in rates}  # ddx is no rate of x
    states = [name for name in free if name not in rates]
    if not states:
        raise DataFileError(
            f"{place} has no column for a variable beside the time; give one for each"
        )
    _check_names(states, settings, place)
    places = {name: index for index, name in enumerate(names)}
    return Roles(
        place=place,
        width=len(names),
        time=time,
        run=places.get(RUN),
        names=tuple(states),
        states=tuple(places[name] for name in states),
        derivatives=tuple(places[f"d{name}"] if f"d{name}" in rates else None for name in states),
        inputs=tuple(settings),
        settings=tuple(places[name] for name in settings),
        units={name: unit for name, unit in zip(names, units, strict=True) if unit},
        unnamed=tuple(index for index, name in enumerate(names) if not name),
        notes=tuple(renamed(headings, names)),
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


def _time(headings: Sequence[str], names: Sequence[str], place: str, hint: str) -> int:
    found = [index for index, name in enumerate(names) if name == TIME]
    if len(found) == 1:
        return found[0]
    if found:
        both = " and ".join(headings[index].strip() for index in found)
        has_dates = any(announces_dates(headings[index]) for index in found)
        remedy = ", or write both in one, such as 2024-01-05T12:00:00" if has_dates else ""
        raise DataFileError(
            f"{place} has columns {both}; rename the one that is not the time{remedy}"
        )
    shown = few([name for name in names if name])
    raise DataFileError(f"{place} has no column t for the time, only {shown}; name it t{hint}")


def _input(asked: str, names: Sequence[str], place: str) -> str:
    """The name of an input, which may be asked for by its heading."""
    name = read_heading(asked)[0]
    if not name or name not in names:
        known = [each for each in names if each]
        raise UsageError(f"{place} has no column {asked} for an input; {nearest(asked, known)}")
    return name


def _check_names(states: Sequence[str], inputs: Sequence[str], place: str) -> None:
    """Variables have names that laws can be written with."""
    for section, names in (("state", states), ("inputs", inputs)):
        for name in names:
            try:
                check_name(section, name)
            except RefusalError as error:
                raise DataFileError(f"{place}: the column {error}") from None
