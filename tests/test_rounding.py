"""Samples that were rounded before they were written: by how much, is read off them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from odevsr.world.recordings.rounding import EXACT, rounding_of
from odevsr.world.recordings.smooth import smooth

TIMES = np.linspace(0, 8, 200)
MOST = 1.001 * np.sqrt(3)
"""Of such errors, standard deviations that one may be off."""
MOTION = 3 * np.exp(-TIMES) * np.cos(5 * TIMES) + 0.2


@given(digits=st.integers(1, 12), size=st.floats(-9, 9))
def test_samples_of_few_digits_are_off_by_no_more_than_is_told(digits, size):
    truth = 10**size * MOTION
    samples = np.array([float(f"{each:.{digits}g}") for each in truth])
    told = rounding_of(samples).sizes(truth)
    assert np.all(np.abs(samples - truth) <= MOST * told)
    assert MOST * told.max() <= 0.501 * 10.0 ** (1 - digits) * np.abs(truth).max()


@pytest.mark.parametrize("decimals", [0, 2, 7])
def test_samples_of_few_decimals_are_off_as_numbers_spread_over_a_unit(decimals):
    samples = np.round(40 * MOTION, decimals)
    assert rounding_of(samples).sizes(samples) == pytest.approx(10.0**-decimals / np.sqrt(12))


def test_samples_in_single_precision_are_known():
    samples = MOTION.astype(np.float32).astype(float)
    told = rounding_of(samples).sizes(samples)
    assert np.all(np.abs(samples - MOTION) <= MOST * told)
    assert np.all(told < 1e-7 * np.abs(samples))


def test_few_decimals_in_single_precision_are_known():
    samples = np.round(MOTION, 3).astype(np.float32).astype(float)
    assert rounding_of(samples).unit == pytest.approx(1e-3)


@pytest.mark.parametrize(
    "samples", [MOTION, 1e39 * MOTION, np.zeros(5), np.full(9, 2.5), np.empty(0)]
)
def test_numbers_as_they_are_were_not_rounded(samples):
    assert rounding_of(samples) == EXACT


@pytest.mark.parametrize("decimals", [1, 3, 6])
def test_a_path_that_settles_between_two_decimals_is_not_free_of_noise(decimals):
    smoothed = smooth(TIMES, np.round(MOTION, decimals))
    assert np.all(MOST * smoothed.noise.sizes(MOTION) >= 0.49 * 10.0**-decimals)
