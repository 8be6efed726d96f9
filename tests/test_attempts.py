"""One equation from first experiment to verdict: status, note, cost, and the same again."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from laws import FunctionOracle
from scipy.special import airy

from odevsr.bench.laws import SHORT, is_false, searched
from odevsr.bench.random_laws import random_law
from odevsr.language.expression import variables
from odevsr.language.parse import parse
from odevsr.language.text import to_text
from odevsr.settings import Settings
from odevsr.vertical.attempts import discover_equation, frugal_settings
from odevsr.vertical.equation import Status

QUICK = Settings(proposers=("catalogue", "prior"), attempts=1, prior_batches=1, epochs=0, batch=100)
LINE = ((0.5, 2.5),)
SHORTER = replace(SHORT, most_candidates=400, points=24, most_seconds=60)
"""Half of the bench's candidates, which end a search before its seconds do."""
pytestmark = pytest.mark.usefixtures("few_families")


def discovered(function, chosen=QUICK, seed=0, **options):
    oracle = FunctionOracle(function, **options)
    return discover_equation(oracle, chosen, np.random.SeedSequence(seed))


def rough(x):
    return sum(0.5**k * np.cos(3**k * np.pi * x) for k in range(6))


def test_a_law_in_reach_is_identified_with_exact_constants():
    found = discovered(lambda x, y: 3 * x * y - 8 / 3 * y**2)
    assert found.status is Status.IDENTIFIED
    assert to_text(found.expression) == "3*x*y - 8/3*y**2"
    assert found.variable == "x"
    assert found.r2 == pytest.approx(1.0)
    assert found.deviation < 2.0
    assert found.note == ""
    assert found.proposers == ("catalogue",)


def test_what_it_took_is_told():
    oracle = FunctionOracle(lambda x, y: x * y)
    found = discover_equation(oracle, QUICK, np.random.SeedSequence(0))
    assert found.cost == oracle.cost
    assert found.cost.states > 0
    assert found.candidates == sum(each.candidates for each in found.rounds) > 0
    assert found.elapsed_s > 0


def test_a_constant_law_is_identified_and_explains_all():
    found = discovered(lambda x, y: 2.5)
    assert found.status is Status.IDENTIFIED
    assert to_text(found.expression) == "2.5"
    assert (found.r2, found.nmse) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("function", "status"),
    [
        pytest.param(lambda x: airy(x)[0], Status.APPROXIMATE, id="airy"),
        pytest.param(rough, Status.NOT_IDENTIFIED, id="weierstrass"),
        pytest.param(lambda x: np.sin(1e5 * x**3), Status.NOT_IDENTIFIED, id="noise-like"),
        pytest.param(
            lambda x: 2 * x + 1e-5 * np.sin(50 * x**0.7), Status.APPROXIMATE, id="small rest"
        ),
    ],
)
def test_a_law_out_of_reach_is_never_called_identified(function, status):
    found = discovered(function, replace(QUICK, most_candidates=2000), box=LINE)
    assert found.status is status
    assert found.deviation > 10


def test_a_law_that_holds_inside_the_ranges_alone_is_approximate():
    found = discovered(lambda x, y: x * y + np.maximum(np.abs(x - 1.5) - 1.0, 0.0))
    assert to_text(found.expression) == "x*y"
    assert found.deviation < 2.0
    assert found.status is Status.APPROXIMATE


@pytest.mark.parametrize(
    ("budget", "note"),
    [
        ({"most_states": 300}, "stopped at the limit of 300 states"),
        ({"most_candidates": 3}, "stopped after 3 candidates"),
        ({"most_seconds": 1e-9}, "stopped after 1e-09 CPU seconds"),
    ],
)
def test_a_spent_budget_is_noted_and_an_approximation_shown(budget, note):
    found = discovered(lambda x, y: np.sin(x) * np.exp(0.3 * y), replace(QUICK, **budget))
    assert found.note == f"{note}; no law explains the rounds"
    assert found.out_of_time == ("most_seconds" in budget)
    assert found.status is Status.APPROXIMATE
    assert found.nmse < 0.01


