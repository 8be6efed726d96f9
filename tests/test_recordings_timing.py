"""Times of recordings: counted from the first where they are late, even where they were rounded."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import odevsr
from odevsr.world.recordings.timing import ENOUGH, clocked, is_even


@given(
    step=st.floats(1e-3, 10.0),
    start=st.sampled_from([0.0, 2.5, 1.7e9]),
    digits=st.integers(1, 3),
    count=st.integers(ENOUGH, 300),
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


@pytest.mark.parametrize(
    "times",
    [[0, 1, 3], [0, 1, 2.2], [0, 2, 4, 7, 9, 12], np.round(np.arange(ENOUGH - 1) / 3, 2)],
)
def test_of_few_times_nobody_can_tell_whether_they_were_rounded(times):
    assert clocked(np.array(times, dtype=float))[1] == ""


@given(
    pair=st.sampled_from([(2, 3), (3, 4), (0.9, 1.0), (7, 8)]),
    seed=st.integers(0, 2**32 - 1),
)
def test_uneven_steps_of_two_sizes_are_not_taken_for_rounded_ones(pair, seed):
    steps = np.random.default_rng(seed).choice(pair, ENOUGH - 1)
    times = np.append(0.0, np.cumsum(steps)).round(1)
    assert clocked(times)[0] is times


@given(
    step=st.floats(0.3, 3.0),
    start=st.sampled_from([0.0, 2.5, 86_400.0]),
    write=st.sampled_from([np.round, np.floor, np.ceil]),
)
def test_even_times_would_be_written_as_they_were(step, start, write):
    written = write((start + step * np.arange(200)) / 0.01) * 0.01
    even, _ = clocked(written)
    assert is_even(even)
    assert even == pytest.approx(written, abs=0.00502)


def test_late_times_are_even_again_however_few_they_are():
    even, done = clocked(1.7e9 + 0.001 * np.arange(12))
    assert done == "count from the first"
    assert np.ptp(np.diff(even)) < 1e-15


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
