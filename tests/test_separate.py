"""From forms to a law: which constants trials share, what separates, and products of spans."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import NAMES, form
from machines import values_of

from odevsr.evidence.form import Form
from odevsr.language.algebra.normal import normal_form
from odevsr.language.expression import CONSTANT, Constant, complexity, count
from odevsr.language.parse import parse
from odevsr.limits import DEFAULT_LIMITS
from odevsr.vertical.asking.separate import (
    Shared,
    classify,
    frozen,
    number_of,
    product_terms,
    span,
    with_phase,
)


def fitted(text, constants, error=1e-9):
    """A form with constants (K, m), all with the same error."""
    values = np.array(constants, dtype=float)
    return Form(normal_form(form(text)), values, np.full(values.shape, error), 1.0, "test")


def functions(*texts):
    return {normal_form(parse(text, ["x"])) for text in texts}


def test_different_phases_are_spanned_by_sine_and_cosine():
    found = span(fitted("C*sin(x + C)", [[1, 0.3], [2, 1.7], [3, -0.4]]), DEFAULT_LIMITS)
    assert set(found) == functions("sin(x)", "cos(x)")


@pytest.mark.parametrize(
    ("text", "phased"),
    [
        ("C*sin(x) + C*cos(x)", "C*sin(x + C)"),
        ("C*sin(2*x) + C*cos(2*x) + C", "C*sin(2*x + C) + C"),
        ("C*sin(x) + C*cos(2*x)", "C*sin(x) + C*cos(2*x)"),
        ("C*sin(x + C) + C*x", "C*sin(x + C) + C*x"),
    ],
)
def test_a_sine_and_a_cosine_of_the_same_are_one_with_a_phase(text, phased):
    assert with_phase(normal_form(form(text))) == normal_form(form(phased))


def test_a_factor_stays_with_the_sine_and_the_cosine():
    found = span(fitted("C*x*sin(x + C)", [[1, 0.3], [2, 1.7], [3, -0.4]]), DEFAULT_LIMITS)
    assert set(found) == functions("x*sin(x)", "x*cos(x)")


def test_a_phase_that_all_trials_share_stays_where_it_is():
    found = span(fitted("C*sin(x + C)", [[1, 0.5], [2, 0.5], [3, 0.5]]), DEFAULT_LIMITS)
    assert set(found) == functions("sin(x + 1/2)")


def test_a_rate_that_differs_between_trials_does_not_separate():
    assert span(fitted("C*exp(C*x)", [[1, 0.3], [2, 0.7], [3, -0.4]]), DEFAULT_LIMITS) is None


def test_coefficients_do_not_matter_and_every_function_comes_once():
    found = span(
        fitted("C*x^2 + C*exp(C*x) + C", [[1, 2, -0.7, 3], [4, 5, -0.7, 6]]), DEFAULT_LIMITS
    )
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
    basis = np.stack(
        [values_of(each, x, names=["x"]) for each in span(found, DEFAULT_LIMITS)], axis=1
    )
    for constants in found.constants:
        wanted = values_of(found.expression, x, constants, names=["x"])
        coefficients = np.linalg.lstsq(basis, wanted, rcond=None)[0]
        np.testing.assert_allclose(basis @ coefficients, wanted, atol=1e-7)


def test_frozen_forms_keep_open_only_what_differs_between_trials():
    found = fitted("C*x + C*exp(C*x)", [[2.5, 1, -0.7], [2.5, 3, -0.7], [2.5, 4, -0.7]])
    assert frozen(found, DEFAULT_LIMITS, coefficients=True) == normal_form(
        form("C*exp(-7/10*x) + 5/2*x")
    )
    assert frozen(found, DEFAULT_LIMITS, coefficients=False) == normal_form(
        form("C*exp(-7/10*x) + C*x")
    )


def test_a_form_that_is_nothing_but_a_constant_freezes_to_it():
    assert frozen(fitted("C", [[2.0], [3.0]]), DEFAULT_LIMITS, coefficients=True) == CONSTANT
    assert (
        count(frozen(fitted("C", [[2.0], [2.0]]), DEFAULT_LIMITS, coefficients=True), Constant) == 0
    )


@pytest.mark.parametrize(
    ("value", "error", "number"),
    [(2.66666666666, 1e-10, Fraction(8, 3)), (0.7182818, 1e-3, 0.7182818)],
)
def test_shared_constants_are_exact_where_their_errors_allow_it(value, error, number):
    assert number_of(Shared(value, error), DEFAULT_LIMITS) == number


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
    (shared,) = classify(*noisy(mean, error, trials, seed), DEFAULT_LIMITS)
    assert not shared.is_summary
    assert abs(shared.value - mean) <= 8 * shared.error


@given(size=sizes, step=st.floats(50, 1e6), trials=st.integers(3, 12), seed=seeds)
def test_a_constant_that_differs_by_many_errors_is_summary(size, step, trials, seed):
    error = 1e-8 * size
    constants, errors = noisy(size, error, trials, seed)
    constants[0] += step * error
    assert classify(constants, errors, DEFAULT_LIMITS)[0].is_summary


@given(size=sizes, trials=st.integers(1, 10))
def test_the_error_of_a_shared_constant_falls_with_the_root_of_the_trials(size, trials):
    (shared,) = classify(
        np.full((trials, 1), size), np.full((trials, 1), 1e-3 * size), DEFAULT_LIMITS
    )
    assert shared.value == pytest.approx(size)
    assert shared.error == pytest.approx(1e-3 * size / np.sqrt(trials))


def test_trials_count_by_their_errors_and_those_that_know_nothing_not_at_all():
    (shared,) = classify(
        np.array([[2.0], [3.0], [77.0]]), np.array([[1e-3], [1e3], [np.inf]]), DEFAULT_LIMITS
    )
    assert shared.value == pytest.approx(2.0, abs=1e-6)
    assert not shared.is_summary


def test_a_constant_of_which_nothing_is_known_is_no_summary_constant():
    (shared,) = classify(np.array([[1.0], [5.0]]), np.full((2, 1), np.inf), DEFAULT_LIMITS)
    assert shared.error == np.inf
    assert not shared.is_summary


def test_every_constant_is_classified_on_its_own():
    constants = np.array([[1.0, 5.0], [1.0, 6.0], [1.0, 7.0]])
    kinds = classify(constants, np.full((3, 2), 1e-6), DEFAULT_LIMITS)
    assert [kind.is_summary for kind in kinds] == [False, True]


POWERS = [tuple(parse(text, NAMES) for text in ("1", n, f"{n}**2")) for n in NAMES]
EVERYTHING = product_terms(POWERS, np.ones((3, 3), dtype=bool))


def written(*texts):
    return {normal_form(parse(text, NAMES)) for text in texts}


def test_all_products_of_the_functions_are_made_the_simplest_first():
    assert len(EVERYTHING) == len(set(EVERYTHING)) == 27
    sizes = [complexity(term) for term in EVERYTHING]
    assert sizes == sorted(sizes)
    assert normal_form(parse("x**2*y*z", NAMES)) in EVERYTHING


def test_variables_that_do_not_interact_never_meet_in_a_term():
    interacts = np.eye(3, dtype=bool)
    interacts[0, 1] = interacts[1, 0] = True
    found = product_terms([each[:2] for each in POWERS], interacts)
    assert set(found) == written("1", "x", "y", "z", "x*y")


def test_too_many_products_are_refused():
    many = [tuple(parse(f"{n}**{k}", NAMES) for k in range(1, 13)) for n in NAMES]
    assert product_terms(many, np.ones((3, 3), dtype=bool)) is None