def test_a_short_polynomial_is_found_however_little_may_be_tried():
    found = discovered(lambda x, y: x * y, replace(QUICK, most_candidates=3))
    assert found.note == "stopped after 3 candidates"
    assert to_text(found.expression) == "x*y"
    assert found.deviation < 2.0


def test_the_same_seed_finds_the_same_equation_at_the_same_cost():
    first, again, other = (
        discovered(lambda x, y: np.exp(-0.7 * x * y) + x, seed=seed) for seed in (3, 3, 4)
    )
    same = ("expression", "status", "constants", "rounds", "cost", "deviation", "candidates")
    assert all(getattr(first, name) == getattr(again, name) for name in same)
    assert first.deviation != other.deviation


def test_epochs_are_told_with_the_variable_of_their_round():
    heard = []
    oracle = FunctionOracle(lambda x, y: x * y + x**2 + y)
    discover_equation(oracle, QUICK, np.random.SeedSequence(0), on_epoch=heard.append)
    assert [epoch.variable for epoch in heard] == ["x", "y"]


def test_another_attempt_is_made_only_if_the_first_has_failed():
    few = replace(QUICK, proposers=("prior",), batch=20)
    once, twice = (discovered(rough, replace(few, attempts=n), box=LINE) for n in (1, 2))
    assert len(twice.rounds) == 2 * len(once.rounds) > 0
    good = discovered(lambda x: 3 * x, replace(QUICK, attempts=5), box=LINE)
    assert len(good.rounds) == 1


def test_suspects_are_the_only_variables_of_the_first_attempt():
    def found_with(suspects, attempts):
        oracle = FunctionOracle(lambda x, y: x * y)
        chosen = replace(QUICK, attempts=attempts)
        return discover_equation(oracle, chosen, np.random.SeedSequence(0), suspects=suspects)

    assert {each.variable for each in found_with((0,), 1).rounds} == {"x"}
    assert found_with((0,), 1).status is not Status.IDENTIFIED
    assert found_with((0,), 2).status is Status.IDENTIFIED
    assert found_with((0, 1), 1).status is Status.IDENTIFIED


def test_learnt_functions_are_proposed():
    learnt = (parse("1/(x**4 + 7/100)", ["x"]), parse("exp(sin(x))", ["x"]))
    short = replace(QUICK, most_candidates=1000)
    without, found = (
        discover_equation(
            FunctionOracle(lambda x: 3 * np.exp(np.sin(x)) + 1, box=LINE),
            short,
            np.random.SeedSequence(0),
            each,
        )
        for each in ((), learnt)
    )
    assert without.status is Status.APPROXIMATE
    assert found.status is Status.IDENTIFIED
    assert to_text(found.expression) == "3*exp(sin(x)) + 1"


def test_joint_expansion_is_a_setting():
    chosen = replace(QUICK, proposers=("prior",), rules="bare", expansion="joint", batch=600)
    found = discovered(lambda x, y: 2 * x * y, chosen)
    assert found.status is Status.IDENTIFIED
    assert [each.trials for each in found.rounds] == [5, 1]


def test_trials_and_points_of_the_settings_reach_the_rounds_of_summary_constants():
    chosen = replace(QUICK, trials=6, points=30, summary_share=0.5)
    found = discovered(lambda x, y: x + 1 / (1.5 + x + 2 * y**2), chosen)
    assert found.status is Status.IDENTIFIED
    equation, constants = (
        {(each.trials, each.points) for each in found.rounds if ("." in each.target) == inner}
        for inner in (False, True)
    )
    assert equation == {(6, 30)}
    # A summary constant of one variable has nothing to hold: one trial of twice the points.
    assert constants == {(1, 30)}


