"""Runs parted where inputs jump."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from odevsr.language.text import to_text
from odevsr.recorded.discover import discover_recordings
from odevsr.recorded.jumps import jumps, parted
from odevsr.vertical.equation import Status
from odevsr.world.recordings.runs import Recordings, Run

TIMES = np.linspace(0, 20, 400)
LEVELS = (0.0, 1.0, -0.5, 2.0)


def relaxing(noise):
    """x' = u - x, where u has one level in each quarter of the run and jumps between samples."""
    switched = [0.0, *((TIMES[k - 1] + TIMES[k]) / 2 for k in (100, 200, 300)), 20.0]
    state, path = [1.0], []
    for level, span in zip(LEVELS, pairwise(switched), strict=True):
        within = (span[0] <= TIMES) & (span[1] >= TIMES)
        solved = solve_ivp(
            lambda _t, x, u=level: u - x, span, state, dense_output=True, rtol=1e-11, atol=1e-12
        )
        path.append(solved.sol(TIMES[within])[0])
        state = solved.y[:, -1]
    states = np.concatenate(path)[:, None]
    states = states * (1 + noise * np.random.default_rng(0).standard_normal(states.shape))
    run = Run("only", TIMES, states, np.repeat(LEVELS, 100)[:, None])
    return Recordings(("x",), (run,), inputs=("u",))


@given(
    places=st.lists(st.integers(1, 8), min_size=1, max_size=3, unique=True),
    slope=st.floats(-1, 1),
)
def test_a_smooth_input_jumps_where_steps_were_added_and_nowhere_else(places, slope):
    times = np.linspace(0, 1, 200)
    column = np.sin(5 * times) + slope * times
    for place in places:
        column = column + 3.0 * (np.arange(200) > 20 * place)
    assert np.flatnonzero(jumps(column)).tolist() == sorted(20 * place for place in places)


@pytest.mark.parametrize("column", [np.sin(TIMES), np.zeros(400), np.sign(np.sin(40 * TIMES))])
def test_a_run_is_left_whole_if_its_input_never_jumps_or_all_the_time(column):
    recordings = relaxing(0.0)
    run = replace(recordings.runs[0], inputs=column[:, None])
    whole = replace(recordings, runs=(run,))
    assert parted(whole) is whole


def test_parts_hold_all_samples_and_a_note_says_so():
    parts = parted(relaxing(0.0))
    assert np.concatenate([run.times for run in parts.runs]).tolist() == TIMES.tolist()
    assert parts.notes == ("u jumps: runs end and begin there, 4 in all",)


@pytest.mark.parametrize("noise", [0.0, 0.02])
def test_the_law_of_a_system_whose_input_jumps_is_identified(noise):
    found = discover_recordings(relaxing(noise))
    assert [each.status for each in found.equations] == [Status.IDENTIFIED]
    assert to_text(found.equations[0].expression) == "u - x"
