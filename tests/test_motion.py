"""Discovered laws in motion, with inputs and time."""

import numpy as np
import pytest

from odevsr.discovery import motion as module
from odevsr.discovery.motion import motion
from odevsr.errors import SimulationError, UsageError
from odevsr.language.parse import parse
from odevsr.world.trajectories.integrate import Bounds

TIMES = np.linspace(0.0, 3.0, 13)


def moved(laws, names, start, times=TIMES, **inputs):
    parsed = {variable: parse(text, names) for variable, text in laws.items()}
    return motion(parsed, names, start, times, inputs)


def test_an_input_keeps_the_value_it_is_given():
    states = moved({"x": "-x + u"}, ("x", "u"), [2.0], u=0.5)
    assert states.shape == (13, 1)
    np.testing.assert_allclose(states[:, 0], 0.5 + 1.5 * np.exp(-TIMES), atol=1e-8)


def test_an_input_may_change_in_time():
    states = moved({"x": "u"}, ("x", "u"), [1.0], u=np.cos)
    np.testing.assert_allclose(states[:, 0], 1.0 + np.sin(TIMES), atol=1e-8)


def test_time_runs_from_the_first_of_the_times():
    states = moved({"x": "2*t"}, ("x", "t"), [0.0], TIMES + 1.0)
    np.testing.assert_allclose(states[:, 0], (TIMES + 1.0) ** 2 - 1.0, atol=1e-8)


def test_states_stand_in_the_order_of_the_laws_whatever_stands_between():
    states = moved({"x": "v", "v": "-x + 0*u"}, ("x", "u", "v"), [1.0, 0.0], u=0.0)
    np.testing.assert_allclose(states, np.stack([np.cos(TIMES), -np.sin(TIMES)], 1), atol=1e-8)


@pytest.mark.parametrize(
    ("start", "inputs", "sentence"),
    [
        ([1.0], {}, r"u has neither an equation nor a value.*inputs=\{'u': 0\.5\}"),
        ([1.0], {"u": 1.0, "w": 2.0}, "'w' is no input"),
        ([1.0], {"u": 1.0, "x": 2.0}, "'x' is no input"),
        ([1.0], {"u": 1.0, "t": 2.0}, "'t' is no input"),
        ([1.0, 1.0], {"u": 1.0}, "a number for each of x"),
    ],
)
def test_what_does_not_belong_together_is_refused(start, inputs, sentence):
    with pytest.raises(UsageError, match=sentence):
        moved({"x": "-x + u*t"}, ("x", "u", "t"), start, **inputs)


@pytest.mark.parametrize(
    "times", [1.0, [], [[0.0, 1.0]], [0.0, 2.0, 1.0], [0.0, float("nan")], [0.0, float("inf")]]
)
def test_times_that_are_no_row_in_order_are_refused(times):
    with pytest.raises(UsageError, match="times are a row of numbers in order"):
        moved({"x": "-x"}, ("x",), [1.0], times)


@pytest.mark.parametrize("start", ["abc", [[1.0], [1.0, 2.0]]])
def test_a_start_that_is_no_numbers_is_refused(start):
    with pytest.raises(UsageError, match="a start must be numbers"):
        moved({"x": "-x"}, ("x",), start)


@pytest.mark.parametrize("start", [[[1.0]], [float("nan")], 1.0])
def test_a_start_of_another_shape_is_refused(start):
    with pytest.raises(UsageError, match="a number for each of x"):
        moved({"x": "-x"}, ("x",), start)


def test_at_one_time_the_state_is_the_start():
    assert moved({"x": "-x"}, ("x",), [2.0], [5.0]).tolist() == [[2.0]]
    assert moved({"x": "-x"}, ("x",), [2.0], [5.0, 5.0]).tolist() == [[2.0], [2.0]]


def test_times_may_run_backwards():
    states = moved({"x": "2*t"}, ("x", "t"), [9.0], -TIMES + 3.0)
    np.testing.assert_allclose(states[:, 0], (3.0 - TIMES) ** 2, atol=1e-8)


@pytest.mark.parametrize(("law", "end"), [("x**2", "1"), ("-sqrt(x - 0.5) - 0.1", "")])
def test_laws_that_lead_nowhere_say_how_far_they_can_be_followed(law, end):
    with pytest.raises(SimulationError, match=f"cannot be followed beyond time {end}"):
        moved({"x": law}, ("x",), [1.0], [0.0, 3.0])


def test_laws_whose_steps_shrink_for_ever_are_given_up(monkeypatch):
    monkeypatch.setattr(module, "BOUNDS", Bounds(steps=500))
    with pytest.raises(
        SimulationError, match=r"beyond time .*: it takes more steps or CPU seconds"
    ):
        moved({"x": "exp(t)*cos(exp(t))"}, ("x", "t"), [0.0], [0.0, 50.0])


def test_stiff_laws_move_as_they_should():
    states = moved({"x": "-1e8*(x - cos(t))"}, ("x", "t"), [0.0])
    np.testing.assert_allclose(states[1:, 0], np.cos(TIMES[1:]), atol=1e-7)


def test_an_input_may_be_sampled():
    samples = ([-1.0, 1.0, 3.0], [1.0, 1.0, 3.0])
    states = moved({"x": "u"}, ("x", "u"), [0.0], [0.0, 1.0, 2.0, 3.0], u=samples)
    np.testing.assert_allclose(states[:, 0], [0.0, 1.0, 2.5, 5.0], atol=1e-8)
    back = moved({"x": "u"}, ("x", "u"), [5.0], [3.0, 1.0, 0.0], u=np.array(samples))
    np.testing.assert_allclose(back[:, 0], [5.0, 1.0, 0.0], atol=1e-8)


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("much", "the input u must be numbers"),
        ([1.0, 2.0, 3.0], "the input u is a number, a function of time, or samples"),
        (([0.0, 1.0], [1.0]), "two rows of the same length"),
        (([0.0, 3.0, 2.0], [1.0, 1.0, 1.0]), "times that grow"),
        (([0.0, 2.0], [1.0, 1.0]), "from 0 to 2; give them for all times, 0 to 3"),
    ],
)
def test_an_input_that_is_none_is_refused(value, sentence):
    with pytest.raises(UsageError, match=sentence):
        moved({"x": "u"}, ("x", "u"), [0.0], u=value)
