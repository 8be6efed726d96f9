"""The smoother: noise it reports, paths it keeps, times it takes."""

import numpy as np
import pytest

from odevsr.world.recordings.smooth import Exponential, smooth


def irregular(count, seed=0):
    return np.sort(np.random.default_rng(seed).uniform(0, 1, count))


@pytest.mark.parametrize("times", [np.linspace(0, 1, 400), irregular(400)], ids=["even", "uneven"])
def test_reml_recovers_additive_noise(times):
    rng = np.random.default_rng(1)
    smoothed = smooth(times, np.sin(9 * times) + 0.02 * rng.standard_normal(len(times)))
    size = smoothed.noise.sizes(np.sin(9 * times)).mean()
    assert 0.017 < size < 0.023
    off = smoothed.slopes(times) - 9 * np.cos(9 * times)
    assert np.sqrt(np.mean((off / smoothed.slope_errors) ** 2)) < 2


def test_relative_noise_is_told_from_additive_noise():
    times = np.linspace(0, 3, 500)
    truth = np.exp(times)
    samples = truth * (1 + 0.05 * np.random.default_rng(2).standard_normal(500))
    assert 0.04 < smooth(times, samples).noise.relative < 0.06


@pytest.mark.parametrize("times", [np.linspace(-1, 1, 60), 2 * irregular(60) - 1])
def test_quintics_without_noise_are_followed_to_rounding(times):
    quintic = np.polynomial.Polynomial([1, -2, 0.5, 3, -1, 2])
    smoothed = smooth(times, quintic(times))
    assert np.allclose(smoothed.slopes(times), quintic.deriv()(times), atol=1e-6)
    assert np.all(smoothed.slope_errors < 1e-3)


def test_what_was_not_measured_is_bridged():
    times = np.linspace(0, 1, 200)
    samples = np.sin(6 * times)
    samples[50:55] = np.nan
    assert np.allclose(smooth(times, samples).values(times), np.sin(6 * times), atol=1e-6)


@pytest.mark.parametrize(("samples", "level"), [([np.nan, 3.0, np.nan], 3.0), ([np.nan] * 3, 0.0)])
def test_what_was_hardly_measured_has_a_path_whose_slope_nobody_knows(samples, level):
    times = np.array([0.0, 1.0, 2.0])
    smoothed = smooth(times, np.array(samples))
    assert smoothed.values(np.array([-1.0, 0.5, 2.0, 3.0])).tolist() == [level] * 4
    assert smoothed.slopes(times).tolist() == [0.0] * 3
    assert np.isinf(smoothed.slope_errors).all()


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6, 9])
def test_slopes_of_few_samples_are_not_trusted_further_than_they_are_known(count):
    times = np.linspace(0, 1, count)
    smoothed = smooth(times, np.cos(times))
    off = np.abs(smoothed.slopes(times) + np.sin(times))
    assert np.all(off <= 1.5 * smoothed.slope_errors)


def test_errors_of_slopes_are_those_of_the_spline_also_where_nothing_was_measured():
    times = np.linspace(0, 1, 150)
    noise = 0.1 * np.random.default_rng(3).standard_normal((60, 150))
    samples = np.sin(4 * times) + noise
    samples[:, :3] = np.nan
    smoothed = [smooth(times, each) for each in samples]
    spread = np.std([each.slopes(times) for each in smoothed], axis=0)
    told = np.mean([each.slope_errors for each in smoothed], axis=0)
    assert np.all((told > 0.4 * spread) & (told < 3 * spread))


def spikes(times):
    """Bursts from near 0, as of a population: up and down by a factor of 400."""
    return np.exp(3 * np.sin(4 * times) ** 3)


@pytest.mark.parametrize("sign", [1.0, -1.0], ids=["positive", "negative"])
def test_what_grows_by_factors_is_smoothed_as_its_logarithm(sign):
    times = np.linspace(0, 4, 400)
    truth = sign * spikes(times)
    samples = truth * (1 + 0.05 * np.random.default_rng(4).standard_normal(400))
    smoothed = smooth(times, samples)
    assert isinstance(smoothed.path, Exponential)
    assert np.all(sign * smoothed.values(times) > 0)
    assert np.all(np.abs(smoothed.values(times) / truth - 1) < 0.1)
    assert 0.04 < smoothed.noise.relative < 0.06


def test_what_comes_down_to_zero_in_a_straight_line_is_smoothed_as_it_is():
    times = np.linspace(0, 1, 400)
    samples = (1.01 - times) * (1 + 0.05 * np.random.default_rng(5).standard_normal(400))
    assert not isinstance(smooth(times, samples).path, Exponential)


def test_what_decays_to_nothing_does_not_go_beyond_its_samples():
    times = np.linspace(0, 1, 300)
    truth = np.exp(-20 * times)
    samples = truth * (1 + 0.05 * np.random.default_rng(7).standard_normal(300))
    values = smooth(times, samples).values(times)
    assert np.abs(values - truth).max() < 0.05
    assert values.min() >= samples.min()


def test_slopes_and_bends_of_an_exponential_are_its_derivatives():
    times, nudge = np.linspace(0.5, 3.5, 50), 1e-5
    noise = 0.05 * np.random.default_rng(6).standard_normal(400)
    path = smooth(np.linspace(0, 4, 400), spikes(np.linspace(0, 4, 400)) * (1 + noise)).path
    for order in (0, 1):
        changes = (path(times + nudge, order) - path(times - nudge, order)) / (2 * nudge)
        assert path(times, order + 1) == pytest.approx(changes, rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("gap", [slice(320, None), slice(0, 80)], ids=["end", "beginning"])
def test_bursts_that_were_not_measured_do_not_grow_beyond_all_bounds(gap):
    times = np.linspace(0, 4, 400)
    samples = spikes(times) * (1 + 0.05 * np.random.default_rng(8).standard_normal(400))
    most = samples.max()
    samples[gap] = np.nan
    smoothed = smooth(times, samples)
    assert isinstance(smoothed.path, Exponential)
    assert smoothed.values(times).max() < 3 * most
    assert np.all(np.isfinite(smoothed.slopes(times)))


@pytest.mark.parametrize("count", [60, 600, 6000])
def test_a_line_with_noise_is_as_straight_however_many_samples_it_has(count):
    times = np.linspace(0, 1, count)
    smoothed = smooth(times, 3 + times + 0.1 * np.random.default_rng(9).standard_normal(count))
    assert smoothed.freedom < 5
    assert np.abs(smoothed.slopes(times) - 1).max() < 3 / np.sqrt(count)