@pytest.mark.parametrize(("noisy", "points"), [(False, [40, 40, 40]), (True, [40, 80, 160])])
def test_under_noise_each_attempt_measures_twice_as_much(noisy, points):
    chosen = replace(QUICK, proposers=("prior",), attempts=3, points=20, batch=20)
    found = discovered(rough, chosen, box=LINE, error=0.01, is_noisy=noisy)
    assert [each.points for each in found.rounds] == points


def test_under_noise_summary_constants_get_twice_as_much_too():
    chosen = replace(QUICK, proposers=("prior",), attempts=2, points=20, summary_share=0.5)
    found = discovered(lambda x, y: x * rough(y), chosen, error=1e-3, is_noisy=True)
    inner = [each.points for each in found.rounds if "." in each.target]
    assert set(inner) == {20, 40}


def test_what_is_shown_without_a_law_mentions_no_variable_that_does_not_matter():
    found = discovered(lambda x, y: airy(9 * x)[0], replace(QUICK, most_candidates=3))
    assert found.status is Status.NOT_IDENTIFIED
    assert variables(found.expression) == {"x"}


def test_what_is_hidden_by_its_errors_is_not_identified_and_says_so():
    found = discovered(lambda x, y: 0.01 * x, error=1.0)
    assert found.status is Status.NOT_IDENTIFIED
    assert "cannot be measured" in found.note


def test_a_derivative_of_nought_is_identified():
    found = discovered(lambda x, y: 0.0 * x)
    assert found.status is Status.IDENTIFIED
    assert to_text(found.expression) == "0"


@pytest.mark.parametrize("dimension", [1, 2])
@settings(
    max_examples=100,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(seed=st.integers(0, 2**32))
def test_laws_of_the_grammar_are_never_identified_wrongly(dimension, seed):
    law = random_law(seed, dimension)
    assert not is_false(law, searched(law, seed, SHORTER))


def test_most_laws_of_the_grammar_are_identified():
    laws = [random_law(seed, dimension) for seed in range(10) for dimension in (1, 2)]
    found = [searched(law, 0, SHORTER) for law in laws]
    assert np.mean([each.status is Status.IDENTIFIED for each in found]) > 0.5


@pytest.mark.parametrize("function", [lambda x, y: 3 * x * y - y**2, lambda x, y: np.sin(x) + y])
def test_a_frugal_search_finds_the_same_law_with_a_fraction_of_the_states(function):
    usual, frugal = (discovered(function, replace(QUICK, frugal=each)) for each in (False, True))
    assert usual.status is frugal.status is Status.IDENTIFIED
    assert to_text(usual.expression) == to_text(frugal.expression)
    assert 2 * frugal.cost.states < usual.cost.states


def test_a_frugal_search_begins_again_with_more_points_but_never_more_than_usual():
    attempts = [frugal_settings(Settings(), number) for number in range(4)]
    assert [each.points for each in attempts] == [10, 20, 40, 40]
    assert [each.trials for each in attempts] == [4, 5, 5, 5]
    assert frugal_settings(Settings(points=6, trials=3), 2) == Settings(points=6, trials=3)


def test_a_law_that_fails_in_a_part_of_what_was_seen_is_not_identified_from_few_states():
    found = discovered(
        lambda x: 3 * x + np.where(x > 2.0, 1 - np.cos(x - 2.0), 0.0),
        replace(QUICK, proposers=("readings",), frugal=True),
        box=LINE,
    )
    assert found.status is not Status.IDENTIFIED


def test_under_noise_a_frugal_search_holds_laws_to_fewer_fresh_states_and_measures_as_much_else():
    usual, frugal = (
        discovered(lambda x, y: 3 * x, replace(QUICK, frugal=each), error=0.1, is_noisy=True)
        for each in (False, True)
    )
    assert frugal.status is usual.status
    assert frugal.cost.experiments == usual.cost.experiments
    assert 0 < usual.cost.states - frugal.cost.states < 500
