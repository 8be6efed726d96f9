"""Recordings as columns by name, which arrays and tables of any kind come down to."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from odevsr.arrays import FloatArray
from odevsr.errors import DataFileError
from odevsr.world.recordings.cells import MISSING
from odevsr.world.recordings.clocks import Clock, clock_of, written
from odevsr.world.recordings.pieces import ROW, Piece, Source
from odevsr.world.recordings.roles import Roles, check_width, roles_of

Column = tuple[str, NDArray[Any]]
"""A heading, and what stands below."""
_NOTHING = ("None", "nan", "NaT", "<NA>")
"""What tables hold where nothing is given, as text."""


def columns_source(columns: Mapping[str, Any], inputs: Sequence[str], place: str) -> Source:
    """The recording in arrays of one length; the columns of one with several are name0, name1, ...

    Times that are dates become seconds since the first, those that are spans seconds.
    """
    arrays = {heading: unmasked(each) for heading, each in columns.items()}
    check_width(sum(math.prod(each.shape[1:]) for each in arrays.values()), place)
    flat = _flat(arrays, place)
    lengths = {heading: len(each) for heading, each in arrays.items()}
    if len(set(lengths.values())) > 1:
        shown = ", ".join(f"{heading} {length:,}" for heading, length in lengths.items())
        raise DataFileError(f"{place} has columns of different lengths ({shown}); give one length")
    return batches_source(roles_of([heading for heading, _ in flat], inputs, place), [flat])


def unmasked(values: Any) -> NDArray[Any]:  # noqa: ANN401
    """Values as an array, with nan in the place of masked ones.

    >>> unmasked(np.ma.masked_array([1, -9], mask=[False, True]))
    array([ 1., nan])
    """
    if isinstance(values, np.ma.MaskedArray) and values.dtype.kind in "biuf":
        return np.asarray(np.ma.filled(values.astype(np.float64), np.nan))
    return np.asarray(values)


def batches_source(roles: Roles, batches: Iterable[Sequence[Column]]) -> Source:
    """The recording in columns that come in batches; the first tells how times are written."""
    later = iter(batches)
    first = next(later, None)
    if first is None:
        return Source(roles, ())
    clock = clock_of(*first[roles.time], roles.place)
    roles = replace(roles, units=roles.units | clock.units)
    return Source(roles, _pieces(chain([first], later), roles, clock), notes=clock.notes)


def _pieces(batches: Iterable[Sequence[Column]], roles: Roles, clock: Clock) -> Iterator[Piece]:
    """All samples, in order."""
    before = 0
    for batch in batches:
        count = len(batch[roles.time][1])
        yield _piece(batch, roles, clock, range(before + 1, before + count + 1))
        before += count


def _piece(batch: Sequence[Column], roles: Roles, clock: Clock, rows: range) -> Piece:
    table = np.zeros((len(rows), roles.width))
    for index in roles.measured:
        seconds = clock.seconds(*batch[index], rows) if index == roles.time else None
        plain = seconds is None
        table[:, index] = _numbers(*batch[index], rows, roles.place) if plain else seconds
    labels = None if roles.run is None else _labels(batch[roles.run][1])
    return Piece(table, labels, np.array(rows, dtype=np.int64))


def _labels(runs: NDArray[Any]) -> list[str]:
    """The names of runs; none where a table holds what stands for nothing."""
    names = zip(written(runs), runs.tolist(), strict=True)
    return ["" if name in _NOTHING and not isinstance(run, str) else name for name, run in names]


def _flat(columns: Mapping[str, NDArray[Any]], place: str) -> list[Column]:
    """Columns of one dimension each."""
    result: list[Column] = []
    for heading, each in columns.items():
        if each.ndim == 1:
            result.append((heading, each))
        elif each.ndim == 2 and each.shape[1] == 1:
            result.append((heading, each[:, 0]))
        elif each.ndim == 2:
            result += [(f"{heading}{index}", column) for index, column in enumerate(each.T)]
        else:
            raise DataFileError(
                f"{place}: {heading} has the shape {each.shape}; give a column, or samples by "
                "variables, and the runs in a column run, or leave it out"
            )
    return result


def _numbers(heading: str, values: NDArray[Any], rows: Sequence[int], place: str) -> FloatArray:
    if values.dtype.kind in "cmMV":
        raise DataFileError(f"{place}: {heading} holds {values.dtype}; give plain numbers")
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        pairs = zip(rows, values.tolist(), strict=True)
        return np.array(
            [_number(heading, value, ROW.format(place=place, line=row)) for row, value in pairs]
        )


def _number(heading: str, value: object, where: str) -> float:
    """A number among what is none; words for what is missing are those of texts."""
    try:
        if str(value).strip().lower() in MISSING:
            return math.nan
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise DataFileError(
            f"{where}: {str(value)[:40]!r} in the column {heading} is not a number; write one, or "
            "nan where nothing was measured"
        ) from None
