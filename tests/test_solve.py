"""The vertical method on laws given as functions: found, or not found, never wrong."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from laws import FunctionTarget, error_of, make_bench

from odevsr.language.expression import Number, variables
from odevsr.search import families, proposers
from odevsr.settings import Settings
from odevsr.vertical.rounds import OutOfBudgetError
from odevsr.vertical.solve import constant_law, solve
from odevsr.vertical.target import RestrictedTarget

QUICK = Settings(prior_batches=1, epochs=0, batch=100)


@pytest.fixture
def few_families(monkeypatch):
    """The first tier alone, so that a search in vain is short."""
    monkeypatch.setattr(proposers, "TIERS", families.TIERS[:1])


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
    target = FunctionTarget(function)
    assert error_of(solve(target, make_bench(), "x"), target) < 1e-8


def test_a_law_of_three_variables_is_recovered_though_one_separates_and_two_do_not():
    box = np.array([[0.5, 2.5], [0.5, 2.0], [-1.0, 1.0]])
    target = FunctionTarget(lambda x, y, z: x * z**2 / (x + 2 * y) - z, box)
    bench = make_bench()
    assert error_of(solve(target, bench, "x"), target) < 1e-8
    assert any("." in each.target for each in bench.rounds)


def test_a_constant_is_found_without_a_round():
    bench = make_bench()
    assert solve(FunctionTarget(lambda x, y: 2.75), bench, "x") == Number(Fraction(11, 4))
    assert bench.rounds == []


def test_what_does_not_matter_is_not_in_the_law():
    target = FunctionTarget(lambda x, y: y**3 + 1)
    assert variables(solve(target, make_bench(), "x")) == {"y"}


def test_every_round_of_the_equation_is_written_down():
    bench = make_bench()
    solve(FunctionTarget(lambda x, y: x * y), bench, "dx")
    assert [(each.target, each.variable) for each in bench.rounds] == [("dx", "x"), ("dx", "y")]


def test_without_families_the_grammar_is_sampled():
    settings = Settings(families=False, policy="uniform", epochs=0)
    target = FunctionTarget(lambda x, y: 3 * x * y + 2)
    bench = make_bench(settings)
    assert error_of(solve(target, bench, "x"), target) < 1e-8
    assert {each.proposer for each in bench.rounds} == {"prior"}


@pytest.mark.usefixtures("few_families")
def test_the_grammar_is_sampled_where_families_have_no_form():
    bench = make_bench(QUICK)
    assert (
        solve(
            FunctionTarget(lambda x: np.abs(np.sin(8 / x)) ** 0.3, np.array([[0.1, 1.0]])),
            bench,
            "x",
        )
        is None
    )
    assert len(bench.rounds) == 2
    assert bench.rounds[1].candidates < bench.rounds[0].candidates


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
    target = FunctionTarget(lambda x, y: sum(term(x, y) for term in chosen))
    found = solve(target, make_bench(QUICK, seed), "x")
    assert found is None or error_of(found, target) < 1e-8


@pytest.mark.usefixtures("few_families")
def test_a_law_out_of_reach_is_not_found():
    target = FunctionTarget(lambda x, y: np.cosh(x * y) ** 0.3)
    assert solve(target, make_bench(QUICK), "x") is None


@pytest.mark.usefixtures("few_families")
@pytest.mark.parametrize("number", [0, 1, 2, 3, 4])
def test_a_target_that_cannot_be_measured_any_more_has_no_law_and_raises_nothing(number):
    target = FunctionTarget(lambda x, y: x * y + 1)
    plain, left = target.measure, iter(range(number))

    def measure(states):
        values, errors = plain(states)
        return values, errors if next(left, None) is not None else np.full(errors.shape, np.inf)

    target.measure = measure
    assert solve(target, make_bench(QUICK), "x") is None


def test_the_same_randomness_finds_the_same_law():
    found = [
        solve(FunctionTarget(lambda x, y: np.exp(-0.7 * x * y)), make_bench(seed=5), "x")
        for _ in range(2)
    ]
    assert found[0] == found[1]


def test_a_spent_budget_ends_the_search():
    calls = []

    def check():
        calls.append(None)
        if len(calls) > 3:
            raise OutOfBudgetError("spent")

    with pytest.raises(OutOfBudgetError):
        solve(FunctionTarget(lambda x, y: x * y), make_bench(check_budget=check), "x")


def test_the_law_of_a_constant_is_its_exact_value_if_it_has_one():
    base = np.array([1.0, 1.0])
    third = RestrictedTarget(FunctionTarget(lambda x, y: x / 3), (), base)
    assert constant_law(third) == Number(Fraction(1, 3))
    unknown = FunctionTarget(lambda x, y: x / 3)
    unknown.measure = lambda states: (np.ones(len(states)), np.full(len(states), np.inf))
    assert constant_law(RestrictedTarget(unknown, (), base)) is None
