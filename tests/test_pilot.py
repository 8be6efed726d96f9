"""Pilot launches: what is no simulator is refused, and what scatters is said to."""

import json

import numpy as np
import pytest

from odevsr.errors import SimulationError
from odevsr.world.box import box_of, plain_box
from odevsr.world.experiments.oracle import World
from odevsr.world.pilot.pilot import explore, pilot_from_json
from odevsr.world.ranges import Range

BOX = plain_box([[-2.0, 2.0], [-1.0, 1.0]])


def explored(launch):
    return explore(World(("x", "y"), BOX, launch), "central", np.random.default_rng(0))


def decay(states, step):
    return states * np.exp(-np.broadcast_to(step, len(states)))[:, None]


def test_a_function_that_returns_derivatives_is_refused():
    with pytest.raises(SimulationError, match="not derivatives"):
        explored(lambda states, step: 3.0 - states)


def test_a_simulator_that_does_not_heed_the_step_is_refused():
    with pytest.raises(SimulationError, match="heed the time"):
        explored(lambda states, step: 0.99 * states)


def test_a_simulator_that_stops_after_some_time_is_measured_before_it_does():
    pilot = explored(lambda states, step: decay(states, np.clip(step, -0.01, 0.01)))
    assert max(each.step for each in pilot.calibrations) < 0.01


def test_steps_that_are_too_long_for_a_simulator_may_raise():
    def brief(states, step):
        if np.max(np.abs(step)) > 0.05:
            raise SimulationError("too long")
        return decay(states, step)

    assert max(each.step for each in explored(brief).calibrations) < 0.05


def test_a_simulator_that_gives_up_for_good_says_why():
    calls = []

    def tired(states, step):
        calls.append(step)
        if len(calls) > 30:
            raise SimulationError("no licence left")
        return decay(states, step)

    with pytest.raises(SimulationError, match="no licence left"):
        explored(tired)


def test_states_that_are_put_elsewhere_at_once_are_left_out_of_the_ranges():
    pilot = explored(lambda states, step: np.minimum(decay(states, step), 1.0))
    assert pilot.box.high[0] < 1.5
    assert any("fails at some states" in each for each in pilot.warnings)


@pytest.mark.parametrize("cap", [-0.2, 1.0, 1.8, 1.95])
def test_a_clamp_leaves_no_blur_on_the_states_it_does_not_meet(cap):
    pilot = explored(lambda states, step: np.minimum(decay(states, step), cap))
    assert pilot.box.high[0] <= cap or pilot.coverage < 1
    assert pilot.calibrations[0].state_error == 0


def test_a_simulator_that_repeats_itself_gets_no_warning():
    assert explored(decay).warnings == ()


def test_a_simulator_that_scatters_is_said_to_and_still_runs_backwards():
    rng = np.random.default_rng(1)

    def scattered(states, step):
        return decay(states, step) + 1e-3 * rng.standard_normal(states.shape)

    pilot = explored(scattered)
    assert pilot.difference == "central"
    assert any("does not repeat itself" in each for each in pilot.warnings)
    assert all(each.state_error > 1e-4 for each in pilot.calibrations)


@pytest.mark.parametrize("rate", [1e-20, 1e12, 1e30])
def test_derivatives_may_have_any_size(rate):
    pilot = explored(lambda states, step: decay(states, rate * np.asarray(step)))
    assert pilot.warnings == ()
    assert pilot.calibrations[0].size == pytest.approx(rate, rel=0.5)


def test_that_nothing_moves_is_said():
    (warning,) = explored(lambda states, step: states.copy()).warnings
    assert warning.startswith("nothing moves, not even in a time of 1e+1")


def test_a_simulator_that_counts_its_calls_is_said_to_and_has_errors():
    calls = iter(range(10**6))
    pilot = explored(lambda states, step: decay(states, step) + 1e-7 * next(calls))
    assert any("remembers what it did before" in each for each in pilot.warnings)
    assert all(each.state_error >= 1e-7 for each in pilot.calibrations)
    assert not any(each.is_noisy for each in pilot.calibrations)


def test_a_variable_that_hardly_varies_is_told_of():
    box = box_of([Range(300, 300.03), Range(1, 2)])
    pilot = explore(World(("x", "y"), box, decay), "central", np.random.default_rng(0))
    assert pilot.warnings == ("x is varied by only 0.01 % of its value",)


def test_a_pilot_comes_back_from_json_with_scales_and_domains_or_as_it_was_once_written():
    box = box_of([Range(1, 1000), Range(-1, 1, domain=(-1, 2))])
    pilot = explore(World(("x", "y"), box, decay), "central", np.random.default_rng(0))
    stored = json.loads(json.dumps(pilot.to_json(), allow_nan=False))
    assert pilot_from_json(stored) == pilot
    earlier = stored | {"box": [[1.0, 1000.0], [-1.0, 1.0]]}
    assert pilot_from_json(earlier).box == plain_box([[1, 1000], [-1, 1]])


def test_a_variable_of_any_size_may_rest_while_another_moves():
    box = plain_box([[0.0, 1e30], [0.0, 1.0]])
    world = World(
        ("x", "y"), box, lambda states, step: decay(states * [0.0, 1.0], step) + states * [1.0, 0.0]
    )
    resting, moving = explore(world, "central", np.random.default_rng(0)).calibrations
    assert resting.size == 0.0 < moving.size
