"""Recordings as smooth paths: how much of them is kept."""

import numpy as np
import pytest

from odevsr.recorded.discover import discover_recordings
from odevsr.recorded.smoothing import LONGEST, MOST, smooth_paths
from odevsr.vertical.equation import Status
from odevsr.world.recordings.runs import Recordings, Run


def decays(runs, samples, noise, speed=1.0):
    """Runs that decay and swing, from many starts."""
    rng = np.random.default_rng(0)
    times = np.linspace(0, 6, samples)
    found = []
    for k in range(runs):
        states = rng.uniform(1, 9) * np.exp(-0.5 * times) * (1.2 + np.sin(speed * times))
        states = states[:, None] * (1 + noise * rng.standard_normal((samples, 1)))
        found.append(Run(str(k), times, states, np.empty((samples, 0))))
    return Recordings(("x",), tuple(found))


def runs_of(paths):
    return len(paths.bounds) - 1


def test_few_samples_are_kept_as_they_are():
    recordings = decays(5, 200, 0.02)
    assert len(smooth_paths(recordings).times) == 1000


@pytest.mark.parametrize("noise", [0.0, 0.02])
def test_slow_motion_is_thinned_and_all_runs_are_kept(noise):
    paths = smooth_paths(decays(10, 3000, noise))
    assert runs_of(paths) == 10
    assert MOST <= len(paths.times) <= 1.2 * MOST


def test_of_many_noisy_runs_of_fast_motion_enough_are_kept_whole():
    paths = smooth_paths(decays(100, 300, 0.02, speed=20.0))
    assert runs_of(paths) < 100
    assert MOST <= len(paths.times) <= MOST + 300
    assert np.diff(paths.bounds).min() >= 100


def test_of_very_many_noisy_runs_some_are_fitted_and_others_judge():
    rng, times = np.random.default_rng(1), np.linspace(0, 5, 100)
    starts = rng.uniform(1, 9, 200)
    states = starts[:, None] * np.exp(-0.7 * times) * (1 + 0.05 * rng.standard_normal((200, 100)))
    runs = tuple(
        Run(str(k), times, each[:, None], np.empty((100, 0))) for k, each in enumerate(states)
    )
    found = discover_recordings(Recordings(("x",), runs))
    assert found.equations[0].status is Status.IDENTIFIED
    assert found.equations[0].constants[0].value == pytest.approx(-0.7, rel=0.01)
    assert any("of 20,000 samples" in note for note in found.notes)


def test_a_run_that_moves_too_much_for_one_spline_is_smoothed_in_parts():
    times = np.linspace(0, 600, 12_000)
    truth = np.sin(2 * times)
    noisy = truth + 0.05 * np.random.default_rng(0).standard_normal(len(times))
    paths = smooth_paths(
        Recordings(("x",), (Run("0", times, noisy[:, None], np.empty((12_000, 0))),))
    )
    assert np.std(paths.states[:, 0] - np.sin(2 * paths.times)) < 0.03
    assert np.median(paths.errors) < 0.06


def test_a_variable_that_was_measured_rarely_keeps_its_path_where_others_are_smoothed_in_parts():
    times = np.linspace(0, 600, 12_000)
    fast = np.sin(2 * times) + 0.05 * np.random.default_rng(0).standard_normal(len(times))
    slow = np.full(12_000, np.nan)
    slow[50::2400] = times[50::2400] / 100
    run = Run("0", times, np.column_stack([fast, slow]), np.empty((12_000, 0)))
    paths = smooth_paths(Recordings(("fast", "slow"), (run,)))
    assert np.std(paths.states[:, 0] - np.sin(2 * paths.times)) < 0.03
    between = paths.times < times[50 + 4 * 2400]
    assert np.allclose(paths.states[between, 1], paths.times[between] / 100)


def test_no_run_is_followed_over_more_samples_than_the_longest():
    paths = smooth_paths(decays(1, 2500, 0.05, speed=30.0))
    assert np.diff(paths.bounds).max() <= LONGEST
    assert (paths.steps[paths.bounds[1:] - 1] == 0).all()
    assert len(paths.times) == 2500


@pytest.mark.parametrize("samples", [200, 5_000])
def test_parts_hold_the_same_samples(samples):
    paths = smooth_paths(decays(1, samples, 0.0))
    parts = paths.cut(90)
    assert np.diff(parts.bounds).max() <= 90
    assert (parts.times == paths.times).all()
    order = range(len(parts.bounds) - 1)
    assert (parts.runs(order).samples == paths.samples).all()
