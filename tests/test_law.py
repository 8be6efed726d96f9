"""The last fit: constants with error bars, exact values, and deviations in units of the errors."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from laws import form, law

from odevsr.evidence.law import (
    Data,
    FittedNumber,
    Refined,
    deviation,
    refine,
    with_exact_numbers,
)
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Number, walk, with_constants
from odevsr.language.normal import normal_form
from odevsr.language.parse import parse
from odevsr.language.text import to_text

NAMES = ("x", "y")


def measured(truth, error=1e-9, count=80, seed=0):
    rng = np.random.default_rng(seed)
    states = rng.uniform(0.5, 2.0, (count, 2))
    values = compile_field([truth], NAMES)(states)[:, 0]
    return Data(states, values + error * rng.standard_normal(count), np.full(count, error))


@settings(max_examples=40)
@given(
    a=st.floats(0.5, 5.0),
    rate=st.floats(-2.0, -0.2),
    half=st.floats(0.5, 3.0),
    shifts=st.tuples(*[st.floats(-0.02, 0.02)] * 3),
    seed=st.integers(0, 100),
)
def test_perturbed_constants_come_back_within_their_errors(a, rate, half, shifts, seed):
    family, truth = form("C*exp(C*x) + y/(y + C)"), (a, rate, half)
    data = measured(with_constants(family, truth), seed=seed)
    start = [value * (1.01 + shift) for value, shift in zip(truth, shifts, strict=True)]
    assume(start[0] != start[2])
    found = refine(with_constants(family, start), NAMES, data)
    assert found.deviation < 2.0
    for each, value in zip(found.constants, truth, strict=True):
        assert abs(each.value - value) <= 6 * each.error
        assert each.error < 1e-6


def test_error_bars_cover_about_as_often_as_they_should():
    truth = law("2.3*exp(-0.7*x) + 1.9*y")
    inside = []
    for seed in range(150):
        found = refine(truth, NAMES, measured(truth, error=1e-3, count=40, seed=seed))
        for each, value in zip(found.constants, _floats(truth), strict=True):
            inside.append(abs(each.value - value) <= each.error)
    assert 0.6 < np.mean(inside) < 0.85


def _floats(expression):
    numbers = [node.value for node in walk(expression) if isinstance(node, Number)]
    return [value for value in numbers if isinstance(value, float)]


def test_equal_numbers_stay_equal():
    found = refine(law("1.51*x + sin(1.51*y)"), NAMES, measured(law("1.5*x + sin(1.5*y)")))
    assert len(found.constants) == 1
    assert len(set(_floats(found.expression))) == 1
    assert found.deviation < 2.0


def test_exact_numbers_are_not_fitted():
    found = refine(parse("3*x + y", NAMES), NAMES, measured(law("3.1*x + y")))
    assert found.constants == ()
    assert found.expression == parse("3*x + y", NAMES)
    assert found.deviation > 1e6


def test_constants_that_start_at_nought_are_fitted_too():
    start = with_constants(form("C*x + C*y"), [0.0, 1.1])
    found = refine(start, NAMES, measured(law("0.25*x + y")))
    assert [each.value for each in found.constants] == pytest.approx([0.25, 1.0], abs=1e-8)


@pytest.mark.parametrize("rate", [200.01, 500.01])
def test_a_law_that_overflows_is_no_law_but_raises_nothing(rate):
    found = refine(law(f"1.01*exp({rate}*x)"), NAMES, measured(law("exp(3*x)")))
    assert found.deviation > 1e6


def test_a_law_without_a_value_deviates_without_bound():
    data = measured(law("1.0*x"))
    assert deviation(parse("log(0 - x)", NAMES), NAMES, data) == np.inf
    assert refine(law("2.5*log(0 - x)"), NAMES, data).deviation == np.inf


@given(st.floats(1e-8, 1e2), st.integers(0, 1000))
def test_the_truth_deviates_by_about_one(error, seed):
    truth = law("2.5*x*y")
    assert 0.6 < deviation(truth, NAMES, measured(truth, error, 200, seed)) < 1.5


def test_single_points_far_off_do_not_count():
    data = measured(law("2.5*x"))
    data.values[:5] += 1.0
    assert deviation(law("2.5*x"), NAMES, data) < 2.0


@settings(max_examples=40)
@given(
    slope=st.fractions(-9, 9, max_denominator=9).filter(bool),
    rate=st.sampled_from([Fraction(1, 2), Fraction(-7, 10), Fraction(5, 4), -2]),
)
def test_exact_numbers_are_found_where_the_errors_single_them_out(slope, rate):
    truth = normal_form(parse(f"({slope})*y + 3/7*exp(({rate})*x)", NAMES))
    start = law(f"{float(slope) * 1.001}*y + 0.4281*exp({float(rate) * 1.001}*x)")
    data = measured(truth, error=1e-10)
    found = with_exact_numbers(refine(start, NAMES, data), NAMES, data)
    assert found.expression == truth
    assert {each.exact for each in found.constants} == {slope, rate, Fraction(3, 7)}
    assert found.deviation < 2.0


def test_numbers_that_are_not_simple_stay_and_are_fitted_beside_the_exact_ones():
    data = measured(law("2.718281828459045*x + 3.0*y"))
    fitted = refine(law("2.7*x + 3.01*y"), NAMES, data)
    found = with_exact_numbers(fitted, NAMES, data)
    assert [each.exact for each in found.constants] == [3, None]
    assert found.constants[1].value == pytest.approx(np.e, abs=1e-8)
    assert to_text(found.expression).endswith("*x + 3*y")


def test_exact_numbers_with_which_the_data_disagree_are_not_taken():
    data = measured(law("2.0001*x"))
    fitted = Refined(with_constants(form("C*x"), [2.0]), (FittedNumber(2.0, 1e-12),), deviation=1.0)
    assert with_exact_numbers(fitted, NAMES, data) is fitted


def test_numbers_vanish_with_the_term_that_held_them():
    data = measured(law("2.0*x"))
    expression = with_constants(form("C*x + C*exp(C*y)"), [2.0, 1e-13, 0.7312345])
    constants = (
        FittedNumber(2.0, 1e-10),
        FittedNumber(1e-13, 1e-10),
        FittedNumber(0.7312345, 1e-3),
    )
    found = with_exact_numbers(Refined(expression, constants, 1.0), NAMES, data)
    assert found.expression == parse("2*x", NAMES)


def test_two_constants_may_have_been_fitted_to_one_value():
    data = measured(law("2.5*x + 2.5*y"))
    expression = law("2.5*x + 2.5*y")
    constants = (FittedNumber(2.5, 1e-9), FittedNumber(2.5, 1e-9))
    found = with_exact_numbers(Refined(expression, constants, 1.0), NAMES, data)
    assert found.expression == normal_form(parse("5/2*x + 5/2*y", NAMES))
