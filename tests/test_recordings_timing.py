"""Times of recordings: counted from the first where they are late, even where they were rounded."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import odevsr
from odevsr.world.recordings.timing import clocked


@given(
    step=st.floats(1e-3, 10.0),
    start=st.sampled_from([0.0, 2.5, 1.7e9]),
    digits=st.integers(1, 3),
    count=st.integers(10, 300),
)
def test_even_times_that_were_rounded_are_even_again(step, start, digits, count):
    decimals = digits - math.floor(math.log10(step))
    times, _ = clocked(np.round(start + step * np.arange(count), decimals))
    tolerance = 3 * 10.0**-decimals / count + 4 * np.spacing(start)
    assert np.diff(times) == pytest.approx(np.full(count - 1, step), abs=tolerance)


def test_times_that_numbers_can_hold_stay_as_they_are():
    for times in (np.linspace(0, 10, 512), np.geomspace(1, 100, 30), np.array([0.0, 1.0])):
        assert clocked(times)[0] is times
        assert clocked(times)[1] == ""


def test_uneven_times_stay_uneven():
    times = np.sort(np.random.default_rng(0).uniform(0, 10, 50))
    assert (clocked(times)[0] == times).all()
    late, done = clocked(1.7e9 + times)
    assert late == pytest.approx(times - times[0], abs=1e-6)
    assert done == "count from the first"


def test_a_gap_in_rounded_times_stays_one():
    times = np.delete(np.round(np.arange(300) / 30, 3), slice(100, 130))
    even, done = clocked(times)
    assert np.max(np.diff(even)) == pytest.approx(31 / 30, abs=1e-4)
    assert done == "are rounded, and taken as even"


def test_what_was_done_to_times_is_said_once_for_all_runs():
    times = np.round(1.7e9 + np.arange(40) / 30, 3)
    both = odevsr.recording(times, [np.exp(-np.arange(40.0))[:, None]] * 2)
    said = [note for note in both.notes if "times" in note]
    assert len(said) == 2  # one a part, joined from two recordings
    assert all("count from the first and are rounded, and taken as even" in note for note in said)
