"""The vertical method on laws given as functions: found, or not found, never wrong."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from laws import FunctionQuantity, error_of, make_question

from odevsr.language.expression import Number, variables
from odevsr.limits import DEFAULT_LIMITS
from odevsr.settings import Settings
from odevsr.vertical.asking.quantity import Held
from odevsr.vertical.laws.solve import _tiers, constant_law, solve
from odevsr.world.experiments.budget import OutOfBudgetError

QUICK = Settings(proposers=("catalogue", "prior"), prior_batches=1, batch=100)


@pytest.mark.parametrize(
    "function",
    [
        pytest.param(lambda x, y: 3 * x * y - 2 * y**2 + np.sin(x), id="separable"),
        pytest.param(lambda x, y: x * y / (1.5 + x + 2 * y**2), id="mixed denominator"),
        pytest.param(lambda x, y: np.exp(-0.7 * x * y), id="rate times both"),
        pytest.param(lambda x, y: np.sin(x - y), id="sine of a difference"),
        pytest.param(lambda x, y: np.sqrt(x - y + 3), id="root of a difference"),
        pytest.param(lambda x, y: np.tanh(0.8 * x + 1.3 * y), id="tanh of a sum"),
        pytest.param(lambda x, y: y**3 + 1, id="one variable"),
        pytest.param(lambda x, y: y * np.exp(-x) + 1e-3 * x, id="a small term"),
    ],
)
def test_laws_are_recovered(function):
    quantity = FunctionQuantity(function)
    assert error_of(solve(make_question(quantity)), quantity) < 1e-8


def test_a_law_of_three_variables_is_recovered_though_one_separates_and_two_do_not():
    box = np.array([[0.5, 2.5], [0.5, 2.0], [-1.0, 1.0]])
    quantity = FunctionQuantity(lambda x, y, z: x * z**2 / (x + 2 * y + 1) - z, box)
    question = make_question(quantity)
    assert error_of(solve(question), quantity) < 1e-8
    assert any("." in each.target for each in question.attempt.journal.rounds)


def test_a_constant_is_found_without_a_round():
    question = make_question(FunctionQuantity(lambda x, y: 2.75))
    assert solve(question) == Number(Fraction(11, 4))
    assert question.attempt.journal.rounds == []


def test_what_does_not_matter_is_not_in_the_law():
    quantity = FunctionQuantity(lambda x, y: y**3 + 1)
    assert variables(solve(make_question(quantity))) == {"y"}


def test_every_round_of_the_equation_is_written_down():
    question = make_question(FunctionQuantity(lambda x, y: x * y + x**2 + y), label="dx")
    solve(question)
    rounds = [(each.target, each.variable) for each in question.attempt.journal.rounds]
    assert rounds == [("dx", "x"), ("dx", "y")]


def test_without_a_catalogue_the_grammar_is_sampled():
    quantity = FunctionQuantity(lambda x, y: 3 * x * y + 2)
    question = make_question(quantity, Settings(proposers=("prior",), rules="bare"))
    assert error_of(solve(question), quantity) < 1e-8
    assert {each.proposer for each in question.attempt.journal.rounds} == {"prior"}


@pytest.mark.parametrize("names", [("prior",), ("lstm",)])
def test_without_a_catalogue_summary_constants_of_two_variables_are_searched_too(names):
    quantity = FunctionQuantity(lambda x, y: x * y + x**2 + y)
    settings = Settings(proposers=names, batch=200, epochs=6, width=16)
    question = make_question(quantity, settings, depth=1)
    assert error_of(solve(question), quantity) < 1e-8
    assert {"x", "y"} <= {
        each.variable for each in question.attempt.journal.rounds if each.proposer
    }


@pytest.mark.parametrize(
    ("depth", "variables", "sampled"),
    [(0, 1, True), (0, 2, True), (1, 1, True), (1, 2, False), (3, 1, True), (3, 2, False)],
)
def test_beside_a_catalogue_constants_of_several_variables_are_not_sampled(
    depth, variables, sampled
):
    box = np.array([[0.5, 2.5], [0.2, 1.5]])[:variables]
    quantity = FunctionQuantity(lambda *columns: sum(columns), box)
    question = make_question(quantity, depth=depth)
    assert _tiers(question) == question.attempt.proposers.tiers(sampling=sampled)


@pytest.mark.usefixtures("few_families")
def test_the_grammar_is_sampled_where_families_have_no_form():
    rough = FunctionQuantity(lambda x: np.abs(np.sin(8 / x)) ** 0.3, np.array([[0.1, 1.0]]))
    question = make_question(rough, QUICK)
    assert solve(question) is None
    first, *others = [each.candidates for each in question.attempt.journal.rounds]
    assert min(others) < first


terms = st.sampled_from(
    [
        lambda x, y: x * y,
        lambda x, y: y**2,
        lambda x, y: np.sin(x + y),
        lambda x, y: np.exp(-x),
        lambda x, y: 1 / (x + 2),
        lambda x, y: x**2 * np.cos(y),
        lambda x, y: np.cosh(x * y) ** 0.3,
    ]
)


@pytest.mark.usefixtures("few_families")
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(terms, min_size=1, max_size=3), st.integers(0, 1000))
def test_whatever_is_returned_is_the_law(chosen, seed):
    quantity = FunctionQuantity(lambda x, y: sum(term(x, y) for term in chosen))
    found = solve(make_question(quantity, QUICK, seed))
    assert found is None or error_of(found, quantity) < 1e-8


@pytest.mark.usefixtures("few_families")
def test_a_law_out_of_reach_is_not_found():
    quantity = FunctionQuantity(lambda x, y: np.cosh(x * y + np.sin(y * y)) ** 0.3 + x)
    assert solve(make_question(quantity, QUICK)) is None


@pytest.mark.usefixtures("few_families")
@pytest.mark.parametrize("number", [0, 1, 2, 3, 4])
def test_a_quantity_that_cannot_be_measured_any_more_has_no_law_and_raises_nothing(number):
    quantity = FunctionQuantity(lambda x, y: x * y + 1)
    left = iter(range(number))
    quantity.missing = lambda x, y: next(left, None) is None
    assert solve(make_question(quantity, QUICK)) is None


def test_the_same_randomness_finds_the_same_law():
    found = [
        solve(make_question(FunctionQuantity(lambda x, y: np.exp(-0.7 * x * y)), seed=5))
        for _ in range(2)
    ]
    assert found[0] == found[1]


def test_a_spent_budget_ends_the_search():
    calls = []

    def check():
        calls.append(None)
        if len(calls) > 3:
            raise OutOfBudgetError("spent")

    quantity = FunctionQuantity(lambda x, y: x * y)
    with pytest.raises(OutOfBudgetError):
        solve(make_question(quantity, check_budget=check))


def test_the_law_of_a_constant_is_its_exact_value_if_it_has_one():
    base = np.array([1.0, 1.0])
    third = Held(FunctionQuantity(lambda x, y: x / 3), (), base)
    assert constant_law(third, DEFAULT_LIMITS) == Number(Fraction(1, 3))
    unknown = FunctionQuantity(lambda x, y: x / 3, missing=lambda x, y: True)
    assert constant_law(Held(unknown, (), base), DEFAULT_LIMITS) is None
