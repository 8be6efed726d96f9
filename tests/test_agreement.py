"""The one deviation, and what counts as agreement."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from odevsr.evidence.agreement import LARGEST, Agreement, deviation
from odevsr.world.experiments.launched import NOISE_ERROR

seeds = st.integers(0, 2**32 - 1)
residuals = arrays(float, array_shapes(max_dims=2, max_side=30), elements=st.floats(-1e9, 1e9))
CALM, NOISY = Agreement(), Agreement(is_noisy=True)
DRAWS = 20_000


def gaussian(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape)


@given(residuals, st.floats(1e-6, 1e6))
def test_the_deviation_grows_with_the_residuals(given_residuals, scale):
    np.testing.assert_allclose(
        deviation(scale * given_residuals),
        scale * deviation(given_residuals),
        rtol=1e-12,
        atol=1e-300,
    )


@given(residuals, seeds)
def test_neither_signs_nor_order_matter(given_residuals, seed):
    rng = np.random.default_rng(seed)
    shuffled = rng.permuted(given_residuals * rng.choice([-1, 1], given_residuals.shape), axis=-1)
    np.testing.assert_allclose(deviation(shuffled), deviation(given_residuals))


@given(residuals)
def test_every_row_has_a_deviation_no_greater_than_its_largest_residual(given_residuals):
    found = deviation(given_residuals)
    assert found.shape == given_residuals.shape[:-1]
    assert np.all(found >= 0)
    assert np.all(found <= np.max(np.abs(given_residuals), axis=-1))


@given(seeds)
def test_gaussian_residuals_deviate_by_one(seed):
    assert deviation(gaussian(seed, DRAWS)) == pytest.approx(1.0, abs=0.05)


@given(seeds, st.integers(20, 400), st.floats(10.0, 1e20))
def test_a_tenth_of_wild_points_does_not_matter(seed, number, far):
    wild = gaussian(seed, number)
    wild[: number // 10 - 1] = far
    assert deviation(wild) < 3.0


@given(seeds, st.integers(20, 400), st.floats(1e3, 1e20))
def test_a_fifth_of_them_does(seed, number, far):
    wild = gaussian(seed, number)
    wild[: number // 5] = far
    assert deviation(wild) > 100.0


@pytest.mark.parametrize("lost", [np.nan, np.inf, -np.inf, LARGEST])
@given(seed=seeds, number=st.integers(1, 100))
def test_one_point_without_a_value_is_one_too_many(lost, seed, number):
    rows = gaussian(seed, 2, number)
    rows[0, number // 2] = lost
    first, second = deviation(rows)
    assert first == np.inf
    assert second < np.inf


@pytest.mark.parametrize("number", [8, 40, 400])
def test_a_true_law_under_noise_is_explained(number):
    found = deviation(gaussian(number, DRAWS, number))
    assert np.mean(found <= NOISY.limit(number)) > 0.999


@pytest.mark.parametrize("number", [8, 40, 400])
def test_a_true_law_is_explained_though_the_size_of_noise_is_known_to_seven_per_cent(number):
    sizes = 1 + NOISE_ERROR * gaussian(1, DRAWS)
    found = deviation(gaussian(number, DRAWS, number) / sizes[:, None])
    assert np.mean(found <= NOISY.limit(number)) > 0.998


@pytest.mark.parametrize("number", [40, 400])
def test_a_law_that_is_off_by_three_errors_is_not_explained(number):
    found = deviation(gaussian(number, DRAWS, number) + 3.0)
    assert np.mean(found <= NOISY.limit(number)) < 0.001


@given(st.integers(0, 10_000))
def test_more_points_leave_less_to_chance(number):
    assert 1 < NOISY.limit(number + 1) <= NOISY.limit(number)
    assert CALM.limit(number) == CALM.limits.estimated


@given(st.floats(0, 10), st.integers(1, 1000), st.booleans())
def test_what_is_within_the_limit_is_explained(found, number, is_noisy):
    agreement = Agreement(is_noisy=is_noisy)
    assert agreement.explains(found, number) == (found <= agreement.limit(number))
    assert not agreement.explains(np.inf, number)
    assert not agreement.explains(np.nan, number)


@given(st.floats(0, 1e6), st.floats(0, 1e6))
def test_a_law_is_no_worse_if_it_deviates_little_more_or_not_noticeably(one, other):
    raised = 1 + CALM.limits.chance * NOISE_ERROR
    assert CALM.no_worse(one, other) == (one <= raised * other or one <= 1.0)
    assert CALM.no_worse(one, one)
    assert CALM.no_worse(one, other) or CALM.no_worse(other, one)


def test_anything_is_no_worse_than_no_law_and_no_law_is_worse_than_any():
    assert CALM.no_worse(5.0, np.inf)
    assert not CALM.no_worse(np.inf, 5.0)
    assert not CALM.no_worse(np.nan, 5.0)


@given(st.integers(0, 10_000))
def test_among_few_points_a_law_may_look_worse_by_chance(number):
    limit = NOISY.limit(number)
    for each in (CALM, NOISY):
        among = each.among(number)
        assert among.no_worse(1.999 * limit, 2.0)
        assert not among.no_worse(2.001 * limit, 2.0)
        assert among.limit(number) == each.limit(number)
    assert not CALM.no_worse(2.0 * limit, 2.0)
