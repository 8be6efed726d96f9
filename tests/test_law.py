"""Laws: their numbers fitted together with error bars, and deviations in units of the errors."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from laws import form, law, measured

from odevsr.evidence.data import Data
from odevsr.evidence.law import fit
from odevsr.language.expression import Apply, Number, Op, Variable, walk, with_constants
from odevsr.language.parse import parse

NAMES = ("x", "y")


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
    found = fit(with_constants(family, start), Data(NAMES, data))
    assert found.deviation < 2.0
    for each, value in zip(found.constants, truth, strict=True):
        assert abs(each.value - value) <= 6 * each.error
        assert each.error < 1e-6


def test_error_bars_cover_about_as_often_as_they_should():
    truth = law("2.3*exp(-0.7*x) + 1.9*y")
    inside = []
    for seed in range(150):
        found = fit(truth, Data(NAMES, measured(truth, error=1e-3, count=40, seed=seed)))
        for each, value in zip(found.constants, _floats(truth), strict=True):
            inside.append(abs(each.value - value) <= each.error)
    assert 0.6 < np.mean(inside) < 0.85


def _floats(expression):
    numbers = [node.value for node in walk(expression) if isinstance(node, Number)]
    return [value for value in numbers if isinstance(value, float)]


def test_equal_numbers_stay_equal():
    found = fit(law("1.51*x + sin(1.51*y)"), Data(NAMES, measured(law("1.5*x + sin(1.5*y)"))))
    assert len(found.constants) == 1
    assert len(set(_floats(found.expression))) == 1
    assert found.deviation < 2.0


def test_exact_numbers_are_not_fitted():
    found = fit(parse("3*x + y", NAMES), Data(NAMES, measured(law("3.1*x + y"))))
    assert found.constants == ()
    assert found.expression == parse("3*x + y", NAMES)
    assert found.deviation > 1e6


def test_constants_that_start_at_nought_are_fitted_too():
    start = with_constants(form("C*x + C*y"), [0.0, 1.1])
    found = fit(start, Data(NAMES, measured(law("0.25*x + y"))))
    assert [each.value for each in found.constants] == pytest.approx([0.25, 1.0], abs=1e-8)


@pytest.mark.parametrize("rate", [200.01, 500.01])
def test_a_law_that_overflows_is_no_law_but_raises_nothing(rate):
    found = fit(law(f"1.01*exp({rate}*x)"), Data(NAMES, measured(law("exp(3*x)"))))
    assert found.deviation > 1e6


def test_a_law_with_a_number_beyond_all_is_no_law_but_raises_nothing():
    beyond = Apply(Op.MUL, (Number(np.inf), Variable("x")))
    assert fit(beyond, Data(NAMES, measured(law("1.0*x")))).deviation == np.inf


def test_a_law_without_a_value_deviates_without_bound():
    data = measured(law("1.0*x"))
    assert Data(NAMES, data).deviation(parse("log(0 - x)", NAMES)) == np.inf
    assert fit(law("2.5*log(0 - x)"), Data(NAMES, data)).deviation == np.inf


@given(st.floats(1e-8, 1e2), st.integers(0, 1000))
def test_the_truth_deviates_by_about_one(error, seed):
    truth = law("2.5*x*y")
    assert 0.6 < Data(NAMES, measured(truth, error, 200, seed)).deviation(truth) < 1.5


def test_single_points_far_off_do_not_count():
    data = measured(law("2.5*x"))
    data.values[:5] += 1.0
    assert Data(NAMES, data).deviation(law("2.5*x")) < 2.0
