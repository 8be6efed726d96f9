"""Recordings from arrays and tables."""

import numpy as np
import pandas
import pytest
import xarray
from hypothesis import given
from hypothesis import strategies as st

from odevsr.errors import DataFileError, UsageError
from odevsr.world.recordings.given import as_recordings, is_recorded, recording

TIMES = np.array([0.0, 0.5, 1.0])
STATES = np.array([[1.0, 2.0], [3.0, 5.0], [4.0, 4.0]])


def test_arrays_are_a_run():
    read = recording(TIMES, STATES, names=["x", "y"], inputs={"u": [0, 1, 0]})
    (run,) = read.runs
    assert (read.names, read.inputs, run.name) == (("x", "y"), ("u",), "0")
    np.testing.assert_array_equal(run.states, STATES)
    assert run.inputs.tolist() == [[0], [1], [0]]
    assert run.derivatives is None


def test_a_list_of_arrays_is_a_run_each_and_a_number_the_step():
    read = recording(0.5, [STATES, STATES[:2]], derivatives=[-STATES, -STATES[:2]])
    assert read.names == ("x0", "x1")
    assert [run.times.tolist() for run in read.runs] == [[0, 0.5, 1], [0, 0.5]]
    np.testing.assert_array_equal(read.runs[1].derivatives, -STATES[:2])


@given(st.integers(1, 3), st.integers(2, 5), st.integers(1, 3))
def test_a_cube_of_numbers_is_a_run_for_each_of_its_planes(runs, samples, variables):
    cube = np.arange(1.0, 1 + runs * samples * variables).reshape(runs, samples, variables)
    read = recording(np.arange(samples), cube)
    np.testing.assert_array_equal([run.states for run in read.runs], cube)


def test_a_run_at_rest_is_kept_beside_one_that_moves():
    read = recording(1.0, [STATES, np.ones((4, 2))])
    assert len(read.runs) == 2
    with pytest.raises(DataFileError, match="x0 is 1 in all samples"):
        recording(1.0, np.ones((4, 1)))


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"names": ["x"]}, "1 names cannot be those of 2 variables"),
        ({"derivatives": STATES[:2]}, r"derivatives \(2, 2\) must have the shape of the states"),
        ({"t": TIMES[:2]}, r"run 0 has columns of different lengths \(t 2, x0 3, x1 3\)"),
        ({"t": TIMES[::-1]}, "run 0, row 2: the time 0.5 comes after 1"),
        ({"inputs": {"u": [1, 2]}}, r"different lengths \(t 3, x0 3, x1 3, u 2\)"),
        ({"states": [STATES, STATES], "t": [TIMES]}, "times are given for 1 runs, and states for"),
        ({"states": "fast"}, "states must be an array of numbers"),
        ({"states": [[1], [2, 3]]}, "states must be an array of numbers"),
        ({"states": 1.0}, r"states of shape \(\) are no run"),
        ({"t": ["a", "b", "c"]}, "run 0, row 1: 'a' in the column t is not a number"),
    ],
)
def test_arrays_that_are_no_recording_are_refused_in_a_sentence(asked, sentence):
    with pytest.raises((UsageError, DataFileError), match=sentence):
        recording(**{"t": TIMES, "states": STATES, **asked})


def test_a_data_frame_is_read_as_a_file_is():
    frame = pandas.DataFrame({"run": [1, 1, 2, 2], "t": [0, 1, 0, 1], "x": [1, 2, 3, 4]})
    for table in (frame, frame.set_index(["run", "t"]), dict(frame)):
        read = as_recordings(table)
        assert [(run.name, run.states[:, 0].tolist()) for run in read.runs] == [
            ("1", [1, 2]),
            ("2", [3, 4]),
        ]
    assert [run.name for run in as_recordings([frame, frame]).runs] == ["1", "2", "1-2", "2-2"]


def test_missing_values_and_dates_of_a_data_frame_are_understood():
    days = pandas.date_range("2024-01-01", periods=3, freq="D", name="time")
    frame = pandas.DataFrame({"x": [1.0, None, 3.0], "u": [0, 0, 1]}, index=days)
    read = as_recordings(frame, "u")
    (run,) = read.runs
    assert read.units == {"t": "s"}
    assert run.times.tolist() == [0, 172_800]
    assert "samples without a value of any variable are left out: 1" in read.notes


def test_xarray_has_runs_and_variables_as_dimensions():
    array = xarray.DataArray(
        np.stack([STATES, 2 * STATES]),
        dims=("run", "time", "component"),
        coords={"time": TIMES, "component": ["x", "y"]},
    )
    data = array.to_dataset(dim="component")
    data["x"].attrs["units"] = "m"
    for each in (array, data):
        read = as_recordings(each)
        assert read.names == ("x", "y")
        np.testing.assert_array_equal([run.states for run in read.runs], array)
    assert read.units == {"x": "m"}
    with pytest.raises(UsageError, match="the dimensions a, b; give time, run and one"):
        as_recordings(xarray.DataArray(STATES, dims=("a", "b")))


def test_recordings_are_told_from_what_can_be_experimented_on():
    assert all(map(is_recorded, ["a.csv", ["a.csv", "b.h5"], recording(1, STATES), {"t": []}]))
    assert not any(map(is_recorded, ["lorenz", "a.toml", len, [], STATES]))


def test_what_is_no_recording_is_refused():
    with pytest.raises(UsageError, match=r"a ndarray is no recording; give odevsr.recording"):
        as_recordings(STATES)
    with pytest.raises(UsageError, match="recordings name their inputs themselves"):
        as_recordings(recording(1, STATES), "u")
    with pytest.raises(DataFileError, match="the table has no column t for the time"):
        as_recordings({"x": [1, 2]})


def test_complex_states_are_refused():
    with pytest.raises(UsageError, match="states are complex numbers"):
        recording([0.0, 1.0], [[1j], [2j]])
