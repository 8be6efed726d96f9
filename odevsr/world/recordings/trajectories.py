"""Recordings in our own HDF5 files: their samples alone, for their equations are the answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from odevsr.world.recordings.columns import columns_source
from odevsr.world.recordings.headings import RUN
from odevsr.world.recordings.pieces import Source
from odevsr.world.systems.checks import TIME
from odevsr.world.trajectories.store import load_trajectories


def trajectory_source(path: Path, inputs: Sequence[str]) -> Source:
    """The trajectories in a file as runs 0, 1, ...; inputs of its system are inputs here, too.

    Derivatives in the file are differences of the states, and not taken for measured.
    """
    recording = load_trajectories(path)
    system, runs = recording.system, recording.trajectories
    states = np.concatenate([run.states for run in runs])
    columns = {RUN: np.repeat(np.arange(len(runs)), [len(run.time) for run in runs])}
    columns[TIME] = np.concatenate([run.time for run in runs])
    columns |= dict(zip(system.names, states.T, strict=True))  # an input t is the time itself
    named = tuple(dict.fromkeys((*system.inputs, *inputs)))
    return columns_source(columns, named, str(path))
