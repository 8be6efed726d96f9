"""The size of noise, told from samples and along paths."""

import numpy as np
import pytest

from odevsr.world.recordings.noise import Noise, noise_along, noise_of


def test_noise_of_a_smooth_motion_is_next_to_nothing():
    times = np.sort(np.random.default_rng(0).uniform(0, 1, 300))
    assert noise_of(times, np.sin(5 * times))[0] < 1e-9


def test_noise_sizes_add_in_squares():
    assert Noise(3.0, 2.0).sizes(np.array([2.0])) == pytest.approx(5.0)


@pytest.mark.parametrize(("additive", "relative"), [(0.1, 0.0), (0.0, 0.05), (0.1, 0.05)])
def test_residuals_tell_additive_from_relative_noise(additive, relative):
    rng = np.random.default_rng(1)
    path = np.linspace(0.01, 10, 4000)
    truth = Noise(additive, relative)
    residuals = truth.sizes(path) * rng.standard_normal(len(path))
    told = noise_along(path, residuals, 0.0, 0.01)
    ends = np.array([0.01, 10.0])
    assert told.sizes(ends)[1] == pytest.approx(truth.sizes(ends)[1], rel=0.1)
    assert told.additive == pytest.approx(additive, abs=0.02)
