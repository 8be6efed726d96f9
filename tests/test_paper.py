"""Algorithm 1 of the paper: all holes of the start expression filled in one round."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
from laws import FunctionQuantity, error_of, form, make_question

from odevsr.evidence.form import Form
from odevsr.language.algebra.term import split_coefficient, terms
from odevsr.language.expression import Number
from odevsr.language.text import to_text
from odevsr.limits import DEFAULT_LIMITS
from odevsr.settings import Settings
from odevsr.vertical.laws.paper import next_start, solve_jointly

SAMPLED = Settings(proposers=("prior",), rules="bare", expansion="joint", prior_batches=6)
LORENZ = np.array([[-20.0, 20.0], [-27.0, 27.0], [1.0, 48.0]])


def test_the_second_equation_of_lorenz_is_recovered_by_the_prior():
    quantity = FunctionQuantity(lambda x, y, z: x * (28 - z) - y, LORENZ, error=1e-8)
    question = make_question(quantity, SAMPLED, label="y")
    found = solve_jointly(question)
    rounds = question.attempt.journal.rounds
    assert {to_text(split_coefficient(each)[1]) for each in terms(found)} == {"x*z", "x", "y"}
    assert error_of(found, quantity) < 1e-9
    assert [each.variable for each in rounds] == ["x", "y", "z"]
    assert [each.trials for each in rounds] == [5, 5, 1]


def test_a_phase_that_differs_between_trials_is_no_start():
    quantity = FunctionQuantity(lambda x, y: y * np.sin(x) + (0.5 + y**2) * np.cos(x) + 0.3)
    question = make_question(quantity, replace(SAMPLED, rules="weighted"))
    assert error_of(solve_jointly(question), quantity) < 1e-8
    first, second = question.attempt.journal.rounds
    assert first.form == "C*sin(x + C) + C"
    assert "cos(x)" in second.form


def test_where_no_form_explains_the_best_of_all_rounds_is_given():
    settings = Settings(proposers=("prior",), rules="bare", prior_batches=1, batch=50)
    quantity = FunctionQuantity(lambda x, y: np.sin(9 * x * y) / (x + np.cosh(y)))
    question = make_question(quantity, settings)
    found = solve_jointly(question)
    assert found is not None
    assert [each.proposer for each in question.attempt.journal.rounds] == [None, None]
    assert 0.01 < error_of(found, quantity) < 10


def test_a_quantity_that_cannot_be_measured_has_no_law():
    quantity = FunctionQuantity(lambda x, y: x * y, missing=lambda x, y: True)
    assert solve_jointly(make_question(quantity, SAMPLED)) is None


def test_a_quantity_that_depends_on_nothing_is_a_constant():
    quantity = FunctionQuantity(lambda x, y: 2.5)
    assert solve_jointly(make_question(quantity, SAMPLED)) == Number(Fraction(5, 2))


def test_variables_that_do_not_matter_have_no_round():
    quantity = FunctionQuantity(lambda x, y: 3 * y**2)
    question = make_question(quantity, SAMPLED)
    assert error_of(solve_jointly(question), quantity) < 1e-8
    assert [each.variable for each in question.attempt.journal.rounds] == ["y"]


def fitted(deviation):
    constants = np.array([[2.0, 5.0], [3.0, 5.0], [4.0, 5.0]])
    return Form(form("C*x + C"), constants, np.full((3, 2), 1e-9), deviation, "test")


def test_the_next_start_has_holes_for_summary_constants_and_values_for_the_others():
    assert next_start(fitted(1.0), limit=3.0, limits=DEFAULT_LIMITS) == form("A*x + 5")


def test_all_constants_of_a_form_that_does_not_explain_are_summary_constants():
    assert next_start(fitted(4.0), limit=3.0, limits=DEFAULT_LIMITS) == form("A*x + A")
