"""Runs parted where inputs jump: what these were between two samples nobody knows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.world.recordings.runs import Recordings, Run

AROUND = 3
"""Steps before and behind a jump"""
SUDDEN = 10.0
"""that are all smaller by this factor;"""
LARGE = 0.02
"""and by how much of its range an input jumps, at least."""
FEWEST = 8
"""Samples of a part that is kept,"""
USUAL = 16
"""and of one on average: where inputs jump more often, runs are left whole."""


def parted(recordings: Recordings) -> Recordings:
    """The same with each run in parts, from jump to jump; a note says so."""
    if not recordings.inputs:
        return recordings
    runs = [part for run in recordings.runs for part in _parts(run)]
    if len(runs) == len(recordings.runs):
        return recordings
    note = (
        f"{' and '.join(_jumping(recordings))} jumps: runs end and begin there, {len(runs)} in all"
    )
    return replace(recordings, runs=tuple(runs), notes=(*recordings.notes, note))


def _jumping(recordings: Recordings) -> list[str]:
    """The inputs that jump."""
    columns = zip(
        recordings.inputs, zip(*(run.inputs.T for run in recordings.runs), strict=True), strict=True
    )
    return [name for name, each in columns if any(jumps(column).any() for column in each)]


def _parts(run: Run) -> Iterator[Run]:
    """The run from jump to jump, if that is long enough to move."""
    sudden = np.any([jumps(column) for column in run.inputs.T], axis=0)
    bounds = [0, *(np.flatnonzero(sudden) + 1).tolist(), len(run.times)]
    if len(run.times) < USUAL * (len(bounds) - 1):
        yield run
        return
    for number, (first, last) in enumerate(pairwise(bounds)):
        if last - first >= FEWEST:
            yield replace(run.part(slice(first, last)), name=f"{run.name}.{number}")


def jumps(column: FloatArray) -> BoolArray:
    """Between which samples (N - 1,) an input jumps.

    >>> jumps(np.array([0.0, 0.1, 0.2, 0.3, 4.0, 4.1, 4.2, 4.3])).nonzero()[0]
    array([3])
    """
    steps = np.abs(np.diff(column))
    padded = np.pad(steps, AROUND)
    near = np.lib.stride_tricks.sliding_window_view(padded, 2 * AROUND + 1).copy()
    near[:, AROUND] = 0.0
    is_sudden = steps > SUDDEN * near.max(axis=1)
    return np.asarray(is_sudden & (steps > LARGE * np.ptp(column)))
