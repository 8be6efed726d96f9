"""Numbers and dates, as texts have them in their cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.errors import DataFileError
from odevsr.world.recordings.headings import is_number
from odevsr.world.recordings.roles import Roles
from odevsr.world.systems.checks import TIME

_WORDS = "- -- . ? na n/a n.a. #n/a <na> nan nat null none missing #div/0! #num! #value! #ref!"
MISSING = frozenset(["", *_WORDS.split()])
"""What stands where nothing was measured, in any case of letters."""
_FORTRAN = str.maketrans("dD\u2212_", "ee-?")
"""Its exponents, and the minus of typesetters; _ is a part of a number to Python alone."""
_DATE = re.compile(r"\d[-/.:]\d+[-/.:]\d")
_SEPARATED = re.compile(r"[-+]?(\d{1,3}([.,'\s]\d{3})+([.,]\d+)?|\d+[.,]\d+)")


@dataclass(frozen=True)
class Cells:
    """How a text writes numbers and times."""

    place: str
    comma: bool
    """Whether commas stand before decimals."""
    since: datetime | None
    """The first time, if they are dates."""

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
                f"{self.place}:{line}: {cell.strip()[:40]!r} in the column {heading.strip()} is "
                f"not a number; {self._remedy(cell)}"
            ) from None

    def _seconds(self, heading: str, cell: str, line: int) -> float:
        text = cell.strip()
        if self.since is None or text.lower() in MISSING:
            return float("nan")
        try:
            return (datetime.fromisoformat(text) - self.since).total_seconds()
        except (ValueError, TypeError):  # of dates with and without a zone
            raise DataFileError(
                f"{self.place}:{line}: {text[:40]!r} in the column {heading.strip()} is no date as "
                f"the first, {self.since}; write all times alike"
            ) from None

    def _remedy(self, cell: str) -> str:
        if _SEPARATED.fullmatch(cell.strip()):
            number = "1234,5" if self.comma else "1234.5"
            return f"write one as all others, such as {number}, without separators of thousands"
        if _DATE.search(cell):
            return "write numbers, or for times dates such as 2024-01-05T12:00:00"
        return "write one, leave the cell empty, or begin the line with #"


def cells_of(rows: Sequence[Sequence[str]], roles: Roles, separator: str) -> Cells:
    """How numbers and times are written, as the first of them tell."""
    measured = (row[index] for row in rows for index in roles.measured)
    comma = separator != "," and _has_commas("\n".join(measured))
    times = (row[roles.time] for row in rows)
    first = next((cell for cell in times if cell.strip().lower() not in MISSING), "")
    return Cells(roles.place, comma, date_in(first))


def _has_commas(numbers: str) -> bool:
    """Whether commas stand before decimals; where points do, too, they separate thousands."""
    return bool(re.search(r"\d,\d", numbers)) and not re.search(r"\d\.\d", numbers)


def date_in(cell: str) -> datetime | None:
    """The date in a cell; None if it holds no date that can be told."""
    if is_number(cell):  # as the day 20240105 is, too
        return None
    try:
        return datetime.fromisoformat(cell.strip())
    except ValueError:
        return None
