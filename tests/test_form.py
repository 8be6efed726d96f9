"""Forms that explain all trials, with parts that no trial needs left out."""

import numpy as np
import pytest
from laws import form, trials_of

from odevsr.evidence.controlled import fit_expressions
from odevsr.evidence.form import Form, _runs_away, accepted_forms
from odevsr.fitting.fit import Effort
from odevsr.language.algebra.normal import normal_form

EFFORT = Effort()


def forms_for(controlled, *texts):
    expressions, programs, fitted = fit_expressions(
        [normal_form(form(text)) for text in texts], controlled, EFFORT
    )
    return accepted_forms(expressions, programs, fitted, controlled, EFFORT, "test")


def test_the_form_behind_all_trials_is_accepted_with_a_constant_for_each():
    controlled = trials_of([lambda x: 2 * np.exp(-0.7 * x), lambda x: 5 * np.exp(0.3 * x)])
    (found,) = forms_for(controlled, "C*exp(C*x)", "C*x + C", "C*sin(x) + C")
    assert found.expression == normal_form(form("C*exp(C*x)"))
    truth = np.array([[2.0, -0.7], [5.0, 0.3]])
    assert np.all(np.abs(found.constants - truth) <= 6 * found.errors)
    assert found.deviation < 2.0
    assert found.proposer == "test"


def test_a_form_that_fails_in_one_trial_is_not_accepted():
    controlled = trials_of([lambda x: 2 * x, lambda x: 2 * x + 1e-3 * x**2])
    assert forms_for(controlled, "C*x") == []


def test_an_idle_part_inside_a_function_is_left_out():
    controlled = trials_of([lambda x: 2 * np.exp(0.5 * x) + 1])
    (found,) = forms_for(controlled, "C*exp(C*x + C*x**2) + C")
    assert found.expression == normal_form(form("C*exp(C*x) + C"))
    assert found.constants == pytest.approx(np.array([[2.0, 0.5, 1.0]]))


def test_a_part_inside_a_function_that_one_trial_needs_is_kept():
    controlled = trials_of([lambda x: np.exp(0.5 * x), lambda x: np.exp(0.5 * x - 0.1 * x**2)])
    (found,) = forms_for(controlled, "C*exp(C*x + C*x**2)")
    assert found.expression == normal_form(form("C*exp(C*x + C*x**2)"))


def test_accepted_forms_stand_in_order_of_their_constants():
    controlled = trials_of([lambda x: 2 * x, lambda x: 3 * x])
    ranks = [each.rank for each in forms_for(controlled, "C*x^C", "C*x")]
    assert len(ranks) == 2
    assert ranks == sorted(ranks)


def test_terms_that_no_trial_needs_are_left_out():
    controlled = trials_of([lambda x: 3 * x + 1, lambda x: 5 * x - 2])
    (found,) = forms_for(controlled, "C*x^3 + C*x^2 + C*x + C")
    assert found.expression == normal_form(form("C*x + C"))


def test_a_term_that_one_trial_needs_stays():
    controlled = trials_of([lambda x: 3 * x, lambda x: 3 * x + x**2])
    (found,) = forms_for(controlled, "C*x^2 + C*x")
    assert found.expression == normal_form(form("C*x^2 + C*x"))


def test_idle_terms_beside_functions_with_constants_are_told_apart():
    controlled = trials_of([lambda x: np.exp(-x), lambda x: 2 * np.exp(-2 * x)])
    (found,) = forms_for(controlled, "C*exp(C*x) + C*x^2 + C*x")
    assert found.expression == normal_form(form("C*exp(C*x)"))


def test_a_few_points_far_off_do_not_decide():
    controlled = trials_of([lambda x: 2 * x, lambda x: 3 * x], outliers=2)
    assert len(forms_for(controlled, "C*x")) == 1
    assert forms_for(trials_of([lambda x: 2 * x], outliers=15), "C*x") == []


def test_no_expressions_have_no_forms():
    assert forms_for(trials_of([lambda x: x])) == []


def test_a_form_runs_away_if_a_constant_is_huge_and_might_be_any_in_every_trial():
    def fitted(constants, errors):
        return Form(form("C*x"), np.array(constants), np.array(errors), 1.0, "test")

    assert _runs_away(fitted([[1.0, 7e15], [2.0, 3e12]], [[0.1, np.inf], [0.1, 7e179]]))
    assert not _runs_away(fitted([[1.0, 7e15], [2.0, 3e12]], [[0.1, 1e3], [0.1, 7e179]]))
    assert not _runs_away(fitted([[1.0]], [[np.inf]]))
