"""Recordings in text: CSV and its kin, read in pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path

import numpy as np

from odevsr.errors import DataFileError
from odevsr.world.recordings.cells import Cells, cells_of
from odevsr.world.recordings.layout import (
    Rows,
    cells_in,
    headings_in,
    separator_below,
    split,
    units_in,
)
from odevsr.world.recordings.lines import Line, lines_of
from odevsr.world.recordings.opening import opening
from odevsr.world.recordings.pieces import Piece, Source
from odevsr.world.recordings.roles import Roles, roles_of

PIECE = 4_000_000
"""Characters read at a time."""


@dataclass(frozen=True)
class _Portion:
    """Some lines: their numbers and their cells."""

    numbers: Sequence[int]
    rows: Rows

    def without_first(self) -> _Portion:
        return _Portion(self.numbers[1:], self.rows[1:])


def text_source(path: Path, inputs: Sequence[str]) -> Source:
    """The recording in a text whose first line names the columns; the second may hold their units.

    Lines that are empty or begin with # or % are left out. The line of names tells how cells are
    separated, the first portion of the samples how numbers and times are written.
    """
    begun = opening(path, lines_of(path))
    headings, separator = headings_in(path, begun.names)
    roles = roles_of(headings, inputs, str(path), hint=" (begin lines above the names with #)")
    begin = _taken(begun.below)
    separator = separator_below(separator, begin)
    portion = partial(_portion, path, separator, roles.width)
    first = portion(begin)
    units = units_in(roles, cells_in(path, begun.units)) if begun.units else {}
    notes = [*begun.notes]
    if first.rows and (below := units_in(roles, first.rows[0])):
        notes.append(f"{path}:{first.numbers[0]}: taken for the units of the columns")
        units, first = below, first.without_first()
    cells = cells_of(headings, first.rows, first.numbers, roles, separator)
    roles = replace(roles, units=units | roles.units | cells.units)
    piece = partial(_piece, headings, roles, cells)
    others = map(portion, iter(partial(_taken, begun.below), []))
    pieces = chain([piece(first)], map(piece, others))
    return Source(roles, pieces, "{place}:{line}", (*notes, *cells.notes))


def _portion(path: Path, separator: str, width: int, lines: Sequence[Line]) -> _Portion:
    """The cells of some lines, one for each heading."""
    rows = split(path, lines, separator)
    numbers = [number for number, _ in lines]
    for number, row in zip(numbers, rows, strict=True):
        if len(row) != width:
            _cut(row, width, f"{path}:{number}")
    return _Portion(numbers, rows)


def _taken(lines: Iterator[Line]) -> list[Line]:
    """The next lines, as many as fit into memory."""
    portion: list[Line] = []
    length = 0
    for line in lines:
        portion.append(line)
        length += len(line[1])
        if length >= PIECE:
            break
    return portion


def _cut(row: list[str], width: int, place: str) -> None:
    """Take away empty cells at the end of a line, where separators stand that end it."""
    if len(row) < width or any(map(str.strip, row[width:])):
        raise DataFileError(
            f"{place}: the line has {len(row)} cells, and the first names {width} columns; "
            "separate all lines alike, and leave a cell empty where nothing was measured"
        )
    del row[width:]


def _piece(headings: Sequence[str], roles: Roles, cells: Cells, portion: _Portion) -> Piece:
    columns = list(zip(*portion.rows, strict=True)) or [()] * roles.width
    values = np.zeros((len(portion.rows), roles.width))
    for index in roles.measured:
        read = cells.times if index == roles.time else cells.numbers
        values[:, index] = read(headings[index], columns[index], portion.numbers)
    labels = None if roles.run is None else [cell.strip() for cell in columns[roles.run]]
    return Piece(values, labels, np.array(portion.numbers, dtype=np.int64))
