"""Problems: K trials with honest errors, and the forms that explain them all."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import form

from odevsr.evidence.form import (
    Form,
    _runs_away,
    accepted_forms,
    deviations,
    explains,
    fit_expressions,
    honest_errors,
    make_problem,
    usable_trials,
)
from odevsr.fitting.fit import Effort, start_multipliers
from odevsr.fitting.program import compile_program
from odevsr.language.normal import INVALID, normal_form

STARTS = start_multipliers(16, np.random.default_rng(0))
EFFORT = Effort()
X = np.linspace(0.5, 2.5, 40)


def problem_of(functions, error=1e-9, seed=0, outliers=0):
    """One trial a function of x, with Gaussian errors; outliers are off by 30 errors."""
    rng = np.random.default_rng(seed)
    values = np.stack([function(X) for function in functions])
    noise = rng.standard_normal(values.shape)
    noise[:, :outliers] = 30.0
    states = np.broadcast_to(X[None, :, None], (*values.shape, 1))
    errors = np.full(values.shape, error)
    return make_problem(["x"], states, values + error * noise, errors, STARTS)


def forms_for(problem, *texts):
    expressions, programs, fitted = fit_expressions(
        [normal_form(form(text)) for text in texts], problem, EFFORT
    )
    return accepted_forms(expressions, programs, fitted, problem, EFFORT, "test")


def test_the_form_behind_all_trials_is_accepted_with_a_constant_for_each():
    problem = problem_of([lambda x: 2 * np.exp(-0.7 * x), lambda x: 5 * np.exp(0.3 * x)])
    (found,) = forms_for(problem, "C*exp(C*x)", "C*x + C", "C*sin(x) + C")
    assert found.expression == normal_form(form("C*exp(C*x)"))
    truth = np.array([[2.0, -0.7], [5.0, 0.3]])
    assert np.all(np.abs(found.constants - truth) <= 6 * found.errors)
    assert found.deviation < 2.0
    assert found.proposer == "test"


def test_a_form_that_fails_in_one_trial_is_not_accepted():
    problem = problem_of([lambda x: 2 * x, lambda x: 2 * x + 1e-3 * x**2])
    assert forms_for(problem, "C*x") == []


def test_an_idle_part_inside_a_function_is_left_out():
    problem = problem_of([lambda x: 2 * np.exp(0.5 * x) + 1])
    (found,) = forms_for(problem, "C*exp(C*x + C*x**2) + C")
    assert found.expression == normal_form(form("C*exp(C*x) + C"))
    assert found.constants == pytest.approx(np.array([[2.0, 0.5, 1.0]]))


def test_a_part_inside_a_function_that_one_trial_needs_is_kept():
    problem = problem_of([lambda x: np.exp(0.5 * x), lambda x: np.exp(0.5 * x - 0.1 * x**2)])
    (found,) = forms_for(problem, "C*exp(C*x + C*x**2)")
    assert found.expression == normal_form(form("C*exp(C*x + C*x**2)"))


def test_accepted_forms_stand_in_order_of_their_constants():
    problem = problem_of([lambda x: 2 * x, lambda x: 3 * x])
    ranks = [each.rank for each in forms_for(problem, "C*x^C", "C*x")]
    assert len(ranks) == 2
    assert ranks == sorted(ranks)


def test_terms_that_no_trial_needs_are_left_out():
    problem = problem_of([lambda x: 3 * x + 1, lambda x: 5 * x - 2])
    (found,) = forms_for(problem, "C*x^3 + C*x^2 + C*x + C")
    assert found.expression == normal_form(form("C*x + C"))


def test_a_term_that_one_trial_needs_stays():
    problem = problem_of([lambda x: 3 * x, lambda x: 3 * x + x**2])
    (found,) = forms_for(problem, "C*x^2 + C*x")
    assert found.expression == normal_form(form("C*x^2 + C*x"))


def test_idle_terms_beside_functions_with_constants_are_told_apart():
    problem = problem_of([lambda x: np.exp(-x), lambda x: 2 * np.exp(-2 * x)])
    (found,) = forms_for(problem, "C*exp(C*x) + C*x^2 + C*x")
    assert found.expression == normal_form(form("C*exp(C*x)"))


def test_a_few_points_far_off_do_not_decide():
    problem = problem_of([lambda x: 2 * x, lambda x: 3 * x], outliers=2)
    assert len(forms_for(problem, "C*x")) == 1
    assert forms_for(problem_of([lambda x: 2 * x], outliers=15), "C*x") == []


def test_a_form_explains_only_with_the_right_constants():
    problem = problem_of([lambda x: 2 * x, lambda x: 3 * x])
    program = compile_program(form("C*x"), ["x"])
    assert explains(program, np.array([[2.0], [3.0]]), problem)
    assert not explains(program, np.array([[2.0], [3.1]]), problem)
    assert not explains(program, np.array([[2.0], [np.nan]]), problem)


@settings(max_examples=30)
@given(st.floats(1e-8, 0.1), st.integers(0, 1000))
def test_a_true_law_deviates_by_about_one_error(error, seed):
    problem = problem_of([lambda x: 2 * x, lambda x: 3 * x + 5], error, seed)
    _, _, fitted = fit_expressions([normal_form(form("C*x + C"))], problem, EFFORT)
    assert np.all(np.abs(deviations(fitted.losses[0], problem) - 1.0) < 0.5)


def test_expressions_that_cannot_run_are_passed_over():
    fine = normal_form(form("C*x"))
    expressions, programs, fitted = fit_expressions(
        [INVALID, fine], problem_of([lambda x: x]), EFFORT
    )
    assert expressions == [fine]
    assert len(programs) == len(fitted.losses) == 1


def test_no_expressions_have_no_forms():
    assert forms_for(problem_of([lambda x: x])) == []


def test_a_trial_that_lost_too_many_points_is_left_out():
    values, errors = np.ones((3, 9)), np.full((3, 9), 1e-9)
    errors[0, :3] = np.inf
    values[1, :2] = np.nan
    assert usable_trials(values, errors).tolist() == [False, True, True]
    states = np.zeros((3, 9, 1)) + np.arange(9)[:, None]
    assert len(make_problem(["x"], states, values, errors, STARTS).trials.targets) == 2


def test_unmeasured_points_have_next_to_no_weight():
    values = np.stack([2 * X])
    values[0, 7] = np.nan
    errors = np.full(values.shape, 1e-9)
    errors[0, 20] = np.inf
    problem = make_problem(["x"], X[None, :, None], values, errors, STARTS)
    assert np.sum(problem.trials.weights < 1e-8) == 2
    (found,) = forms_for(problem, "C*x")
    assert found.constants[0, 0] == pytest.approx(2.0, abs=1e-8)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=9), st.floats(0, 1e6), st.integers(1, 3))
def test_honest_errors_are_never_nought_and_never_less_than_claimed(values, error, trials):
    data = np.tile(values, (trials, 1))
    honest = honest_errors(data, np.full(data.shape, error))
    assert honest.shape == data.shape
    assert np.all(honest > 0)
    assert np.all(honest >= error)
    assert np.all(honest >= 0.99e-12 * np.sqrt(np.mean(np.square(values))))
    assert np.all(honest <= error + 1.01e-12 * np.max(np.abs(values)) + 1e-299)


def test_a_form_runs_away_if_a_constant_is_huge_and_might_be_any_in_every_trial():
    def fitted(constants, errors):
        return Form(form("C*x"), np.array(constants), np.array(errors), 1.0, "test")

    assert _runs_away(fitted([[1.0, 7e15], [2.0, 3e12]], [[0.1, np.inf], [0.1, 7e179]]))
    assert not _runs_away(fitted([[1.0, 7e15], [2.0, 3e12]], [[0.1, 1e3], [0.1, 7e179]]))
    assert not _runs_away(fitted([[1.0]], [[np.inf]]))
