"""Samples put in order as runs; whatever that changes or leaves out is said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.errors import DataFileError
from odevsr.world.ranges import OTHER_UNITS, is_extreme
from odevsr.world.recordings.nines import nines_in
from odevsr.world.recordings.pieces import Gathered
from odevsr.world.recordings.roles import Roles
from odevsr.world.recordings.runs import Recordings, Run
from odevsr.world.recordings.timing import clocked, gaps, is_even
from odevsr.world.systems.checks import TIME

LISTED = 3
"""So many runs are named in a note; of more, how many they are."""


def assembled(gathered: Gathered) -> Recordings:
    """The runs in what was gathered, each with one sample a time and inputs at every one.

    Runs that tell nothing of a motion are left out; if none is left, the recording is refused.
    """
    roles, given = gathered.roles, gathered.runs
    merged = {name: _merged(rows, roles) for name, rows in given.items()}
    said = {name: _measured(rows, roles) for name, rows in merged.items()}
    runs = [_run(name, rows, roles) for name, rows in said.items()]
    clocks = [_clock(run, roles) for run in runs]
    runs = [replace(run, times=times) for run, (times, _) in zip(runs, clocks, strict=True)]
    _check_measured(runs, roles)
    _check_sizes(runs, roles)
    good = [run for run in runs if _is_motion(run)]
    if not good:
        raise DataFileError(
            f"{roles.place} has no run with two samples at different times; nothing moves in it"
        )
    idle = [run.name for run in runs if not _is_motion(run)]
    repeated = [run.name for run in good if len(merged[run.name]) < len(given[run.name])]
    silent = sum(len(merged[name]) - len(said[name]) for name in merged)
    notes = (*gathered.notes, *_clocks(runs, clocks), *_notes(good, idle, repeated, silent, roles))
    filled = tuple(_filled(run, roles) for run in good)
    return Recordings(roles.names, filled, roles.inputs, roles.units, roles.place, notes)


def _merged(rows: FloatArray, roles: Roles) -> FloatArray:
    """One sample a time: the mean of those measured then; what is infinite counts as missing."""
    finite = np.isfinite(rows)
    times, which = np.unique(rows[:, roles.time], return_inverse=True)
    count, total = np.zeros((2, len(times), roles.width))
    np.add.at(count, which, finite)
    np.add.at(total, which, np.where(finite, rows, 0.0))
    return np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)


def _measured(rows: FloatArray, roles: Roles) -> FloatArray:
    """The samples in which some variable was measured."""
    return rows[np.isfinite(rows[:, roles.states]).any(axis=1)]


def _run(name: str, rows: FloatArray, roles: Roles) -> Run:
    """The run in its samples; a variable whose derivative was not measured has nan in its place."""
    measured = [index is not None for index in roles.derivatives]
    derivatives = np.full((len(rows), len(roles.names)), np.nan)
    derivatives[:, measured] = rows[:, [index for index in roles.derivatives if index is not None]]
    return Run(
        name=name,
        times=rows[:, roles.time],
        states=rows[:, roles.states],
        inputs=rows[:, roles.settings],
        derivatives=derivatives if any(measured) else None,
    )


def _clock(run: Run, roles: Roles) -> tuple[FloatArray, str]:
    """The times of a run, and what was done to them; nothing where laws may depend on them."""
    return (run.times, "") if TIME in roles.inputs else clocked(run.times)


def _is_motion(run: Run) -> bool:
    """Whether every variable was measured at two times."""
    return bool(np.all(np.isfinite(run.states).sum(axis=0) >= 2))


def _check_measured(runs: Sequence[Run], roles: Roles) -> None:
    """Every variable and input has a value somewhere."""
    if not runs:
        raise DataFileError(f"{roles.place} has no samples; give a line for each, below the names")
    states, inputs = ([getattr(run, each) for run in runs] for each in ("states", "inputs"))
    for names, values in ((roles.names, states), (roles.inputs, inputs)):
        known = np.isfinite(np.concatenate(values)).any(axis=0)
        for name in (name for name, is_known in zip(names, known, strict=True) if not is_known):
            raise DataFileError(f"{roles.place} has no value of {name}; remove its column")


def _rates(run: Run) -> FloatArray:
    return np.zeros_like(run.states) if run.derivatives is None else run.derivatives


def _check_sizes(runs: Sequence[Run], roles: Roles) -> None:
    """Laws can be reckoned with what was measured."""
    names = (TIME, *roles.names, *roles.inputs, *(f"d{name}" for name in roles.names))
    columns = [(run.times[:, None], run.states, run.inputs, _rates(run)) for run in runs]
    samples = [np.concatenate(each, axis=1) for each in columns]
    sizes = np.nan_to_num(np.abs(np.concatenate(samples))).max(axis=0)
    for name, size in zip(names, sizes.tolist(), strict=True):
        if size and is_extreme(size):
            raise DataFileError(f"{roles.place}: {name} goes to {size:g}; {OTHER_UNITS}")


def _filled(run: Run, roles: Roles) -> Run:
    """The run with inputs at every time, on straight lines between those that were measured."""
    inputs = run.inputs.copy()
    for index, name in enumerate(roles.inputs):
        known = np.isfinite(inputs[:, index])
        if not known.any():
            raise DataFileError(
                f"{roles.place}: the input {name} has no value in run {run.name}; give it, or "
                "leave the run out"
            )
        inputs[:, index] = np.interp(run.times, run.times[known], inputs[known, index])
    return replace(run, inputs=inputs)


# What is said


def _notes(
    runs: Sequence[Run], idle: Sequence[str], repeated: Sequence[str], silent: int, roles: Roles
) -> Iterator[str]:
    if idle:
        yield f"{_named(idle)} left out: not every variable was measured at two times"
    if repeated:
        yield f"{_named(repeated)}: where a time stands more than once, the mean is taken"
    if silent:
        yield f"samples without a value of any variable are left out: {silent:,}"
    yield from _missing(runs, roles)
    uneven = [run.name for run in runs if not is_even(run.times)]
    if uneven:
        yield f"{_named(uneven)}: the times are uneven, and taken as they are"
    for run in runs:
        for before, after in gaps(run.times):
            yield f"run {run.name}: nothing was measured between {before:g} and {after:g}"
    rates = [
        name for name, at in zip(roles.names, roles.derivatives, strict=True) if at is not None
    ]
    if rates:
        which = ", ".join(f"d{name}" for name in rates)
        yield f"{which}: taken as measured derivatives of {', '.join(rates)}"


def _clocks(runs: Sequence[Run], clocks: Sequence[tuple[FloatArray, str]]) -> Iterator[str]:
    """What was done to times, once for all runs of which it is the same."""
    done: dict[str, list[str]] = {}
    for run, (_, what) in zip(runs, clocks, strict=True):
        done.setdefault(what, []).append(run.name)
    yield from (f"{_named(names)}: times {what}" for what, names in done.items() if what)


def _missing(runs: Sequence[Run], roles: Roles) -> Iterator[str]:
    """What was not measured at some times."""
    samples = sum(len(run.times) for run in runs)
    for names, field, remedy in (
        (roles.names, "states", "nothing is put in their place"),
        (roles.inputs, "inputs", "straight lines between its neighbours are put in their place"),
    ):
        values = np.concatenate([getattr(run, field) for run in runs])
        counts = np.sum(~np.isfinite(values), axis=0)
        for name, count, column in zip(names, counts, values.T, strict=True):
            if count:
                yield f"{name}: {count:,} of {samples:,} values are missing; {remedy}"
            if (number := nines_in(column)) is not None:
                yield (
                    f"{name}: {number:g} stands far from all other values; write nan if nothing "
                    "was measured there"
                )


def _named(runs: Sequence[str]) -> str:
    """The runs a note is of.

    >>> _named(["a", "b"]), _named(["a", "b", "c", "d", "e"])
    ('runs a, b', 'runs a, b, c and 2 more')
    """
    shown, more = ", ".join(runs[:LISTED]), len(runs) - LISTED
    return f"run{'s' * (len(runs) > 1)} {shown}" + (f" and {more} more" if more > 0 else "")
