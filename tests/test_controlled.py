"""Controlled experiments as fits want them: honest errors, gaps, and deviations of programs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import form, trials_of

from odevsr.evidence.agreement import Agreement
from odevsr.evidence.controlled import fit_expressions, make_controlled, within_errors
from odevsr.fitting.fit import Effort
from odevsr.fitting.program import compile_program
from odevsr.language.algebra.normal import INVALID, normal_form
from odevsr.world.sample import Sample

EFFORT = Effort()
X = np.linspace(0.5, 2.5, 40)


def test_a_form_explains_only_with_the_right_constants():
    controlled = trials_of([lambda x: 2 * x, lambda x: 3 * x])
    program = compile_program(form("C*x"), ["x"])
    assert controlled.deviation(program, np.array([[2.0], [3.0]])) < controlled.limit
    assert controlled.deviation(program, np.array([[2.0], [3.1]])) > 1e3 * controlled.limit
    assert controlled.deviation(program, np.array([[2.0], [np.nan]])) == np.inf


@settings(max_examples=30)
@given(st.floats(1e-8, 0.1), st.integers(0, 1000))
def test_a_true_law_deviates_by_about_one_error(error, seed):
    controlled = trials_of([lambda x: 2 * x, lambda x: 3 * x + 5], error, seed)
    _, _, fitted = fit_expressions([normal_form(form("C*x + C"))], controlled, EFFORT)
    assert np.all(np.abs(np.sqrt(fitted.losses[0] / controlled.losses_of_errors) - 1.0) < 0.5)


def test_expressions_that_cannot_run_are_passed_over():
    fine = normal_form(form("C*x"))
    expressions, programs, fitted = fit_expressions(
        [INVALID, fine], trials_of([lambda x: x]), EFFORT
    )
    assert expressions == [fine]
    assert len(programs) == len(fitted.losses) == 1


def test_a_trial_that_lost_too_many_points_is_left_out():
    values, errors = np.ones((3, 9)), np.full((3, 9), 1e-9)
    errors[0, :5] = np.inf
    values[1, :2] = np.nan
    states = np.arange(27.0).reshape(3, 9, 1)
    controlled = make_controlled(["x"], Sample(states, values, errors), Agreement())
    assert controlled.trials.points[:, 0, 0].tolist() == [9.0, 18.0]


def test_without_a_trial_there_is_nothing():
    errors = np.full((2, 9), np.inf)
    sample = Sample(np.zeros((2, 9, 1)), np.ones((2, 9)), errors)
    assert make_controlled(["x"], sample, Agreement()) is None


def test_unmeasured_points_have_next_to_no_weight():
    values = np.stack([2 * X])
    values[0, 7] = np.nan
    errors = np.full(values.shape, 1e-9)
    errors[0, 20] = np.inf
    sample = Sample(X[None, :, None], values, errors)
    controlled = make_controlled(["x"], sample, Agreement())
    assert np.sum(controlled.trials.weights < 1e-8) == 2
    _, _, fitted = fit_expressions([normal_form(form("C*x"))], controlled, EFFORT)
    assert fitted.constants[0][0, 0] == pytest.approx(2.0, abs=1e-8)


def test_the_worst_trial_is_the_deviation():
    controlled = trials_of([lambda x: 2 * x, lambda x: 3 * x], error=1e-3)
    program = compile_program(form("C*x"), ["x"])
    each = [
        controlled.deviation(program, np.array(constants))
        for constants in ([[2.0], [3.0]], [[2.1], [3.0]], [[2.0], [3.2]], [[2.1], [3.2]])
    ]
    assert each[0] < 2 < each[1] < each[2] == each[3]


@pytest.mark.parametrize("error", [1e-9, 1e-2])
def test_a_fit_as_good_as_the_errors_is_neither_hopeless_nor_polished_on(error):
    controlled = trials_of([lambda x: 2 * x], error=error)
    _, _, fitted = fit_expressions([normal_form(form("C*x"))], controlled, EFFORT)
    effort = within_errors(EFFORT, controlled)
    assert effort.good_enough < fitted.losses[0][0] < effort.hopeless
