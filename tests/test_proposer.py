"""Proposers: families first, then the grammar's prior, then a policy that learns."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import form
from odevsr.search.proposers import REWARDS, PolicyProposer, Proposers

from odevsr.evidence.form import make_problem
from odevsr.language.expression import HOLE, Apply, Op, variables, walk
from odevsr.language.grammar import make_grammar
from odevsr.language.normal import normal_form
from odevsr.language.parse import parse
from odevsr.search.policy.lstm import LstmPolicy
from odevsr.search.policy.prior import PriorPolicy
from odevsr.settings import Settings

LEARNT = (parse("1/(x**4 + 7)", ["x", "y"]), parse("y/(x + 1)", ["x", "y"]), parse("log(y)", "xy"))
PROBLEM = make_problem(
    ["x"],
    np.linspace(1, 2, 9).reshape(1, 9, 1),
    np.arange(9.0)[None],
    np.ones((1, 9)),
    np.ones((1, 8)),
)


def proposers(**changes):
    return Proposers(Settings(**changes), LEARNT, np.random.default_rng(0))


class Recording(PriorPolicy):
    """The prior, which remembers what it was taught."""

    taught = ()

    def learn(self, sequences, rewards):
        self.taught = (*self.taught, (sequences, rewards))


def test_families_are_proposed_with_what_was_learnt_about_the_variable():
    (families,) = proposers().tier(0, "x", PROBLEM)
    first, second, *_ = families.batches()
    assert first[1] == normal_form(form("C*x + C"))
    assert normal_form(form("C/(x^4 + 7) + C")) in second


def test_families_keep_to_the_operators_that_the_user_allows():
    def proposed(**changes):
        (families,) = proposers(**changes).tier(0, "x", PROBLEM)
        return {each for batch in families.batches() for each in batch}

    wave, growth = (normal_form(form(text)) for text in ("C*sin(x)", "C*exp(C*x)"))
    assert {wave, growth} <= proposed()
    assert {wave, growth} & proposed(operators=("+", "*", "exp")) == {growth}


def test_the_last_tier_is_that_of_the_policies():
    everyone = proposers()
    names = [[each.name for each in everyone.tier(t, "x", PROBLEM)] for t in range(everyone.tiers)]
    families = ["families"]
    assert names == [families, ["readings", "families"], families, families, ["prior", "lstm"]]


def test_without_families_there_are_only_policies():
    bare = proposers(families=False)
    assert bare.tiers == 1
    assert [each.name for each in bare.tier(0, "x", PROBLEM)] == ["prior", "lstm"]


@pytest.mark.parametrize("number", [0, 1])
def test_families_and_readings_have_nothing_to_learn(number):
    proposer = proposers().tier(1, "x", PROBLEM)[number]
    before = next(proposer.batches())
    proposer.learn(dict.fromkeys(before, 0.0))
    assert next(proposer.batches()) == before


def test_the_prior_comes_before_the_policy():
    names = [each.name for each in proposers().policies("x")]
    assert names == ["prior", "lstm"]
    assert [each.name for each in proposers(policy="uniform").policies("x")][1] == "uniform"


def test_batches_are_normal_forms_in_the_variable_and_as_many_as_the_settings_say():
    prior, policy = proposers(batch=50, prior_batches=3, epochs=2, policy="uniform").policies("x")
    for proposer, number in ((prior, 3), (policy, 2)):
        batches = list(proposer.batches())
        assert len(batches) == number
        for batch in batches:
            assert len(batch) == 50
            assert all(normal_form(each) == each for each in batch)
            assert all(variables(each) <= {"x"} for each in batch)


def test_the_holes_of_the_start_are_filled():
    start = parse("A*y + 3", ["x", "y"], open_symbols=True)
    prior, _ = proposers(batch=50).policies("x", start)
    found = {name for each in next(prior.batches()) for name in variables(each)}
    assert found == {"x", "y"}


def test_the_same_generator_makes_the_same_proposals():
    first, second = (proposers(batch=50).policies("x")[0] for _ in range(2))
    assert list(first.batches()) == list(second.batches())
    other = Proposers(Settings(batch=50), LEARNT, np.random.default_rng(1)).policies("x")[0]
    assert next(first.batches()) != next(other.batches())


def test_a_policy_is_not_even_made_without_batches():
    def refuse():
        raise AssertionError

    grammar = make_grammar(["x"])
    proposer = PolicyProposer(refuse, grammar, float, name="none", batches=0, batch=10)
    assert list(proposer.batches()) == []


def test_a_policy_learns_the_rewards_of_its_own_sequences_in_their_order():
    grammar = make_grammar(["x"])
    policy = Recording(grammar, np.random.default_rng(0))
    proposer = PolicyProposer(
        lambda: policy, grammar, REWARDS["nmse"], name="test", batches=2, batch=30
    )
    losses = {}
    for number, batch in enumerate(proposer.batches()):
        losses |= {each: float(index) for index, each in enumerate(batch)}
        proposer.learn(losses)
        sequences, rewards = policy.taught[number]
        assert sequences.shape[0] == 30
        assert rewards.tolist() == [1 / (1 + losses[each]) for each in batch]


def test_the_settings_choose_the_policy():
    _, learning = proposers(batch=4, epochs=1, width=8).policies("x")
    _, uniform = proposers(batch=4, epochs=1, policy="uniform").policies("x")
    for proposer, kind in ((learning, LstmPolicy), (uniform, PriorPolicy)):
        next(proposer.batches())
        assert type(proposer._policy) is kind


@pytest.mark.parametrize("name", REWARDS)
@given(low=st.floats(0, 1e6), more=st.floats(1e-3, 1e6))
def test_a_smaller_loss_has_a_greater_reward_within_one(name, low, more):
    reward = REWARDS[name]
    assert 0 <= reward(low + more) < reward(low) <= 1


@pytest.mark.parametrize("name", REWARDS)
def test_a_perfect_fit_is_rewarded_by_one_and_none_by_nought(name):
    assert REWARDS[name](0.0) == 1
    assert REWARDS[name](np.inf) == 0


@pytest.mark.parametrize("families", [True, False])
def test_functions_have_constants_of_their_own_where_families_are_wanted(families):
    prior, _ = proposers(batch=200, families=families).policies("x")
    batch = next(prior.batches())
    assert any(node.op is Op.TANH for each in batch for node in applied(each)) == families
    with_start, _ = proposers(batch=200, families=families).policies("x", form("A + C"))
    batch = next(with_start.batches())
    assert not any(node.op is Op.TANH for each in batch for node in applied(each))


def applied(expression):
    return [node for node in walk(expression) if isinstance(node, Apply)]


def test_the_default_start_is_a_hole():
    prior, _ = proposers(batch=20).policies("x", HOLE)
    again, _ = proposers(batch=20).policies("x")
    assert next(prior.batches()) == next(again.batches())
