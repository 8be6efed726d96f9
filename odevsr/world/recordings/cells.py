"""Numbers and dates, as texts have them in their cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.errors import DataFileError
from odevsr.world.recordings.commas import has_commas
from odevsr.world.recordings.dates import date_in, parsed
from odevsr.world.recordings.headings import announces_dates
from odevsr.world.recordings.roles import Roles
from odevsr.world.systems.checks import TIME

_WORDS = "- -- . ? na n/a n.a. #n/a <na> nan nat null none missing #div/0! #num! #value! #ref!"
MISSING = frozenset(["", *_WORDS.split()])
"""What stands where nothing was measured, in any case of letters."""
_FORTRAN = str.maketrans("dD\u2212_", "ee-?")
"""Its exponents, and the minus of typesetters; _ is a part of a number to Python alone."""
_DATE = re.compile(r"\d[-/:]\d|\d\.\d+\.\d")
_SEPARATED = re.compile(r"[-+]?(\d{1,3}([.,'\s]\d{3})+([.,]\d+)?|\d+[.,]\d+)")


@dataclass(frozen=True)
class Cells:
    """How a text writes numbers and times."""

    place: str
    comma: bool
    """Whether commas stand before decimals."""
    since: datetime | None
    """The first time, if they are dates."""
    spot: str = "{place}:{line}"
    """How a sentence names where a cell stands."""

    @property
    def units(self) -> dict[str, str]:
        """That of the time, if times are dates."""
        return {TIME: "s"} if self.since else {}

    @property
    def notes(self) -> tuple[str, ...]:
        """What is said of this way to write."""
        said = {
            f"{self.place}: commas are taken for decimal points": self.comma,
            f"{self.place}: times are dates, and taken as seconds since {self.since}": self.since,
        }
        return tuple(note for note, holds in said.items() if holds)

    def numbers(self, heading: str, cells: Sequence[str], lines: Sequence[int]) -> FloatArray:
        """The numbers in a column, at once if it holds nothing else."""
        try:
            text = "".join(cells)
            if "_" in text or (self.comma and "." in text):
                raise ValueError
            plain = [cell.replace(",", ".") for cell in cells] if self.comma else cells
            return np.array(plain, dtype=np.float64)
        except ValueError:
            pairs = zip(cells, lines, strict=True)
            return np.array([self._number(heading, cell, line) for cell, line in pairs])

    def times(self, heading: str, cells: Sequence[str], lines: Sequence[int]) -> FloatArray:
        """The times in a column; of dates, the seconds since the first."""
        if self.since is None:
            return self.numbers(heading, cells, lines)
        pairs = zip(cells, lines, strict=True)
        return np.array([self._seconds(heading, cell, line) for cell, line in pairs])

    def _number(self, heading: str, cell: str, line: int) -> float:
        text = cell.strip()
        if text.lower() in MISSING:
            return float("nan")
        if self.comma:
            text = text.replace(".", "?").replace(",", ".")
        try:
            return float(text.translate(_FORTRAN))
        except ValueError:
            raise DataFileError(
                f"{self._where(line)}: {cell.strip()[:40]!r} in the column {heading.strip()} is "
                f"not a number; {self._remedy(cell)}"
            ) from None

    def _seconds(self, heading: str, cell: str, line: int) -> float:
        text = cell.strip()
        if self.since is None or text.lower() in MISSING:
            return float("nan")
        try:
            return (parsed(text) - self.since).total_seconds()
        except (ValueError, TypeError):  # of dates with and without a zone
            raise DataFileError(
                f"{self._where(line)}: {text[:40]!r} in the column {heading.strip()} is no date "
                f"as the first, {self.since}; write all times alike"
            ) from None

    def _where(self, line: int) -> str:
        return self.spot.format(place=self.place, line=line)

    def _remedy(self, cell: str) -> str:
        if _SEPARATED.fullmatch(cell.strip()):
            number = "1234,5" if self.comma else "1234.5"
            return f"write one as all others, such as {number}, without separators of thousands"
        if _DATE.search(cell):
            return "write numbers, or for times dates such as 2024-01-05T12:00:00"
        return "write one, leave the cell empty, remove the column, or begin the line with #"


def cells_of(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    lines: Sequence[int],
    roles: Roles,
    separator: str,
) -> Cells:
    """How numbers and times are written, as the first of them tell."""
    since = first_date(headings[roles.time], (row[roles.time] for row in rows))
    numbers = [index for index in roles.measured if since is None or index != roles.time]
    cells = [[row[index] for index in numbers] for row in rows]
    comma = separator != "," and has_commas(cells, roles.place, lines)
    return Cells(roles.place, comma, since)


def first_date(heading: str, times: Iterable[str]) -> datetime | None:
    """The first time that is not missing, if it is a date."""
    first = next((cell for cell in times if cell.strip().lower() not in MISSING), "")
    return date_in(first, announced=announces_dates(heading))
