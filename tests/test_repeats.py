"""Launches from the same states: the same, at random, or otherwise different."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rough_simulators import decay, scattering

from odevsr.world.pilot.repeats import noise_model, repeats

STATES = np.random.default_rng(0).uniform(-2, 2, (24, 1))


def test_a_simulator_that_repeats_itself_neither_scatters_nor_drifts():
    found = repeats(decay, STATES, 0.01)
    assert not found.noise.any()
    assert not found.drift.any()
    assert found.warnings(("x",)) == []


@pytest.mark.parametrize("size", [1e-9, 1e-3])
def test_noise_is_told_with_its_size(size):
    found = repeats(scattering(decay, size), STATES, 0.01)
    assert found.noise[0] == pytest.approx(size, rel=0.5)
    assert not found.drift.any()
    assert "in x" in found.warnings(("x",))[0]


def test_a_simulator_that_counts_its_calls_drifts():
    calls = iter(range(100))
    found = repeats(lambda states, steps: decay(states, steps) + 1e-6 * next(calls), STATES, 0.01)
    assert not found.noise.any()
    assert found.drift[0] == pytest.approx(7e-6)
    assert "remembers" in found.warnings(("x",))[0]


def test_a_simulator_whose_launches_depend_on_their_order_drifts():
    def ordered(states, steps):
        return decay(states, steps) + 1e-6 * np.arange(len(states))[:, None]

    found = repeats(ordered, STATES, 0.01)
    assert not found.noise.any()
    assert found.drift[0] > 1e-6


@given(
    additive=st.sampled_from([0.0, 1e-6, 0.1]),
    proportional=st.sampled_from([0.0, 1e-3, 0.5]),
    seed=st.integers(0, 99),
)
def test_the_model_of_noise_has_the_variances_it_was_made_from(additive, proportional, seed):
    values = np.random.default_rng(seed).uniform(-2, 2, 24)
    variances = additive**2 + (proportional * values) ** 2
    found = noise_model(variances, values)
    assert found == pytest.approx((additive, proportional), rel=1e-3, abs=1e-5)
