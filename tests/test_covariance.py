"""Error bars of constants agree with theory and with what noise does."""

import numpy as np
import pytest

from odevsr.fitting.covariance import covariance, standard_errors, value_and_jacobian
from odevsr.fitting.fit import Effort, fit_programs, make_trials, start_multipliers
from odevsr.fitting.program import compile_program
from odevsr.language.algebra.normal import normal_form
from odevsr.language.parse import parse

NAMES = ("x0", "x1")
STARTS = start_multipliers(8, np.random.default_rng(0))


def program_of(text):
    return compile_program(normal_form(parse(text, NAMES, open_symbols=True)), NAMES)


def test_a_straight_line_has_the_errors_of_the_textbook():
    rng = np.random.default_rng(0)
    points = rng.uniform(-1, 2, (2, 80))
    errors = rng.uniform(0.1, 0.5, 80)
    found = covariance(program_of("C*x0 + C"), np.array([2.0, 3.0]), points, errors)
    design = np.stack([points[0], np.ones(80)], axis=1) / errors[:, None]
    assert found == pytest.approx(np.linalg.inv(design.T @ design))


def test_a_constant_whose_effect_is_too_small_to_square_is_undetermined():
    points = np.linspace(500, 600, 20) * np.ones((2, 1))
    found = covariance(program_of("exp(C*x0)"), np.array([-0.8]), points, np.ones(20))
    assert found.tolist() == [[np.inf]]


def test_fitted_constants_scatter_as_their_errors_say():
    rng = np.random.default_rng(1)
    points = rng.uniform(0.5, 3.0, (60, 100, 2))
    truth = np.array([2.0, 0.6, -1.0])
    clean = truth[0] * np.exp(-truth[1] * points[..., 0]) + truth[2] * points[..., 1]
    errors = np.full(clean.shape, 0.05)
    trials = make_trials(points, clean + errors * rng.normal(size=clean.shape), errors)
    program = program_of("C*exp(C*x0) + C*x1")
    fitted = fit_programs([program], trials, STARTS, Effort())
    found = fitted.constants[0]
    expected = np.array([truth[2], truth[0], -truth[1]])
    deviations = (found - expected) / standard_errors(program, found, trials)
    assert np.sqrt(np.mean(deviations**2, axis=0)) == pytest.approx(np.ones(3), abs=0.3)


@pytest.mark.parametrize("text", ["C*sqrt(C*x0)", "C*log(C*x0) + C", "C*(C*x0)^C"])
def test_what_the_data_do_not_determine_has_infinite_errors(text):
    program = program_of(text)
    points = np.random.default_rng(2).uniform(0.5, 3.0, (2, 50))
    found = covariance(program, np.full(program.constants, 1.3), points, np.ones(50))
    assert np.all(np.isinf(found))


def test_where_there_is_no_value_there_is_no_error_bar():
    points = np.array([[-1.0, 2.0], [0.0, 0.0]])
    program = program_of("C*log(x0)")
    values, jacobian = value_and_jacobian(program, np.array([1.0]), points)
    assert np.all(np.isnan(values))
    assert jacobian.shape == (2, 1)
    assert np.isinf(covariance(program, np.array([1.0]), points, np.ones(2)))


def test_a_program_without_constants_has_no_errors():
    found = covariance(program_of("x0"), np.empty(0), np.ones((2, 5)), np.ones(5))
    assert found.shape == (0, 0)
