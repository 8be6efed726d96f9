"""Penalised splines: what no penalty touches, and what the likeliest one leaves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from odevsr.world.recordings.splines import Basis

TIMES = np.linspace(2, 5, 300)


@given(seed=st.integers(0, 1000), gap=st.floats(0, 0.5))
def test_parabolas_are_in_the_basis_and_have_no_penalty(seed, gap):
    times = np.sort(np.random.default_rng(seed).uniform(0, 1, 80))
    times = np.where(times > 0.5, times + gap, times)
    basis = Basis.over(times)
    scaled = 2 * (times - times[0]) / np.ptp(times) - 1
    assert basis.design @ basis.parabolas == pytest.approx(np.vander(scaled, 3, increasing=True))
    rough = np.sqrt(np.trace(basis.penalty)) * np.abs(basis.parabolas).max()
    assert np.abs(basis.penalty @ basis.parabolas).max() <= 1e-9 * rough**2


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_a_line_with_noise_becomes_a_line(size):
    noise = 0.1 * np.random.default_rng(0).standard_normal(len(TIMES))
    basis = Basis.over(TIMES)
    fitted = basis.fit(size * (4 + TIMES + noise), np.full(len(TIMES), 1 / size**2))
    slopes = basis.spline(fitted.coefficients)(TIMES, 1) / size
    assert 3 <= fitted.freedom < 6
    assert np.all(np.abs(slopes - 1) < 0.2)


def test_what_moves_fast_is_followed_and_what_is_left_is_noise():
    noise = 0.1 * np.random.default_rng(1).standard_normal(len(TIMES))
    basis = Basis.over(TIMES)
    fitted = basis.fit(np.sin(20 * TIMES) + noise, np.full(len(TIMES), 100.0), known_noise=True)
    off = basis.design @ fitted.coefficients - np.sin(20 * TIMES)
    assert 20 < fitted.freedom < 100
    assert np.std(off) < 0.1 * np.sqrt(fitted.freedom / len(TIMES))
