"""Recordings as Python has them: arrays, tables, and lists of these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.errors import UsageError
from odevsr.world.recordings.assemble import assembled
from odevsr.world.recordings.columns import columns_source, unmasked
from odevsr.world.recordings.files import read_recordings
from odevsr.world.recordings.join import joined
from odevsr.world.recordings.kinds import is_recording
from odevsr.world.recordings.pieces import gather
from odevsr.world.recordings.runs import Recordings
from odevsr.world.recordings.tables import as_columns, is_table
from odevsr.world.systems.checks import TIME

Recorded = Any
"""Recordings in any of the forms that `as_recordings` takes."""
Arrays = Any
"""What numpy takes for an array, or a list of such, one for each run."""


def recording(
    t: Arrays,
    states: Arrays,
    *,
    names: Sequence[str] | None = None,
    inputs: Mapping[str, Arrays] | None = None,
    derivatives: Arrays = None,
) -> Recordings:
    """Recordings from times (m,) and states (m, n), or from a list of either, one for each run.

    A number in place of times is the step between samples; the same times may be of all runs.
    Variables are called x0, x1, ... unless they have `names`. Inputs are given by name, values (m,)
    each; derivatives, where they were measured, as the states are.

    >>> both = recording(0.5, [[[0.0], [1.0]], [[2.0], [5.0], [7.0]]], names=["x"])
    >>> [(run.name, run.times.tolist()) for run in both.runs]
    [('0', [0.0, 0.5]), ('1', [0.0, 0.5, 1.0])]
    """
    paths = list(states) if _is_by_run(states, 2) else [states]
    count = len(paths)
    times = _by_run("times", t, 1, count)
    rates = _by_run("derivatives", derivatives, 2, count)
    settings = {name: _by_run(name, each, 1, count) for name, each in (inputs or {}).items()}
    parts = []
    for index, path in enumerate(paths):
        columns = _columns(times[index], path, rates[index], names)
        columns |= {name: each[index] for name, each in settings.items()}
        parts.append(_assembled(columns, tuple(settings), f"run {index}", str(index)))
    return replace(joined(parts), source="the recording")


def as_recordings(what: Recorded, inputs: str | Sequence[str] = ()) -> Recordings:
    """Recordings in whatever form: files, tables (pandas, xarray, a mapping), lists of these.

    Tables have the columns that files have; times and runs may be their index.
    """
    named = (inputs,) if isinstance(inputs, str) else tuple(inputs)
    several = list(what) if isinstance(what, list | tuple) else [what]
    files = [each for each in several if is_recording(each)]
    if len(files) == len(several):
        return read_recordings(*files, inputs=named)
    return joined([_part(each, named) for each in several])


def is_recorded(what: object) -> bool:
    """True for what holds measurements rather than something to experiment on."""
    if isinstance(what, list | tuple):
        return bool(what) and all(map(is_recorded, what))
    return isinstance(what, Recordings) or is_recording(what) or is_table(what)


def _part(what: object, inputs: tuple[str, ...]) -> Recordings:
    if is_table(what):
        return _assembled(as_columns(what), inputs, "the table", "0")
    if not isinstance(what, Recordings):
        raise UsageError(
            f"a {type(what).__name__} is no recording; give odevsr.recording(t, X), tables with a "
            "column t, or files"
        )
    if inputs:
        raise UsageError("recordings name their inputs themselves; leave inputs out here")
    return what


def _assembled(
    columns: Mapping[str, Arrays], inputs: Sequence[str], place: str, name: str
) -> Recordings:
    return assembled(gather(columns_source(columns, inputs, place), name))


def _is_by_run(values: Arrays, dimensions: int) -> bool:
    """Whether values are given for each run, which has so many dimensions."""
    if isinstance(values, list | tuple):
        return bool(values) and all(_dimensions(each) == dimensions for each in values)
    return _dimensions(values) == dimensions + 1


def _dimensions(values: Arrays) -> int:
    try:
        return np.ndim(values)
    except ValueError:  # a list of lists of different lengths
        return -1


def _by_run(what: str, values: Arrays, dimensions: int, count: int) -> list[Arrays]:
    """The values of each run; what is given once is that of all."""
    if not _is_by_run(values, dimensions):
        return [values] * count
    if len(values) != count:
        raise UsageError(f"{what} are given for {len(values)} runs, and states for {count}")
    return list(values)


def _columns(
    times: Arrays, states: Arrays, derivatives: Arrays, names: Sequence[str] | None
) -> dict[str, Arrays]:
    """A run's columns by name."""
    path = _table("states", states)
    given = [f"x{index}" for index in range(path.shape[1])] if names is None else list(names)
    if len(given) != path.shape[1]:
        raise UsageError(f"{len(given)} names cannot be those of {path.shape[1]} variables")
    clock = times * np.arange(len(path)) if _dimensions(times) == 0 else times
    columns = {TIME: clock, **dict(zip(given, path.T, strict=True))}
    if derivatives is None:
        return columns
    rates = _table("derivatives", derivatives)
    if rates.shape != path.shape:
        raise UsageError(
            f"derivatives {rates.shape} must have the shape of the states {path.shape}"
        )
    return columns | {f"d{name}": each for name, each in zip(given, rates.T, strict=True)}


def _table(what: str, values: Arrays) -> FloatArray:
    """Numbers (m, n); of one variable, (m,) will do."""
    try:
        given = unmasked(values)
        is_complex = np.iscomplexobj(given)
        table = np.asarray(given.real if is_complex else given, dtype=np.float64)
    except (TypeError, ValueError):
        raise UsageError(f"{what} must be an array of numbers, samples by variables") from None
    if is_complex:
        raise UsageError(f"{what} are complex numbers; give real and imaginary parts as variables")
    table = table[:, None] if table.ndim == 1 else table
    if table.ndim != 2:
        raise UsageError(f"{what} of shape {table.shape} are no run; give samples by variables")
    return table
