"""How a text is laid out: what separates its cells, which lines say what the columns are."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from odevsr.errors import DataFileError
from odevsr.world.recordings.cells import MISSING
from odevsr.world.recordings.headings import NO_UNITS, is_number, read_heading
from odevsr.world.recordings.lines import REMARKS, Line, said
from odevsr.world.recordings.roles import Roles
from odevsr.world.systems.checks import TIME

SEPARATORS = ("\t", ";", ",")
"""The first of these that a line has separates its cells; else blanks do, however many."""
_BLANK = " "
_BEFORE_UNIT = re.compile(r"\s+(?=[\[(])")

Rows = list[list[str]]


def opening(path: Path, lines: Iterator[Line]) -> tuple[Line, Iterator[Line]]:
    """The line that names the columns, and all below.

    It is the first that is no remark, or the remark above it if that alone names the time.
    """
    remark: Line | None = None
    for line in lines:
        if line[1].startswith(REMARKS):
            remark = line[0], line[1].lstrip("".join(REMARKS) + _BLANK)
        elif remark and _names_time(path, remark) and not _names_time(path, line):
            return remark, chain([line], lines)
        else:
            return line, lines
    if remark and _names_time(path, remark):
        return remark, iter(())
    raise DataFileError(f"{path} is empty; give a text with a line of names, such as t,x,y")


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


def units_in(roles: Roles, rows: Rows) -> dict[str, str]:
    """The units in the line below the names, if that holds a word for the time and no number."""
    cells = [cell.strip().strip("[]()") for cell in rows[0]] if rows else [""] * roles.width
    clock = cells[roles.time]
    is_word = clock.isalpha() and clock.lower() not in MISSING
    if not is_word or any(is_number(cells[index]) for index in roles.measured):
        return {}
    places = dict(zip((*roles.names, *roles.inputs), (*roles.states, *roles.settings), strict=True))
    places[TIME] = roles.time
    units = {name: cells[index] for name, index in places.items()}
    return {name: unit for name, unit in units.items() if unit and unit not in NO_UNITS}


def _names_time(path: Path, line: Line) -> bool:
    headings, _ = headings_in(path, line)
    return any(read_heading(heading)[0] == TIME for heading in headings)
