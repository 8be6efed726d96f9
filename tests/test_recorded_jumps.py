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


def driven_by(column, times=TIMES):
    """A run of some motion with this input."""
    run = Run("only", times, np.cos(times)[:, None], column[:, None])
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
    assert np.flatnonzero(jumps(times, column)).tolist() == sorted(20 * place for place in places)


@pytest.mark.parametrize("column", [np.sin(TIMES), np.zeros(400), np.sign(np.sin(40 * TIMES))])
def test_a_run_is_left_whole_if_its_input_never_jumps_or_all_the_time(column):
    whole = driven_by(column)
    assert parted(whole) is whole


@pytest.mark.parametrize("column", [lambda t: np.sin(0.3 * t), lambda t: t, np.zeros_like])
def test_a_smooth_input_does_not_jump_over_a_gap(column):
    times = np.where(TIMES < 10, TIMES, TIMES + 4)
    whole = driven_by(column(times), times)
    assert parted(whole) is whole


def test_an_input_that_was_set_anew_in_a_gap_jumps():
    times = np.where(TIMES < 10, TIMES, TIMES + 4)
    assert len(parted(driven_by(np.where(times < 12, 0.0, 1.0), times)).runs) == 2


def test_parts_hold_all_samples_and_a_note_says_so():
    parts = parted(relaxing(0.0))
    assert np.concatenate([run.times for run in parts.runs]).tolist() == TIMES.tolist()
    assert parts.notes == ("u jumps: runs end and begin there, 4 in all",)


def test_a_run_is_parted_though_all_but_one_part_is_too_short_to_be_kept():
    parts = parted(driven_by(np.where(np.arange(400) < 5, 0.0, 1.0)))
    assert [run.times.tolist() for run in parts.runs] == [TIMES[5:].tolist()]
    assert parts.notes == (
        "u jumps: runs end and begin there, 1 in all; "
        "samples left out with parts of fewer than 12: 5",
    )


def test_a_note_tells_how_many_samples_were_left_out_with_short_parts():
    places = np.arange(400)
    parts = parted(driven_by(np.select([places < 190, places < 200], [0.0, 1.0], 2.0)))
    assert [len(run.times) for run in parts.runs] == [190, 200]
    assert parts.notes[0].endswith("2 in all; samples left out with parts of fewer than 12: 10")


def test_a_note_names_the_inputs_that_jump_and_no_others():
    whole = relaxing(0.0)
    run = whole.runs[0]
    still = replace(run, name="still", inputs=np.zeros((400, 3)))
    columns = np.column_stack([np.sin(TIMES), run.inputs, TIMES > 15])
    several = replace(
        whole, runs=(replace(run, inputs=columns), still), inputs=("smooth", "u", "valve")
    )
    assert parted(several).notes == ("u and valve jump: runs end and begin there, 5 in all",)


@pytest.mark.parametrize("rows", [slice(60, None), slice(0, 340)])
def test_a_part_in_which_a_variable_was_hardly_measured_goes_on_beyond_the_jump(rows):
    whole = relaxing(0.0)
    states = np.column_stack([whole.runs[0].states, np.cos(TIMES)])
    states[rows, 1] = np.nan
    rare = replace(
        whole, names=("x", "y"), runs=(replace(whole.runs[0], states=states),), notes=("kept",)
    )
    assert parted(rare) is rare
    states[:150, 1] = states[250:, 1] = np.cos(TIMES[:150])
    assert [len(run.times) for run in parted(rare).runs] == [100, 100, 100, 100]


@pytest.mark.parametrize("noise", [0.0, 0.02])
def test_the_law_of_a_system_whose_input_jumps_is_identified(noise):
    found = discover_recordings(relaxing(noise))
    assert [each.status for each in found.equations] == [Status.IDENTIFIED]
    assert to_text(found.equations[0].expression) == "u - x"


@pytest.mark.parametrize("seed", range(5))
def test_noise_of_an_input_at_close_times_is_no_jump(seed):
    rng = np.random.default_rng(seed)
    times = np.sort(rng.uniform(0, 20, 300))
    column = np.sin(times) + 0.05 * rng.standard_normal(300)
    assert not jumps(times, column).any()
