"""Where simulators fail: slices are cut off, corners left out, and both are told."""

import numpy as np
import pytest
from rough_simulators import decay, failing, in_corner, raising

from odevsr.errors import SimulationError
from odevsr.world.box import plain_box
from odevsr.world.experiments.launched import LaunchOracle
from odevsr.world.experiments.mesh import random_states
from odevsr.world.experiments.oracle import World
from odevsr.world.experiments.shared import SharedLaunches
from odevsr.world.pilot.pilot import explore, pilot_from_json
from odevsr.world.simulators.guard import guarded
from odevsr.world.simulators.simulator import simulator

SQUARE = plain_box([[0.0, 1.0], [0.0, 1.0]])


def explored(launch, seed=0):
    world = World(("x", "y"), SQUARE, launch)
    return world, explore(world, "central", np.random.default_rng(seed))


@pytest.mark.parametrize("seed", range(4))
def test_a_corner_that_fails_is_left_out_and_the_ranges_stay(seed):
    world, pilot = explored(failing(decay, in_corner), seed)
    assert pilot.box == SQUARE
    assert pilot.coverage == pytest.approx(0.85, abs=0.08)
    assert any("of the ranges: states there are left out" in each for each in pilot.warnings)
    assert pilot_from_json(pilot.to_json()) == pilot
    oracle = LaunchOracle(pilot.world(world), 0, pilot.calibrations[0], pilot.difference)
    states = random_states(SQUARE, 200, np.random.default_rng(1))
    batch = oracle.measure(states)
    failed = ~np.isfinite(batch.errors)
    assert np.array_equal(failed, in_corner(states))
    assert not batch.values[failed].any()
    assert np.abs(batch.values + states[:, 0])[~failed].max() < 1e-9
    assert len(batch.measured().values) == np.sum(~failed)


def test_a_corner_in_which_launches_raise_is_left_out_too():
    marked = simulator(x=(0, 1), y=(0, 1))(raising(decay, in_corner))
    world, pilot = explored(guarded(marked))
    oracle = LaunchOracle(pilot.world(world), 0, pilot.calibrations[0], pilot.difference)
    states = random_states(SQUARE, 40, np.random.default_rng(1))
    batch = oracle.measure(states)
    assert np.array_equal(np.isinf(batch.errors), in_corner(states))


def test_a_slice_that_fails_is_cut_off():
    _, pilot = explored(failing(decay, lambda states: states[:, 0] < 0.4))
    assert pilot.box.limits[0] == pytest.approx((0.4, 1.0), abs=0.05)
    assert tuple(pilot.box.limits[1]) == (0.0, 1.0)
    assert pilot.coverage > 0.95
    assert any("experiments keep to x from" in each for each in pilot.warnings)


def test_a_thin_edge_that_fails_is_cut_off():
    _, pilot = explored(failing(decay, lambda states: states[:, 1] > 0.98))
    assert 0.9 < pilot.box.limits[1, 1] < 0.99
    assert pilot.coverage == 1.0


def test_a_range_that_shrinks_to_a_sliver_is_told_with_its_share():
    _, pilot = explored(failing(decay, lambda states: states[:, 0] > 0.1))
    assert any("% of its range)" in each for each in pilot.warnings)


def test_a_simulator_that_fails_nearly_everywhere_is_refused():
    def nearly_everywhere(states):
        return np.sin(1e4 * states[:, 0]) < 0.999

    with pytest.raises(SimulationError, match="next to nowhere"):
        explored(failing(decay, nearly_everywhere))


def test_an_experiment_in_which_every_state_fails_is_an_error_if_it_is_spread_out():
    world, pilot = explored(failing(decay, in_corner))
    oracle = LaunchOracle(pilot.world(world), 0, pilot.calibrations[0], pilot.difference)
    beyond = np.random.default_rng(0).uniform(0.8, 1.0, (60, 2))
    with pytest.raises(SimulationError, match="from any of 60 states"):
        oracle.measure(beyond)
    few = oracle.measure(beyond[:8])
    assert np.isinf(few.errors).all()


@pytest.mark.parametrize("fails", [lambda states: states[:, 0] < 0.4, in_corner])
def test_few_states_test_the_ranges_only_as_long_as_none_fails(fails):
    shared = SharedLaunches(np.random.default_rng(0).random((24, 2)))
    world = World(("x", "y"), SQUARE, decay)
    assert explore(world, "central", np.random.default_rng(0), shared).cost.states == 24
    failing_world = World(("x", "y"), SQUARE, failing(decay, fails))
    pilot = explore(failing_world, "central", np.random.default_rng(0), shared)
    assert pilot.cost.states > 400
    assert pilot.warnings == explored(failing(decay, fails))[1].warnings
