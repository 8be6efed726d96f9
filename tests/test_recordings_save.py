"""Recordings that are written and read again."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from odevsr.world.recordings.files import read_recordings
from odevsr.world.recordings.runs import Recordings, Run
from odevsr.world.recordings.save import save_recordings

NUMBERS = st.floats(-1e60, 1e60)


@given(
    states=arrays(float, (4, 2), elements=st.one_of(NUMBERS, st.just(np.nan))),
    inputs=arrays(float, (4, 1), elements=NUMBERS),
)
def test_what_is_written_is_read_again_to_the_last_digit(tmp_path_factory, states, inputs):
    states = np.concatenate([states, [[0.0, 1.0], [1.0, 0.0]]])
    states[:, 0] = np.nan_to_num(states[:, 0])
    inputs = np.concatenate([inputs, [[0.0], [1.0]]])
    run = Run("a, b", np.arange(6.0) / 3, states, inputs, -states)
    path = tmp_path_factory.mktemp("saved") / "folder" / "runs.csv"
    save_recordings(path, Recordings(("x", "y"), (run,), ("u",), {"x": "m"}))
    read = read_recordings(path, inputs="u")
    (again,) = read.runs
    assert (again.name, read.units) == ("a, b", {"x": "m"})
    for name in ("times", "states", "inputs", "derivatives"):
        np.testing.assert_array_equal(getattr(again, name), getattr(run, name))


@pytest.mark.parametrize("step", [1.0, 0.005])
def test_late_runs_in_which_time_is_an_input_keep_the_phase_between_them(tmp_path, step):
    starts = (1.7e9, 1.7e9 + 7.3, 86_400.0)
    clocks = [start + step * np.arange(40) for start in starts]
    times = np.concatenate(clocks)
    names = np.repeat(["a", "b", "c"], 40)
    given = tmp_path / "given.npz"
    np.savez(given, run=names, t=times, x=np.sin(times))
    read = read_recordings(given, inputs="t")
    save_recordings(tmp_path / "saved.csv", read)
    for recordings in (read, read_recordings(tmp_path / "saved.csv", inputs="t")):
        for run, clock in zip(recordings.runs, clocks, strict=True):
            np.testing.assert_array_equal(run.times, clock)
            np.testing.assert_array_equal(run.inputs[:, 0], clock)
