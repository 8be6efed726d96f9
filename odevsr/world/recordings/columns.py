"""Recordings as columns by name, which arrays and tables of any kind come down to."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from odevsr.arrays import FloatArray
from odevsr.errors import DataFileError
from odevsr.world.recordings.cells import MISSING, date_in
from odevsr.world.recordings.headings import read_heading
from odevsr.world.recordings.pieces import Piece, Source
from odevsr.world.recordings.roles import Roles, check_width, roles_of
from odevsr.world.systems.checks import TIME

_CALENDAR = ("Y", "M")
"""Units of dates whose spans differ,"""
_CLOCK = ("W", "D", "h", "m", "s", "ms", "us", "ns", "ps")
"""and those of so many seconds."""


def columns_source(columns: Mapping[str, Any], inputs: Sequence[str], place: str) -> Source:
    """The recording in arrays of one length; the columns of one with several are name0, name1, ...

    Times that are dates become seconds since the first, those that are spans seconds.
    """
    arrays = {heading: np.asarray(each) for heading, each in columns.items()}
    check_width(sum(math.prod(each.shape[1:]) for each in arrays.values()), place)
    flat = dict(_flat(arrays, place))
    lengths = {heading: len(each) for heading, each in flat.items()}
    if len(set(lengths.values())) > 1:
        shown = ", ".join(f"{heading} {length:,}" for heading, length in lengths.items())
        raise DataFileError(f"{place} has columns of different lengths ({shown}); give one length")
    roles = roles_of(list(flat), inputs, place)
    return Source(roles, (piece_of(flat, roles),))


def piece_of(columns: Mapping[str, NDArray[Any]], roles: Roles, before: int = 0) -> Piece:
    """All samples in columns of one length, which come after so many."""
    given = list(columns.items())
    count = len(given[0][1])
    table = np.zeros((count, len(given)))
    for index in roles.measured:
        table[:, index] = _numbers(*given[index], roles.place)
    labels = None if roles.run is None else [_label(each) for each in given[roles.run][1].tolist()]
    return Piece(table, labels, before + np.arange(1, count + 1))


def _flat(columns: Mapping[str, NDArray[Any]], place: str) -> Sequence[tuple[str, NDArray[Any]]]:
    """Columns of one dimension each."""
    result: list[tuple[str, NDArray[Any]]] = []
    for heading, each in columns.items():
        if each.ndim == 1:
            seconds = _seconds(each) if read_heading(heading)[0] == TIME else None
            result.append((heading, each) if seconds is None else (f"{TIME} [s]", seconds))
        elif each.ndim == 2:
            result += [(f"{heading}{index}", column) for index, column in enumerate(each.T)]
        else:
            raise DataFileError(
                f"{place}: {heading} has the shape {each.shape}; give a column, or samples by "
                "variables, and the runs in a column run"
            )
    return result


def _seconds(times: NDArray[Any]) -> FloatArray | None:
    """Spans of time in seconds, dates in seconds since the first; None of what is neither."""
    spans = _dates(times) if times.dtype.kind in "OU" else times
    if spans is None or spans.dtype.kind not in "mM" or not len(spans):
        return None
    unit = np.datetime_data(spans.dtype)[0]
    if spans.dtype.kind == "M" and unit in _CALENDAR:
        spans = spans.astype("datetime64[D]")
    elif unit not in _CLOCK:
        return None
    if spans.dtype.kind == "M":
        spans = spans - np.fmin.reduce(spans)
    return np.asarray(spans / np.timedelta64(1, "s"))


def _dates(values: NDArray[Any]) -> NDArray[Any] | None:
    """Dates in texts, and those of a zone, in that of Greenwich; None if one is no date."""
    texts = [str(value) for value in values.tolist()]
    dates = {text: date_in(text) for text in texts if text.lower() not in MISSING}
    if not all(dates.values()):
        return None
    return np.array([_naive(dates.get(text)) for text in texts], dtype="datetime64[us]")


def _naive(date: datetime | None) -> datetime | None:
    return date.astimezone(UTC).replace(tzinfo=None) if date and date.tzinfo else date


def _numbers(heading: str, values: NDArray[Any], place: str) -> FloatArray:
    if values.dtype.kind in "cmMV":
        raise DataFileError(f"{place}: {heading} holds {values.dtype}; give plain numbers")
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        row, value = next(
            (row, value) for row, value in enumerate(values.tolist(), 1) if not _is_number(value)
        )
        raise DataFileError(
            f"{place}, row {row}: {str(value)[:40]!r} in the column {heading} is not a number; "
            "write one, or nan where nothing was measured"
        ) from None


def _is_number(value: object) -> bool:
    try:
        float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
    return True


def _label(run: object) -> str:
    """The name of a run; tables hold whole numbers as floats where some are missing."""
    return f"{run:g}" if isinstance(run, float) else str(run)
