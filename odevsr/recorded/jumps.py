"""Runs parted where inputs jump: what these were between two samples nobody knows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.world.recordings.runs import Recordings, Run
from odevsr.world.recordings.smooth import FEWEST

AROUND = 3
"""Steps before and behind a jump"""
SUDDEN = 10.0
"""that are all smaller by this factor;"""
LARGE = 0.02
"""and by how much of its range an input jumps, at least."""
USUAL = 16
"""Samples of a part on average: where inputs jump more often, runs are left whole."""


def parted(recordings: Recordings) -> Recordings:
    """The same with each run in parts, from jump to jump; a note says so."""
    if not recordings.inputs:
        return recordings
    parts = tuple(part for run in recordings.runs for part in _parts(run))
    if parts == recordings.runs:
        return recordings
    notes = (*recordings.notes, _note(recordings, parts))
    return replace(recordings, runs=parts, notes=notes)


def _note(whole: Recordings, parts: Sequence[Run]) -> str:
    """What jumps, and how much is left out with short parts."""
    cut = [run for run in whole.runs if run not in parts]
    names = [
        name
        for index, name in enumerate(whole.inputs)
        if any(jumps(run.times, run.inputs[:, index]).any() for run in cut)
    ]
    verb = "jump" if len(names) > 1 else "jumps"
    note = f"{' and '.join(names)} {verb}: runs end and begin there, {len(parts)} in all"
    left_out = _samples(whole.runs) - _samples(parts)
    if left_out:
        note += f"; samples left out with parts of fewer than {FEWEST}: {left_out:,}"
    return note


def _samples(runs: Sequence[Run]) -> int:
    return sum(len(run.times) for run in runs)


def _parts(run: Run) -> Iterator[Run]:
    """The run from jump to jump, where that is long enough to tell noise from motion."""
    bounds = _bounds(run)
    if len(bounds) == 2:
        yield run
        return
    for number, (first, last) in enumerate(pairwise(bounds)):
        if last - first >= FEWEST:
            yield replace(run.part(slice(first, last)), name=f"{run.name}.{number}")


def _bounds(run: Run) -> list[int]:
    """Where the parts of a run begin, and where it ends.

    A part in which a variable was measured too rarely goes on beyond the jump.
    """
    sudden = np.any([jumps(run.times, column) for column in run.inputs.T], axis=0)
    begins, end = [0], len(run.times)
    jumped = (np.flatnonzero(sudden) + 1).tolist()
    if end < USUAL * (len(jumped) + 1):
        return [0, end]
    measured = np.pad(np.cumsum(np.isfinite(run.states), axis=0), ((1, 0), (0, 0)))

    def is_part(first: int, last: int) -> bool:
        is_short = last - first < FEWEST
        return bool(is_short or np.min(measured[last] - measured[first]) >= FEWEST)

    for jump in jumped:
        if is_part(begins[-1], jump):
            begins.append(jump)
    while len(begins) > 1 and not is_part(begins[-1], end):
        begins.pop()
    return [*begins, end]


def jumps(times: FloatArray, column: FloatArray) -> BoolArray:
    """Between which samples (N - 1,) an input jumps, per time and per step.

    Over a gap all change much, and noise per time where samples are close.

    >>> jumps(np.arange(8.0), np.array([0.0, 0.1, 0.2, 0.3, 4.0, 4.1, 4.2, 4.3])).nonzero()[0]
    array([3])
    """
    steps = np.abs(np.diff(column))
    is_sudden = _are_sudden(steps) & _are_sudden(steps / np.diff(times))
    return np.asarray(is_sudden & (steps > LARGE * np.ptp(column)))


def _are_sudden(changes: FloatArray) -> BoolArray:
    """Which changes are much larger than all around them."""
    near = np.lib.stride_tricks.sliding_window_view(np.pad(changes, AROUND), 2 * AROUND + 1).copy()
    near[:, AROUND] = 0.0
    return np.asarray(changes > SUDDEN * near.max(axis=1))
