"""Spans: the functions of one variable that a form is made of in every trial."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import form
from machines import values_of

from odevsr.evidence.exact import Shared
from odevsr.evidence.form import Form
from odevsr.language.expression import CONSTANT, Constant, count
from odevsr.language.normal import normal_form
from odevsr.language.parse import parse
from odevsr.vertical.separate import frozen, number_of, span


def fitted(text, constants, error=1e-9):
    """A form with constants (K, m), all with the same error."""
    values = np.array(constants, dtype=float)
    return Form(normal_form(form(text)), values, np.full(values.shape, error), 1.0, "test")


def functions(*texts):
    return {normal_form(parse(text, ["x"])) for text in texts}


def test_different_phases_are_spanned_by_sine_and_cosine():
    found = span(fitted("C*sin(x + C)", [[1, 0.3], [2, 1.7], [3, -0.4]]))
    assert set(found) == functions("sin(x)", "cos(x)")


def test_a_factor_stays_with_the_sine_and_the_cosine():
    found = span(fitted("C*x*sin(x + C)", [[1, 0.3], [2, 1.7], [3, -0.4]]))
    assert set(found) == functions("x*sin(x)", "x*cos(x)")


def test_a_phase_that_all_trials_share_stays_where_it_is():
    found = span(fitted("C*sin(x + C)", [[1, 0.5], [2, 0.5], [3, 0.5]]))
    assert set(found) == functions("sin(x + 1/2)")


def test_a_rate_that_differs_between_trials_does_not_separate():
    assert span(fitted("C*exp(C*x)", [[1, 0.3], [2, 0.7], [3, -0.4]])) is None


def test_coefficients_do_not_matter_and_every_function_comes_once():
    found = span(fitted("C*x^2 + C*exp(C*x) + C", [[1, 2, -0.7, 3], [4, 5, -0.7, 6]]))
    assert len(found) == 3
    assert set(found) == functions("x**2", "exp(-7/10*x)", "1")


@given(
    rate=st.floats(0.3, 3.0),
    phases=st.lists(st.floats(-3.0, 3.0), min_size=3, max_size=3),
    scales=st.lists(st.floats(0.5, 4.0), min_size=3, max_size=3),
)
def test_the_span_reaches_the_form_in_every_trial(rate, phases, scales):
    found = fitted(
        "C*x + C*sin(C*x + C)",
        [[2 * a, a, rate, p] for a, p in zip(scales, phases, strict=True)],
    )
    x = np.linspace(-1.0, 2.0, 40)[None]
    basis = np.stack([values_of(each, x, names=["x"]) for each in span(found)], axis=1)
    for constants in found.constants:
        wanted = values_of(found.expression, x, constants, names=["x"])
        coefficients = np.linalg.lstsq(basis, wanted, rcond=None)[0]
        np.testing.assert_allclose(basis @ coefficients, wanted, atol=1e-7)


def test_frozen_forms_keep_open_only_what_differs_between_trials():
    found = fitted("C*x + C*exp(C*x)", [[2.5, 1, -0.7], [2.5, 3, -0.7], [2.5, 4, -0.7]])
    assert frozen(found, coefficients=True) == normal_form(form("C*exp(-7/10*x) + 5/2*x"))
    assert frozen(found, coefficients=False) == normal_form(form("C*exp(-7/10*x) + C*x"))


def test_a_form_that_is_nothing_but_a_constant_freezes_to_it():
    assert frozen(fitted("C", [[2.0], [3.0]]), coefficients=True) == CONSTANT
    assert count(frozen(fitted("C", [[2.0], [2.0]]), coefficients=True), Constant) == 0


@pytest.mark.parametrize(
    ("value", "error", "number"),
    [(2.66666666666, 1e-10, Fraction(8, 3)), (0.7182818, 1e-3, 0.7182818)],
)
def test_shared_constants_are_exact_where_their_errors_allow_it(value, error, number):
    assert number_of(Shared(value, error, 1.0)) == number
