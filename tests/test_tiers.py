"""Who proposes when: tiers of growing cost, and any choice of proposers searches everything."""

from itertools import chain, combinations

import numpy as np
import pytest
from laws import FunctionQuantity, error_of, form, make_question, trials_of

from odevsr.language.algebra.normal import normal_form
from odevsr.language.expression import HOLE, Apply, Op, variables, walk
from odevsr.language.parse import parse
from odevsr.language.text import to_text
from odevsr.search.policy.lstm import LstmPolicy
from odevsr.search.policy.prior import PriorPolicy
from odevsr.search.tiers import SAMPLING, Proposers
from odevsr.settings import PROPOSERS, Settings
from odevsr.vertical.laws.solve import solve

LEARNT = (parse("1/(x**4 + 7)", ["x", "y"]), parse("y/(x + 1)", ["x", "y"]), parse("log(y)", "xy"))
TRIALS = trials_of([lambda x: x])
DEFAULT = ("readings", "catalogue", "prior", "lstm")
SUBSETS = list(chain.from_iterable(combinations(DEFAULT, size) for size in range(1, 5)))


def make(*names, **changes):
    return Proposers(Settings(proposers=names or DEFAULT, **changes), LEARNT)


def rng(seed=0):
    return np.random.default_rng(seed)


def tier(proposers, number):
    return proposers.tier(number, "x", TRIALS, rng())


def first_batch(proposer):
    return next(proposer.batches({}))


def test_the_catalogue_is_proposed_with_what_was_learnt_about_the_variable():
    _, catalogue = tier(make(), 0)
    first, second, *_ = catalogue.batches({})
    assert first[1] == normal_form(form("C*x + C"))
    assert normal_form(form("C/(x^4 + 7) + C")) in second


def test_the_catalogue_keeps_to_the_operators_that_the_user_allows():
    def proposed(**changes):
        _, catalogue = tier(make(**changes), 0)
        return {each for batch in catalogue.batches({}) for each in batch}

    wave, growth = (normal_form(form(text)) for text in ("C*sin(x)", "C*exp(C*x)"))
    assert {wave, growth} <= proposed()
    assert {wave, growth} & proposed(operators=("+", "*", "exp")) == {growth}


def test_a_fraction_of_few_terms_is_read_where_a_longer_polynomial_would_follow_it():
    def read(function):
        readings, _ = make().tier(0, "x", trials_of([function]), rng())
        (found,) = first_batch(readings)
        return found

    assert to_text(read(lambda x: 2 * x / (x + 40))).startswith(("C/(x + 40.0", "C/(x + 39.9"))
    assert read(lambda x: x**4 - x**3 + x + 1) == normal_form(form("C*x^4 + C*x^3 + C*x + C"))


def test_the_last_tier_is_that_of_the_policies():
    everyone = make()
    names = [[each.name for each in tier(everyone, t)] for t in everyone.tiers(sampling=True)]
    catalogue, both = ["catalogue"], ["readings", "catalogue"]
    assert names == [both, both, catalogue, catalogue, ["prior", "lstm"]]


def test_within_a_tier_the_order_is_that_of_the_settings():
    assert [each.name for each in tier(make("lstm", "prior"), SAMPLING)] == ["lstm", "prior"]
    assert [each.name for each in tier(make("catalogue", "readings"), 1)] == [
        "catalogue",
        "readings",
    ]


@pytest.mark.parametrize("names", SUBSETS, ids="+".join)
def test_tiers_in_which_nobody_proposes_are_left_out_and_sampling_is_if_anybody_else_does(names):
    proposers = make(*names)
    everything, cheap = (proposers.tiers(sampling=sampling) for sampling in (True, False))
    assert all(tier(proposers, number) for number in everything)
    assert {each.name for number in everything for each in tier(proposers, number)} == set(names)
    assert set(cheap) == set(everything) - {SAMPLING} or cheap == everything == [SAMPLING]


def test_policies_alone_come_in_the_order_of_the_settings():
    assert [each.name for each in make().policies("x", TRIALS, rng())] == ["prior", "lstm"]
    assert [each.name for each in make("uniform", "readings").policies("x", TRIALS, rng())] == [
        "uniform"
    ]


def test_batches_are_as_many_as_the_settings_say():
    prior, uniform = make("prior", "uniform", batch=50, prior_batches=3, epochs=2).policies(
        "x", TRIALS, rng()
    )
    assert (prior.number, prior.size) == (3, 50)
    assert (uniform.number, uniform.size) == (2, 50)


def test_the_holes_of_the_start_are_filled():
    start = parse("A*y + 3", ["x", "y"], open_symbols=True)
    (prior,) = make("prior", batch=50).policies("x", TRIALS, rng(), start)
    found = {name for each in first_batch(prior) for name in variables(each)}
    assert found == {"x", "y"}


def test_the_same_generator_makes_the_same_proposals():
    first, again, other = (
        first_batch(make("prior", batch=50).policies("x", TRIALS, rng(seed))[0])
        for seed in (0, 0, 1)
    )
    assert first == again != other


def test_the_settings_choose_the_policy():
    made = [
        each.make_policy(0)
        for each in make("prior", "lstm", "uniform", "trained", width=8).policies(
            "x", TRIALS, rng()
        )
    ]
    assert [type(each) for each in made] == [PriorPolicy, LstmPolicy, PriorPolicy, LstmPolicy]


def test_every_proposer_of_the_settings_proposes():
    for name in PROPOSERS:
        proposers = make(name, batch=10, width=8)
        asked = [tier(proposers, number) for number in proposers.tiers(sampling=True)]
        assert {each.name for each in chain.from_iterable(asked)} == {name}


def test_the_learning_policy_learns_the_reward_of_the_settings():
    square, root = (
        make("prior", reward=name).policies("x", TRIALS, rng())[0] for name in ("nmse", "nrmse")
    )
    assert square.reward(0.25) == 0.8
    assert root.reward(0.25) == pytest.approx(2 / 3)


@pytest.mark.parametrize("rules", ["composing", "bare"])
def test_functions_have_constants_of_their_own_where_rules_compose(rules):
    def has_tanh(start):
        (prior,) = make("prior", batch=200, rules=rules).policies("x", TRIALS, rng(), start)
        nodes = (node for each in first_batch(prior) for node in walk(each))
        return any(isinstance(node, Apply) and node.op is Op.TANH for node in nodes)

    assert has_tanh(HOLE) == (rules == "composing")
    assert not has_tanh(form("A + C"))


PEELED = FunctionQuantity(
    lambda x, y: np.sin(1.3 * y) / (x + 1) + 1 / (y + 2), np.array([[0.5, 2.5], [0.0, 4.0]])
)
"""The round over x shows 1/(x + 1); that over y shows nothing, so that its coefficients are asked
for, and each is read off or in the catalogue."""


@pytest.mark.parametrize("names", SUBSETS, ids="+".join)
def test_any_choice_of_proposers_searches_the_equation_and_its_summary_constants(names):
    settings = Settings(proposers=names, batch=120, prior_batches=3, epochs=3, width=16)
    question = make_question(PEELED, settings)
    found = solve(question)
    rounds = question.attempt.journal.rounds
    equation = [each for each in rounds if each.target == "x"]
    constants = [each for each in rounds if "." in each.target]
    assert equation
    assert constants
    for each in (equation, constants):
        assert sum(one.candidates for one in each) > 0
    assert {each.proposer for each in rounds} <= {*names, None}
    assert error_of(found, PEELED) < 1e-8
