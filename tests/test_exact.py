"""Constants over trials: standalone or summary, and which exact value an error bar singles out."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from odevsr.evidence.exact import classify, exact_value


def noisy(mean, error, trials, seed):
    """Constants (K, 1) with Gaussian errors, and those errors."""
    noise = np.random.default_rng(seed).standard_normal((trials, 1))
    return mean + error * noise, np.full((trials, 1), error)


seeds = st.integers(0, 2**32 - 1)
sizes = st.floats(1e-6, 1e6)


@given(
    mean=st.floats(-1e3, 1e3), error=st.floats(1e-12, 10.0), trials=st.integers(3, 12), seed=seeds
)
def test_a_constant_that_only_scatters_within_its_errors_is_standalone(mean, error, trials, seed):
    (shared,) = classify(*noisy(mean, error, trials, seed))
    assert not shared.is_summary
    assert abs(shared.value - mean) <= 8 * shared.error


@given(size=sizes, step=st.floats(50, 1e6), trials=st.integers(3, 12), seed=seeds)
def test_a_constant_that_differs_by_many_errors_is_summary(size, step, trials, seed):
    error = 1e-8 * size
    constants, errors = noisy(size, error, trials, seed)
    constants[0] += step * error
    assert classify(constants, errors)[0].is_summary


@given(size=sizes, trials=st.integers(1, 10))
def test_the_error_of_a_shared_constant_falls_with_the_root_of_the_trials(size, trials):
    (shared,) = classify(np.full((trials, 1), size), np.full((trials, 1), 1e-3 * size))
    assert shared.value == pytest.approx(size)
    assert shared.error == pytest.approx(1e-3 * size / np.sqrt(trials))


def test_trials_count_by_their_errors_and_those_that_know_nothing_not_at_all():
    (shared,) = classify(np.array([[2.0], [3.0], [77.0]]), np.array([[1e-3], [1e3], [np.inf]]))
    assert shared.value == pytest.approx(2.0, abs=1e-6)
    assert not shared.is_summary


def test_a_constant_of_which_nothing_is_known_is_no_summary_constant():
    (shared,) = classify(np.array([[1.0], [5.0]]), np.full((2, 1), np.inf))
    assert shared.error == np.inf
    assert not shared.is_summary


def test_every_constant_is_classified_on_its_own():
    constants = np.array([[1.0, 5.0], [1.0, 6.0], [1.0, 7.0]])
    kinds = classify(constants, np.full((3, 2), 1e-6))
    assert [kind.is_summary for kind in kinds] == [False, True]


@pytest.mark.parametrize("error", [1e-3, 1e-5, 1e-7, 1e-9, 1e-12])
def test_random_numbers_are_not_taken_for_simple_ones(error):
    rng = np.random.default_rng(1)
    values = rng.choice([-1, 1], 1500) * rng.lognormal(0.0, 1.0, 1500)
    snapped = [exact_value(value, error * abs(value)) is not None for value in values]
    assert np.mean(snapped) < 0.01


@given(
    number=st.fractions(-100, 100, max_denominator=12).filter(bool),
    error=st.floats(1e-14, 1e-8),
    shift=st.floats(-3, 3),
)
def test_a_simple_fraction_is_recognised_within_its_error(number, error, shift):
    assert exact_value(float(number) + shift * error, error) == number


@given(
    digits=st.integers(1, 9999),
    exponent=st.integers(-6, 3),
    error=st.floats(1e-14, 1e-9),
    shift=st.floats(-3, 3),
)
def test_a_short_decimal_is_recognised_within_its_error(digits, exponent, error, shift):
    number = Fraction(digits) * Fraction(10) ** exponent
    error *= float(number)
    assert exact_value(float(number) + shift * error, error) == number


@given(value=st.floats(allow_nan=False, allow_infinity=False), error=st.floats(0, 1e300))
def test_an_exact_value_is_within_ten_errors_or_there_is_none(value, error):
    exact = exact_value(value, error)
    if exact is not None:
        assert abs(Fraction(exact) - Fraction(value)) <= 11 * Fraction(error) + abs(
            Fraction(value)
        ) / Fraction(10**15)


def test_whole_numbers_come_back_as_integers():
    assert type(exact_value(3.0000000001, 1e-9)) is int


def test_what_cannot_be_told_from_nought_is_nought():
    assert exact_value(1e-9, 1e-9) == 0


@pytest.mark.parametrize("error", [np.inf, np.nan])
def test_an_unknown_error_allows_no_exact_value(error):
    assert exact_value(2.0, error) is None


@pytest.mark.parametrize("exact", [Fraction(100, 77), Fraction(5000, 517), Fraction(50, 77)])
def test_reciprocals_of_short_decimals_are_exact_values(exact):
    assert exact_value(float(exact) + 1e-12, 1e-12) == exact
