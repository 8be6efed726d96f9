"""How a text is laid out: what separates its cells, which lines say what the columns are."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from pathlib import Path

from odevsr.errors import DataFileError
from odevsr.world.recordings.cells import MISSING
from odevsr.world.recordings.headings import NO_UNITS, is_number
from odevsr.world.recordings.lines import Line, said
from odevsr.world.recordings.roles import Roles
from odevsr.world.systems.checks import TIME

SEPARATORS = ("\t", ";", ",", "|")
"""The first of these that a line has separates its cells; else blanks do, however many."""
_BLANK = " "
_BEFORE_UNIT = re.compile(r"\s+(?=[\[(])")

_SHORT = "s sec secs ms us ns min mins h hr hrs d wk mo a y yr yrs \N{MICRO SIGN}s"
_LONG = "second minute hour day week month year"
_CLOCKS = frozenset([*_SHORT.split(), *_LONG.split(), *(f"{word}s" for word in _LONG.split())])
"""Units of time, in small letters."""

Rows = list[list[str]]


def headings_in(path: Path, line: Line) -> tuple[list[str], str]:
    """The headings of the columns, and what separates them."""
    number, text = line
    separator = _separator(text)
    if separator == _BLANK:
        text = _BEFORE_UNIT.sub("", text)
    (headings,) = split(path, [(number, text)], separator)
    return headings, separator


def separator_below(separator: str, lines: Sequence[Line]) -> str:
    """What separates cells below the names: the same, or what the first line has in its place."""
    text = lines[0][1].strip(_BLANK + "\n") if lines else separator
    return separator if separator in text else _separator(text)


def _separator(text: str) -> str:
    bare = re.sub('"[^"]*"', "", text.strip(_BLANK + "\n"))
    return next((each for each in SEPARATORS if each in bare), _BLANK)


def cells_in(path: Path, line: Line) -> list[str]:
    """The cells of a line, separated as it separates them itself."""
    (cells,) = split(path, [line], _separator(line[1]))
    return cells


def filled(cells: Sequence[str]) -> int:
    """How many cells there are but for empty ones at the end.

    >>> filled(["", "t", "x", " ", ""])
    3
    """
    return max((place for place, cell in enumerate(cells, 1) if cell.strip()), default=0)


def split(path: Path, lines: Sequence[Line], separator: str) -> Rows:
    """The cells of each line."""
    texts = (text for _, text in lines)
    if separator == _BLANK:
        texts = (_BLANK.join(text.split()) for text in texts)
    with said(path):
        tight = separator != _BLANK
        rows = list(csv.reader(texts, delimiter=separator, skipinitialspace=tight))
    if len(rows) != len(lines):
        raise DataFileError(
            f"{path}:{lines[0][0]}: from here on a quoted cell goes over several lines; close the "
            "quotes"
        )
    return rows


def units_in(roles: Roles, cells: Sequence[str]) -> dict[str, str]:
    """The units in cells below the names, if these hold a word for the time and no number."""
    if not are_units(cells, roles.time, roles.measured):
        return {}
    places = dict(zip((*roles.names, *roles.inputs), (*roles.states, *roles.settings), strict=True))
    places[TIME] = roles.time
    units = {name: _bare(cells[index]) for name, index in places.items()}
    return {name: unit for name, unit in units.items() if unit and unit not in NO_UNITS}


def are_units(cells: Sequence[str], time: int, measured: Sequence[int]) -> bool:
    """Whether cells hold a word for the time and no number; beside a unit of time 1 may be none.

    >>> are_units(["s", "m", "1"], 0, [0, 1, 2]), are_units(["begin", "m", "1"], 0, [0, 1, 2])
    (True, False)
    """
    clock = _bare(cells[time])
    is_word = is_clock(clock) or (clock.isalpha() and clock.lower() not in MISSING)
    numbers = {_bare(cells[index]) for index in measured if is_number(_bare(cells[index]))}
    return is_word and numbers <= (NO_UNITS if is_clock(clock) else set())


def is_clock(cell: str) -> bool:
    """Whether a cell holds a unit of time, maybe in brackets."""
    return _bare(cell).lower() in _CLOCKS


def _bare(cell: str) -> str:
    return cell.strip().strip("[]()")
