"""How times in the columns of a table are told: as numbers, spans or dates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from odevsr.arrays import FloatArray
from odevsr.world.recordings.cells import Cells, first_date
from odevsr.world.recordings.pieces import ROW
from odevsr.world.systems.checks import TIME

_STEADY = ("W", "D", "h", "m", "s", "ms", "us", "ns", "ps")
"""Units of spans that are so many seconds; months and years are not."""
_SECOND = np.timedelta64(1, "s")
_EPOCH = datetime(1970, 1, 1)
"""Since when dates are counted if none of the first is known."""


@dataclass(frozen=True)
class Clock:
    """How a table writes its times, as the first of them tell."""

    cells: Cells
    is_span: bool

    @property
    def units(self) -> dict[str, str]:
        """That of the time, if times are dates or spans."""
        return {TIME: "s"} if self.is_span else self.cells.units

    @property
    def notes(self) -> tuple[str, ...]:
        """What is said of this way to write."""
        return self.cells.notes

    def seconds(self, heading: str, values: NDArray[Any], rows: Sequence[int]) -> FloatArray | None:
        """Spans in seconds, dates in seconds since the first; None of what is neither."""
        if _is_span(values):
            return np.asarray(values / _SECOND)
        if self.cells.since is None:
            return None
        if values.dtype.kind == "M":
            return np.asarray((values - np.datetime64(self.cells.since)) / _SECOND)
        return self.cells.times(heading, written(values), rows)


def clock_of(heading: str, times: NDArray[Any], place: str) -> Clock:
    """How times are written, as these tell."""
    is_date = times.dtype.kind == "M"
    since = _first(times) if is_date else first_date(heading, map(_word, times.flat))
    return Clock(Cells(place, comma=False, since=since, spot=ROW), _is_span(times))


def written(values: NDArray[Any]) -> list[str]:
    """Values as people write them; tables hold whole numbers as floats where some are missing.

    >>> written(np.array([1_000_001.0, 0.5, np.nan])), written(np.array(["a", None]))
    (['1000001', '0.5', 'nan'], ['a', 'None'])
    """
    return list(map(_word, values.tolist()))


def _word(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    is_whole = isinstance(value, float) and value.is_integer()
    return f"{value:.0f}" if is_whole else str(value)


def _is_span(values: NDArray[Any]) -> bool:
    return values.dtype.kind == "m" and np.datetime_data(values.dtype)[0] in _STEADY


def _first(dates: NDArray[Any]) -> datetime | None:
    """The first date that is known; None if it is none of our calendar."""
    known = dates[~np.isnat(dates)]
    first = known[0].astype("datetime64[us]").item() if len(known) else _EPOCH
    return first if isinstance(first, datetime) else None
