"""Recordings in text: CSV and its kin, read in pieces."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.errors import DataFileError
from odevsr.world.recordings.pieces import Piece, Source
from odevsr.world.recordings.roles import roles_of

PIECE = 4_000_000
"""Characters read at a time."""
LONGEST_LINE = 1_000_000
MISSING = frozenset({"", "-", "na", "n/a", "nan", "null", "none"})
"""What stands where nothing was measured, in any case of letters."""
DELIMITERS = ("\t", ";")
"""What separates cells if the first line has it; else commas do."""

Line = tuple[int, str]


def text_source(path: Path, inputs: Sequence[str]) -> Source:
    """The recording in a text whose first line names the columns.

    Lines that are empty or begin with # are left out.
    """
    lines = _lines(path)
    first = next(lines, None)
    if first is None:
        raise DataFileError(f"{path} is empty; give a text with a line of names, such as t,x,y")
    delimiter = next((each for each in DELIMITERS if each in first[1]), ",")
    (headings,) = _cells(path, [first], delimiter)
    roles = roles_of(headings, inputs, str(path))
    pieces = (_piece(path, headings, roles.run, some, delimiter) for some in _portions(lines))
    return Source(roles, pieces, "{place}:{line}")


def _lines(path: Path) -> Iterator[Line]:
    """Lines that say something, and their numbers."""
    with _said(path), path.open(encoding="utf-8-sig", newline=None) as file:
        number = 0
        while line := file.readline(LONGEST_LINE):
            number += 1
            if len(line) == LONGEST_LINE:
                raise DataFileError(
                    f"{path}:{number}: the line is longer than {LONGEST_LINE:,} characters; save "
                    "the recording as CSV, a line a sample"
                )
            if line.strip() and not line.startswith("#"):
                yield number, line


def _portions(lines: Iterator[Line]) -> Iterator[list[Line]]:
    """Lines in portions that fit into memory."""
    portion: list[Line] = []
    length = 0
    for line in lines:
        portion.append(line)
        length += len(line[1])
        if length >= PIECE:
            yield portion
            portion, length = [], 0
    if portion:
        yield portion


def _cells(path: Path, lines: Sequence[Line], delimiter: str) -> list[list[str]]:
    with _said(path):
        rows = list(csv.reader((text for _, text in lines), delimiter=delimiter))
    if len(rows) != len(lines):
        raise DataFileError(
            f"{path}:{lines[0][0]}: from here on a quoted cell goes over several lines; close the "
            "quotes"
        )
    return rows


def _piece(
    path: Path, headings: Sequence[str], run: int | None, lines: Sequence[Line], delimiter: str
) -> Piece:
    rows = _cells(path, lines, delimiter)
    numbers = [number for number, _ in lines]
    for number, row in zip(numbers, rows, strict=True):
        if len(row) != len(headings):
            raise DataFileError(
                f"{path}:{number}: the line has {len(row)} cells, and the first names "
                f"{len(headings)} columns; leave a cell empty where nothing was measured"
            )
    columns = list(zip(*rows, strict=True))
    values = np.zeros((len(rows), len(headings)))
    for index, heading in enumerate(headings):
        if index != run:
            values[:, index] = _numbers(path, heading, columns[index], numbers)
    labels = None if run is None else [cell.strip() for cell in columns[run]]
    return Piece(values, labels, np.array(numbers))


def _numbers(path: Path, heading: str, cells: Sequence[str], lines: Sequence[int]) -> FloatArray:
    """The numbers in a column, at once if it holds nothing else."""
    try:
        if "_" in "".join(cells):  # which Python takes for a part of a number
            raise ValueError
        return np.array(cells, dtype=np.float64)
    except ValueError:
        pairs = zip(cells, lines, strict=True)
        return np.array([_number(path, heading, cell, line) for cell, line in pairs])


def _number(path: Path, heading: str, cell: str, line: int) -> float:
    if cell.strip().lower() in MISSING:
        return float("nan")
    try:
        return float(cell.replace("_", "?"))
    except ValueError:
        raise DataFileError(
            f"{path}:{line}: {cell[:40]!r} in the column {heading.strip()} is not a number; write "
            "one, or leave the cell empty"
        ) from None


@contextmanager
def _said(path: Path) -> Iterator[None]:
    """What Python says of a file that is no text, as a sentence for people."""
    try:
        yield
    except (UnicodeDecodeError, csv.Error):
        raise DataFileError(f"{path} is not a text; give CSV in UTF-8, npz or parquet") from None
    except OSError as error:
        raise DataFileError(f"{path} cannot be read ({error.strerror}); check the path") from None
