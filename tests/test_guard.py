"""Simulators that misbehave, kept from doing harm."""

import json
import os
import threading
import time
from pathlib import Path

import numpy as np
import pytest
import simulators
from command import odevsr

from odevsr import discover
from odevsr.errors import OdevsrError, SimulationError
from odevsr.world.simulators.guard import HangingError, guarded, in_time
from odevsr.world.simulators.simulator import simulator

TESTS = str(Path(__file__).parent)
STATES = np.array([[0.5, 0.5], [0.25, 0.5], [1.0, 0.2]])


def returning(change):
    return guarded(simulator(x=(0, 1), y=(0, 1))(lambda states, steps: change(states)))


def test_single_states_are_to_blame_when_a_call_raises():
    launch = guarded(simulators.fails_below_zero)
    states = np.array([[0.5, 0.5], [-0.5, 0.5], [1.0, 0.2]])
    ends = launch(states, 0.1)
    assert np.isfinite(ends).all(axis=1).tolist() == [True, False, True]
    assert np.allclose(ends[0], [0.3, 0.5 * np.exp(0.05 - 0.01)])


def test_what_a_simulator_does_to_its_arguments_stays_with_it():
    @simulator(x=(0, 1))
    def spoils(states, steps):
        states += 1
        steps *= 0
        return states

    states, steps = np.zeros((3, 1)), np.ones(3)
    assert guarded(spoils)(states, steps).tolist() == [[1.0]] * 3
    assert not states.any()
    assert steps.all()


def test_a_call_in_time_returns_or_raises_what_it_does():
    assert in_time(lambda: 7, 10) == 7
    with pytest.raises(ZeroDivisionError):
        in_time(lambda: 1 / 0, 10)


def test_inputs_come_by_name_and_stay_as_they_are_set_but_time_runs():
    asked = []

    @simulator(x=(0, 1), inputs={"u": (2, 3), "t": (0, 9)})
    def rests(states, steps, u, t):
        asked.append((states.tolist(), u.tolist(), t.tolist()))
        u *= 0
        return states

    launch = guarded(rests)
    assert launch(np.array([[0.5, 2.5, 4.0]]), 0.25).tolist() == [[0.5, 2.5, 4.25]]
    assert asked == [([[0.5]], [2.5], [4.0])]


def test_without_a_time_limit_a_call_is_waited_for():
    assert in_time(lambda: 7, float("inf")) == 7


@pytest.mark.parametrize(
    "change",
    [
        lambda states: states.astype(np.float32),
        lambda states: states.tolist(),
        lambda states: states.astype(object),
        lambda states: states + 0j,
        lambda states: np.asfortranarray(states),
        lambda states: [tuple(state) for state in states],
    ],
)
def test_states_are_taken_in_any_dress(change):
    ends = returning(change)(STATES, 0.1)
    assert ends.dtype == np.float64
    np.testing.assert_allclose(ends, STATES, rtol=1e-6)


def test_infinite_states_are_no_states():
    ends = returning(lambda states: states * np.inf)(STATES, 0.1)
    assert np.isnan(ends).all()


def test_whole_numbers_are_numbers():
    assert returning(lambda states: np.ones_like(states, int))(STATES, 0.1).tolist() == [[1, 1]] * 3


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda states: states + 1j, "returned complex numbers"),
        (lambda states: None, "returned None, not states"),
        (lambda states: (state for state in states), "returned a generator"),
        (lambda states: states.astype(str), "returned a ndarray"),
        (lambda states: {"x": states}, "returned a dict"),
        (lambda states: [[1.0], [1.0, 2.0]], "returned a list"),
        (lambda states: states.T, r"shape \(2, 1\) for states \(1, 2\)"),
        (lambda states: states[:0], r"shape \(0, 2\) for states \(1, 2\)"),
        (lambda states: states[..., None], r"shape \(1, 2, 1\)"),
    ],
)
def test_what_are_no_states_is_refused(change, sentence):
    with pytest.raises(SimulationError, match=sentence):
        returning(change)(STATES, 0.1)


def test_one_variable_may_come_as_a_row():
    launch = guarded(simulator(x=(0, 1))(lambda states, steps: states[:, 0] + steps))
    assert launch(np.array([[0.0], [1.0]]), 0.5).tolist() == [[0.5], [1.5]]


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit(3), GeneratorExit])
def test_what_would_end_the_program_is_an_error_of_the_simulator(error):
    @simulator(x=(0, 1))
    def ends(states, steps):
        raise error

    with pytest.raises(SimulationError, match="which ends programs; have it return nan"):
        discover(ends)


def test_a_simulator_that_ends_the_process_is_told_of():
    leave = os._exit

    @simulator(x=(0, 1))
    def ends(states, steps):
        os._exit(0)

    with pytest.raises(SimulationError, match=r"called os\._exit, which ends programs"):
        discover(ends)
    assert os._exit is leave


def test_the_time_allowed_is_that_of_each_state():
    @simulator(x=(0, 1))
    def slow(states, steps):
        time.sleep(0.05 * len(states))
        return states

    assert len(guarded(slow, 0.2)(np.zeros((8, 1)), 0.1)) == 8


def test_a_simulator_that_hangs_is_noticed_after_the_time_of_one_state():
    forever = threading.Event()
    hanging = simulator(x=(0, 1))(lambda states, steps: forever.wait())
    with pytest.raises(HangingError, match=r"did not return within 0\.05 seconds"):
        guarded(hanging, 0.05)(np.zeros((1000, 1)), 0.1)
    forever.set()


def test_each_state_is_launched_once():
    asked = []

    @simulator(x=(0, 1))
    def counts(states, steps):
        asked.extend(states[:, 0])
        return states

    launch = guarded(counts)
    launch(np.arange(5.0)[:, None], 0.1)
    launch(np.arange(5.0, 9.0)[:, None], 0.1)
    assert asked == list(range(9))


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_a_simulator_prints_by_any_way_stays_out_of_the_result(jobs):
    words = ("discover", "simulators:prints_by_all_means", "--jobs", jobs, "--json")
    done = odevsr(*words, PYTHONPATH=TESTS)
    found = json.loads(done.stdout)
    assert [each["expression"] for each in found["equations"]] == ["-2", "2"]
    assert "printed" in done.stderr
    assert "written" in done.stderr


def test_the_death_of_a_process_is_told_with_its_cause():
    with pytest.raises(OdevsrError, match=r"exit code 5.*calls os\._exit"):
        discover("simulators:dies_elsewhere", jobs=2)
