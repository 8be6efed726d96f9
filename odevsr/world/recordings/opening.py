"""What a text begins with: the names of its columns, in a line of their own or in a remark."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from odevsr.errors import DataFileError
from odevsr.world.recordings.dates import date_in
from odevsr.world.recordings.headings import is_number, read_heading
from odevsr.world.recordings.layout import are_units, cells_in, filled, headings_in, is_clock
from odevsr.world.recordings.lines import REMARKS, Line
from odevsr.world.systems.checks import TIME

_MOST = 100
"""So many remarks right above the samples may hold the names,"""
_LONGEST = 100_000
"""if they have no more characters."""
_WORDS = "the of and versus vs vs. over with at by for from per is was are were"
_PROSE = frozenset(_WORDS.split())
"""What is no name of a column, but stands in sentences."""


@dataclass(frozen=True)
class Opening:
    """The line of names, all below, and the units, if a remark has them."""

    names: Line
    below: Iterator[Line]
    units: Line | None = None
    notes: tuple[str, ...] = ()


def opening(path: Path, lines: Iterator[Line]) -> Opening:
    """The line that names the columns, and all below.

    It is the first that is no remark; where that has samples, the last remark above them that
    names as many columns as they have, and the time among them.
    """
    remarks: deque[Line] = deque(maxlen=_MOST)
    for line in lines:
        if not line[1].startswith(REMARKS):
            return _remarked(path, list(remarks), line, lines) or Opening(line, lines)
        if len(line[1]) <= _LONGEST:
            remarks.append((line[0], line[1].lstrip("".join(REMARKS) + " ")))
    named = [remark for remark in remarks if _time_in(headings_in(path, remark)[0]) is not None]
    if named:
        return Opening(named[-1], iter(()))
    raise DataFileError(f"{path} is empty; give a text with a line of names, such as t,x,y")


def _remarked(
    path: Path, remarks: Sequence[Line], first: Line, lines: Iterator[Line]
) -> Opening | None:
    """The opening of a text whose names stand in a remark above its first line, if they do."""
    cells = cells_in(path, first)
    if _time_in(cells) is not None or not any(map(_is_sample, cells)):
        return None
    places = [index for index, each in enumerate(remarks) if _names(path, each, filled(cells))]
    if not places:
        return None
    names, below = remarks[places[-1]], remarks[places[-1] + 1 :]
    units = next((remark for remark in below if _measures(path, remark, names)), None)
    taken = {"names": names, "units": units}
    notes = (
        f"{path}:{remark[0]}: the remark is taken for the {what} of the columns"
        for what, remark in taken.items()
        if remark
    )
    return Opening(names, chain([first], lines), units, tuple(notes))


def _is_sample(cell: str) -> bool:
    """Whether a cell may stand below names: a number, a date or a unit of time."""
    return is_number(cell) or bool(date_in(cell)) or is_clock(cell)


def _names(path: Path, remark: Line, count: int) -> bool:
    """Whether a remark names so many columns, and the time among them."""
    headings, _ = headings_in(path, remark)
    is_prose = any(heading.strip().lower() in _PROSE for heading in headings)
    return not is_prose and filled(headings) == count and _time_in(headings) is not None


def _measures(path: Path, remark: Line, names: Line) -> bool:
    """Whether a remark holds the units of columns, that of the time among them."""
    headings, cells = headings_in(path, names)[0], cells_in(path, remark)
    time = _time_in(headings)
    if time is None or filled(cells) != filled(headings) or not is_clock(cells[time]):
        return False
    return are_units(cells, time, range(len(cells)))


def _time_in(headings: Sequence[str]) -> int | None:
    """Which heading is that of the time."""
    found = (index for index, each in enumerate(headings) if read_heading(each)[0] == TIME)
    return next(found, None)
