"""Simulators with time steps of their own: the steps are found, and whole ones are measured."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rough_simulators import (
    DECAY,
    PENDULUM,
    counting,
    decay,
    euler,
    forward_only,
    interpolating,
    pendulum,
    swing,
)

from odevsr.errors import SimulationError
from odevsr.world.box import plain_box
from odevsr.world.experiments.launched import LaunchOracle
from odevsr.world.experiments.mesh import random_states
from odevsr.world.experiments.oracle import World
from odevsr.world.pilot.pilot import explore, pilot_from_json
from odevsr.world.pilot.quantum import find_clock

FINEST = np.full(1, 1e-15)
HALVES = {np.floor: 0.5, np.rint: 0.0, np.ceil: -0.5, np.trunc: 0.5}


def explored(launch, box):
    """What is studied, and its pilot."""
    world = World(("x", "y")[: len(box)], box, launch)
    return world, explore(world, "central", np.random.default_rng(0))


def told(world, pilot, component):
    """States, and what an oracle says of them."""
    oracle = LaunchOracle(
        pilot.world(world), component, pilot.calibrations[component], pilot.difference
    )
    states = random_states(pilot.box, 200, np.random.default_rng(1))
    return states, oracle.measure(states)


def measured(launch, box, component=0):
    """The pilot, states, and what an oracle says of them."""
    world, pilot = explored(launch, box)
    return pilot, *told(world, pilot, component)


@settings(deadline=None, max_examples=40)
@given(
    length=st.floats(-6, -1).map(lambda power: 10**power),
    count=st.sampled_from(list(HALVES)),
    seed=st.integers(0, 9),
)
def test_the_length_and_the_kind_of_steps_are_found(length, count, seed):
    states = np.random.default_rng(seed).uniform(-2, 2, (12, 1))
    clock = find_clock(counting(decay, length, count), states, 0.1, FINEST)
    assert clock.quantum == pytest.approx(length, rel=1e-9)
    assert clock.shift / length == pytest.approx(HALVES[count], abs=1e-6)


@settings(deadline=None, max_examples=20)
@given(length=st.floats(-4.5, -1).map(lambda power: 10**power), seed=st.integers(0, 9))
def test_the_ends_of_straight_lines_are_found(length, seed):
    states = np.random.default_rng(seed).uniform(-2, 2, (12, 1))
    clock = find_clock(interpolating(decay, length), states, 0.1, FINEST)
    assert clock.quantum == pytest.approx(length, rel=1e-4)
    assert clock.shift == 0


def test_smooth_motion_has_no_steps():
    states = np.random.default_rng(0).uniform(-2, 2, (12, 1))
    assert find_clock(decay, states, 0.1, FINEST) is None
    straight = lambda states, steps: states + 3 * steps[:, None]  # noqa: E731
    assert find_clock(straight, states, 0.1, FINEST) is None


@pytest.mark.parametrize("length", [1e-6, 1e-3, 1e-1])
@pytest.mark.parametrize("count", HALVES)
def test_derivatives_over_whole_steps_are_right_within_their_errors(length, count):
    world, pilot = explored(counting(pendulum, length, count), PENDULUM)
    for component in (0, 1):
        states, batch = told(world, pilot, component)
        wrong = np.abs(batch.values - swing(states)[:, component])
        assert np.quantile(wrong / batch.errors, 0.9) < 4
        assert np.median(batch.errors) < 0.01
    assert any("of its own: derivatives are taken over whole" in each for each in pilot.warnings)
    assert pilot_from_json(pilot.to_json()) == pilot


@pytest.mark.parametrize("length", [1e-4, 1e-2, 1e-1])
def test_derivatives_at_the_ends_of_straight_lines_are_right_within_their_errors(length):
    pilot, states, batch = measured(interpolating(pendulum, length), PENDULUM, 1)
    wrong = np.abs(batch.values - swing(states)[:, 1])
    assert np.quantile(wrong / batch.errors, 0.9) < 3
    assert any("draws straight lines" in each for each in pilot.warnings)


def test_whole_steps_that_go_forwards_only_are_measured_forwards():
    pilot, states, batch = measured(forward_only(counting(decay, 1e-3)), DECAY)
    assert pilot.difference == "forward"
    assert np.abs(batch.values + states[:, 0]).max() < 1e-9


def test_a_crude_method_is_measured_as_it_moves():
    _, states, batch = measured(euler(lambda x: -x, 0.01), DECAY)
    moves = np.log(0.99) / 0.01 * states[:, 0]
    assert np.quantile(np.abs(batch.values - moves) / batch.errors, 0.9) < 2


def test_time_runs_on_while_states_wait_for_their_step():
    def driven(states, steps):
        x, t = states.T
        whole = np.floor(steps / 0.01) * 0.01
        later = x + np.sin(t + whole) - np.sin(t)
        return np.stack([later, t + steps], axis=1)

    box = plain_box([[-1.0, 1.0], [0.0, 6.0]])
    _, states, batch = measured(driven, box)
    wrong = np.abs(batch.values - np.cos(states[:, 1]))
    assert np.quantile(wrong / batch.errors, 0.9) < 2
    assert np.median(batch.errors) < 1e-4


def test_steps_that_lead_back_leave_less_open_than_those_that_do_not():
    def there_only(states, steps):
        return counting(decay, 1e-2)(states, np.maximum(steps, 0.0))

    def left_open(launch):
        return measured(launch, DECAY)[0].calibrations[0].open_share

    assert left_open(there_only) == pytest.approx(5e-3, rel=0.1)
    assert left_open(euler(lambda x: -x, 0.01)) == pytest.approx(5e-3, rel=0.1)
    assert left_open(counting(decay, 1e-2)) == pytest.approx(2.5e-5, rel=0.1)


def test_what_steps_leave_open_counts_as_error():
    _, states, batch = measured(euler(lambda x: -x, 0.01), DECAY)
    assert np.all(np.abs(batch.values + states[:, 0]) <= batch.errors)


def test_a_step_with_a_rest_tells_the_rate_where_it_starts():
    def euler_with_rest(states, steps):
        whole = np.floor(np.abs(steps) / 0.1)
        rest = np.abs(steps) - 0.1 * whole
        sign = np.sign(steps)[:, None]
        for count in range(int(whole.max())):
            states = np.where((count < whole)[:, None], states * (1 - 0.1 * sign), states)
        return states * (1 - sign * rest[:, None])

    pilot, states, batch = measured(euler_with_rest, DECAY)
    assert pilot.clock is None
    assert np.abs(batch.values + states[:, 0]).max() < 1e-9


def test_a_floor_that_states_fall_to_is_no_step():
    def falling(states, steps):
        return np.maximum(states - steps[:, None], 0.0)

    pilot, _, batch = measured(falling, plain_box([[0.0, 2.0]]))
    assert pilot.clock is None
    assert np.median(np.abs(batch.values + 1)) < 1e-9


@pytest.mark.parametrize("launch", [counting(pendulum, 3.0), interpolating(pendulum, 3.0)])
def test_steps_that_lead_through_the_ranges_are_refused(launch):
    with pytest.raises(SimulationError, match="large part of the ranges"):
        measured(launch, PENDULUM)
