"""Simulators that round what they return."""

import numpy as np
import pytest
from rough_simulators import DECAY, decay, rounded

from odevsr.world.box import plain_box
from odevsr.world.experiments.launched import LaunchOracle
from odevsr.world.experiments.mesh import random_states
from odevsr.world.experiments.oracle import World
from odevsr.world.pilot.pilot import explore
from odevsr.world.pilot.resolution import state_quantum

ROUNDINGS = {
    "six decimals": (lambda x: np.round(x, 6), 1e-6),
    "two decimals": (lambda x: np.round(x, 2), 1e-2),
    "single precision": (lambda x: x.astype(np.float32).astype(float), 2.0**-23),
    "half precision": (lambda x: x.astype(np.float16).astype(float), 2.0**-10),
}


@pytest.mark.parametrize("kind", ROUNDINGS)
@pytest.mark.parametrize("seed", range(3))
def test_what_is_rounded_is_at_least_so_uncertain(kind, seed):
    rounding, quantum = ROUNDINGS[kind]
    world = World(("x",), DECAY, rounded(decay, rounding))
    pilot = explore(world, "central", np.random.default_rng(seed))
    (calibration,) = pilot.calibrations
    assert quantum <= calibration.state_error <= 10 * quantum
    oracle = LaunchOracle(pilot.world(world), 0, calibration, pilot.difference)
    states = random_states(DECAY, 300, np.random.default_rng(1))
    batch = oracle.measure(states)
    wrong = np.abs(batch.values + states[:, 0])
    assert np.quantile(wrong / batch.errors, 0.99) < 2
    assert np.median(batch.errors) < 100 * quantum


def test_whole_numbers_are_measured_with_long_steps():
    box = plain_box([[0.0, 1000.0]])
    world = World(("x",), box, rounded(decay, np.rint))
    pilot = explore(world, "central", np.random.default_rng(0))
    oracle = LaunchOracle(pilot.world(world), 0, pilot.calibrations[0], pilot.difference)
    states = np.rint(random_states(box, 300, np.random.default_rng(1)))
    batch = oracle.measure(states)
    assert pilot.calibrations[0].state_error >= 1
    assert np.quantile(np.abs(batch.values + states[:, 0]) / batch.errors, 0.99) < 2
    assert np.median(batch.errors) < 100


def test_what_moves_is_not_rounded():
    states = np.random.default_rng(0).uniform(-2, 2, (24, 1))
    moves_at_once = lambda states, steps: decay(states, 0.01)  # noqa: E731
    for launch in (decay, moves_at_once):
        assert state_quantum(launch, states, 1e-17) == 0


def test_a_clamp_that_few_states_meet_is_no_rounding():
    states = np.random.default_rng(0).uniform(-2, 2, (24, 1))
    assert state_quantum(lambda s, t: np.minimum(decay(s, t), 1.8), states, 1e-17) == 0
