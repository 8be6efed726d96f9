"""Exact numbers: the simple value that an error bar singles out, if the data agree."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import form, law, measured

from odevsr.evidence.data import Data
from odevsr.evidence.exact import exact_value, simple_value, with_exact_numbers
from odevsr.evidence.law import FittedNumber, Law, fit
from odevsr.language.algebra.normal import normal_form
from odevsr.language.expression import with_constants
from odevsr.language.parse import parse
from odevsr.language.text import to_text
from odevsr.limits import DEFAULT_LIMITS

NAMES = ("x", "y")


@pytest.mark.parametrize("error", [1e-3, 1e-5, 1e-7, 1e-9, 1e-12])
def test_random_numbers_are_not_taken_for_simple_ones(error):
    rng = np.random.default_rng(1)
    values = rng.choice([-1, 1], 1500) * rng.lognormal(0.0, 1.0, 1500)
    snapped = [
        exact_value(value, error * abs(value), DEFAULT_LIMITS) is not None for value in values
    ]
    assert np.mean(snapped) < 0.01


@given(
    number=st.fractions(-100, 100, max_denominator=12).filter(bool),
    error=st.floats(1e-14, 1e-8),
    shift=st.floats(-3, 3),
)
def test_a_simple_fraction_is_recognised_within_its_error(number, error, shift):
    assert exact_value(float(number) + shift * error, error, DEFAULT_LIMITS) == number


@given(
    digits=st.integers(1, 9999),
    exponent=st.integers(-6, 3),
    error=st.floats(1e-14, 1e-9),
    shift=st.floats(-3, 3),
)
def test_a_short_decimal_is_recognised_within_its_error(digits, exponent, error, shift):
    number = Fraction(digits) * Fraction(10) ** exponent
    error *= float(number)
    assert exact_value(float(number) + shift * error, error, DEFAULT_LIMITS) == number


@given(value=st.floats(allow_nan=False, allow_infinity=False), error=st.floats(0, 1e300))
def test_an_exact_value_is_within_ten_errors_or_there_is_none(value, error):
    exact = exact_value(value, error, DEFAULT_LIMITS)
    if exact is not None:
        assert abs(Fraction(exact) - Fraction(value)) <= 11 * Fraction(error) + abs(
            Fraction(value)
        ) / Fraction(10**15)


@pytest.mark.parametrize("chance", [1e-3, 0.02, 0.1])
@pytest.mark.parametrize("error", [1e-2, 1e-3, 1e-5])
def test_random_numbers_are_as_near_to_simple_ones_as_chance_has_it(error, chance):
    rng = np.random.default_rng(2)
    values = rng.choice([-1, 1], 1500) * rng.lognormal(0.0, 2.0, 1500)
    found = [simple_value(value, error * abs(value), DEFAULT_LIMITS, 3.0) for value in values]
    kinds = 3  # fractions, decimals and their reciprocals
    assert np.mean([each is not None and each.chance <= chance for each in found]) < kinds * chance


def test_a_number_that_stands_in_a_law_already_is_likelier_than_others_as_simple():
    alone = simple_value(-7.01, 0.01, DEFAULT_LIMITS, 3.0)
    again = simple_value(-7.01, 0.01, DEFAULT_LIMITS, 3.0, [7])
    assert alone.number == again.number == -7
    assert again.chance < 0.1 * alone.chance


def test_whole_numbers_come_back_as_integers():
    assert type(exact_value(3.0000000001, 1e-9, DEFAULT_LIMITS)) is int


def test_what_cannot_be_told_from_nought_is_nought():
    assert exact_value(1e-9, 1e-9, DEFAULT_LIMITS) == 0


@pytest.mark.parametrize("error", [np.inf, np.nan])
def test_an_unknown_error_allows_no_exact_value(error):
    assert exact_value(2.0, error, DEFAULT_LIMITS) is None


@pytest.mark.parametrize("exact", [Fraction(100, 77), Fraction(5000, 517), Fraction(50, 77)])
def test_reciprocals_of_short_decimals_are_exact_values(exact):
    assert exact_value(float(exact) + 1e-12, 1e-12, DEFAULT_LIMITS) == exact


@settings(max_examples=40)
@given(
    slope=st.fractions(-9, 9, max_denominator=9).filter(bool),
    rate=st.sampled_from([Fraction(1, 2), Fraction(-7, 10), Fraction(5, 4), -2]),
)
def test_exact_numbers_are_found_where_the_errors_single_them_out(slope, rate):
    truth = normal_form(parse(f"({slope})*y + 3/7*exp(({rate})*x)", NAMES))
    start = law(f"{float(slope) * 1.001}*y + 0.4281*exp({float(rate) * 1.001}*x)")
    data = measured(truth, error=1e-10)
    found = with_exact_numbers(fit(start, Data(NAMES, data)), Data(NAMES, data))
    assert found.expression == truth
    assert {each.exact for each in found.constants} == {slope, rate, Fraction(3, 7)}
    assert found.deviation < 2.0


def test_numbers_that_are_not_simple_stay_and_are_fitted_beside_the_exact_ones():
    data = measured(law("2.718281828459045*x + 3.0*y"))
    fitted = fit(law("2.7*x + 3.01*y"), Data(NAMES, data))
    found = with_exact_numbers(fitted, Data(NAMES, data))
    assert [each.exact for each in found.constants] == [3, None]
    assert found.constants[1].value == pytest.approx(np.e, abs=1e-8)
    assert to_text(found.expression).endswith("*x + 3*y")


def test_exact_numbers_with_which_the_data_disagree_are_not_taken():
    data = measured(law("2.0001*x"))
    fitted = Law(with_constants(form("C*x"), [2.0]), (FittedNumber(2.0, 1e-12),), deviation=1.0)
    assert with_exact_numbers(fitted, Data(NAMES, data)) is fitted


def test_numbers_vanish_with_the_term_that_held_them():
    data = measured(law("2.0*x"))
    expression = with_constants(form("C*x + C*exp(C*y)"), [2.0, 1e-13, 0.7312345])
    constants = (
        FittedNumber(2.0, 1e-10),
        FittedNumber(1e-13, 1e-10),
        FittedNumber(0.7312345, 1e-3),
    )
    found = with_exact_numbers(Law(expression, constants, 1.0), Data(NAMES, data))
    assert found.expression == parse("2*x", NAMES)


def test_two_constants_may_have_been_fitted_to_one_value():
    data = measured(law("2.5*x + 2.5*y"))
    expression = law("2.5*x + 2.5*y")
    constants = (FittedNumber(2.5, 1e-9), FittedNumber(2.5, 1e-9))
    found = with_exact_numbers(Law(expression, constants, 1.0), Data(NAMES, data))
    assert found.expression == normal_form(parse("5/2*x + 5/2*y", NAMES))
