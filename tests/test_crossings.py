import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from odevsr.world.experiments.crossings import Trajectories, roughness


def circles(step, samples=60, runs=5):
    """Trajectories of x' = y, y' = -x with radii 1, 2, ... and phases of their own."""
    times = step * np.arange(samples)[:, None] + np.arange(runs)
    radius = 1.0 + np.arange(runs)
    states = np.stack([radius * np.cos(times), -radius * np.sin(times)], axis=-1)
    return Trajectories(states, np.full(runs, step), np.zeros(2))


@given(value=some.floats(-0.9, 0.9), variable=some.integers(0, 1))
def test_crossings_lie_on_the_plane_and_on_trajectories(value, variable):
    windows = circles(0.1).on_plane(variable, value)
    assert len(windows.samples) >= 3
    states, slopes, errors = windows.located(np.arange(len(windows.samples)))
    assert np.all(states[:, variable] == value)
    radius = np.hypot(*states.T)
    assert np.allclose(radius, np.rint(radius), rtol=0, atol=1e-12)
    truth = np.stack([states[:, 1], -states[:, 0]], axis=1)
    assert np.all(np.abs(slopes - truth) <= errors)
    assert errors.max() < 1e-8


def test_a_plane_is_crossed_near_where_a_straight_line_would():
    windows = circles(0.1).on_plane(0, 0.3)
    states, _, _ = windows.located(np.arange(len(windows.samples)))
    assert np.abs(windows.places() - states).max() < 0.01


def test_nothing_crosses_beyond_all_trajectories():
    assert len(circles(0.1).on_plane(0, 5.5).samples) == 0


def test_a_gap_is_not_interpolated_over():
    whole = circles(0.1, runs=1)
    states = whole.samples.copy()
    crossed = int(np.flatnonzero(np.diff(np.sign(states[:, 0, 0] - 0.3)))[0])
    states[crossed + 2] = np.nan
    cut = Trajectories(states, whole.steps, whole.error)
    assert len(cut.on_plane(0, 0.3).samples) == len(whole.on_plane(0, 0.3).samples) - 1


@pytest.mark.parametrize(("step", "is_rough"), [(0.02, False), (0.5, True)])
def test_roughness_tells_steps_that_are_too_long(step, is_rough):
    samples = circles(step).samples[:10].swapaxes(0, 1)
    assert np.all((roughness(samples, np.zeros(2)) > 1) == is_rough)
