"""Searches in recordings that find what they are told, at once."""

import numpy as np

from odevsr.recorded.discover import RecordedLaws
from tests.exports import found


def laws_given(laws):
    """In place of `discover_recordings`: these laws of the variables, in their order."""

    def discover_recordings(recordings, *, seed, hold_out, on_event):
        names = (*recordings.names, *recordings.inputs)
        states = np.concatenate([np.hstack([run.states, run.inputs]) for run in recordings.runs])
        ranges = zip(states.min(axis=0).tolist(), states.max(axis=0).tolist(), strict=True)
        equations = found(dict(zip(recordings.names, laws, strict=True)), names).equations
        return RecordedLaws(names, tuple(ranges), equations, recordings.notes, 0.0)

    return discover_recordings
