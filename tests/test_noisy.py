"""Simulators that scatter: errors are standard deviations, and as small as they can be."""

import numpy as np
import pytest
from rough_simulators import PENDULUM, forward_only, pendulum, scattering, swing

from odevsr.world.box import box_of
from odevsr.world.experiments.launched import LaunchOracle
from odevsr.world.experiments.mesh import random_states
from odevsr.world.experiments.noisy import LAUNCHES
from odevsr.world.experiments.oracle import World
from odevsr.world.pilot.pilot import explore, pilot_from_json
from odevsr.world.ranges import Range


def measured(launch, component, seed=0):
    """The pilot, the oracle, and residuals over errors."""
    world = World(("x", "y"), PENDULUM, launch)
    pilot = explore(world, "central", np.random.default_rng(seed))
    calibration = pilot.calibrations[component]
    oracle = LaunchOracle(pilot.world(world), component, calibration, pilot.difference)
    states = random_states(PENDULUM, 600, np.random.default_rng(1))
    batch = oracle.measure(states)
    return pilot, oracle, batch, (batch.values - swing(states)[:, component]) / batch.errors


@pytest.mark.parametrize("size", [1e-6, 1e-4, 1e-2])
@pytest.mark.parametrize("kind", ["additive", "proportional"])
@pytest.mark.parametrize("component", [0, 1])
@pytest.mark.parametrize("seed", [0, 1])
def test_errors_are_standard_deviations(size, kind, component, seed):
    launch = scattering(pendulum, **{kind: size}, seed=seed)
    pilot, oracle, batch, residuals = measured(launch, component, seed)
    assert 0.8 < np.std(residuals) < 1.25
    assert abs(np.mean(residuals)) < 0.25
    assert oracle.is_noisy
    assert oracle.cost.simulations >= LAUNCHES * 600
    assert np.median(batch.errors) < 10 * size**0.8
    assert pilot_from_json(pilot.to_json()) == pilot
    assert any("does not repeat itself" in each for each in pilot.warnings)


@pytest.mark.parametrize("component", [0, 1])
def test_errors_are_standard_deviations_forwards_too(component):
    pilot, _, _, residuals = measured(forward_only(scattering(pendulum, 1e-3)), component)
    assert pilot.difference == "forward"
    assert 0.8 < np.std(residuals) < 1.25


def test_motion_that_is_random_itself_has_true_errors():
    rng = np.random.default_rng(5)

    def diffusing(states, steps):
        size = 1e-2 * np.sqrt(np.abs(steps))[:, None]
        return pendulum(states, steps) + size * rng.standard_normal(states.shape)

    _, _, _, residuals = measured(diffusing, 1)
    assert 0.7 < np.std(residuals) < 1.25


def test_errors_in_proportion_are_small_where_the_state_is():
    _, _, batch, _ = measured(scattering(pendulum, proportional=1e-3), 0)
    size = np.abs(batch.states[:, 0])
    assert np.median(batch.errors[size > 2]) > 2 * np.median(batch.errors[size < 0.5])


def test_a_variable_that_does_not_scatter_is_measured_as_exactly_as_ever():
    blurred = scattering(pendulum, 1e-3)

    def half(states, steps):
        return np.stack([pendulum(states, steps)[:, 0], blurred(states, steps)[:, 1]], axis=1)

    _, exact, batch, residuals = measured(half, 0)
    assert not exact.is_noisy
    assert np.median(batch.errors) < 1e-10
    assert np.quantile(np.abs(residuals), 0.9) < 3
    _, noisy, _, residuals = measured(half, 1)
    assert noisy.is_noisy
    assert 0.8 < np.std(residuals) < 1.25


def test_noise_does_not_hide_truncation_where_states_are_fast():
    flow = scattering(lambda states, steps: np.sqrt(states**2 - 2 * steps[:, None]), 0.0, 1e-4)
    box = box_of([Range(0.05, 10.0)])
    world = World(("x",), box, flow)
    with np.errstate(invalid="ignore"):  # the smallest come to nought, and are lost
        pilot = explore(world, "central", np.random.default_rng(0))
        oracle = LaunchOracle(pilot.world(world), 0, pilot.calibrations[0], pilot.difference)
        found = oracle.measure(random_states(box, 4000, np.random.default_rng(1)))
    residuals = (found.values + 1 / found.states[:, 0]) / found.errors
    for part in np.array_split(residuals[np.argsort(found.states[:, 0])], 5):
        assert abs(np.mean(part)) < 5 / np.sqrt(len(part))
