"""Proposers: fixed lists as far as operators allow, and policies that learn from losses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import form

from odevsr.fitting.fit import Effort
from odevsr.language.algebra.normal import normal_form
from odevsr.language.drawing.forest import Forest
from odevsr.language.drawing.grammar import make_grammar
from odevsr.language.expression import variables
from odevsr.search.policy.prior import PriorPolicy
from odevsr.search.policy.sequences import likeliest
from odevsr.search.proposer import REWARDS, FixedProposer, PolicyProposer
from odevsr.settings import DEFAULT_OPERATORS

GRAMMAR = make_grammar(["x"])
WAVE, GROWTH, LINE = (normal_form(form(text)) for text in ("C*sin(x)", "C*exp(C*x)", "C*x + C"))


class Recording(PriorPolicy):
    """The prior, which remembers what it was taught."""

    taught = ()

    def learn(self, sequences, rewards):
        self.taught = (*self.taught, (sequences, rewards))


def sampling(number, size, make_policy=None, reward="nmse"):
    made = make_policy or (lambda restarts: PriorPolicy(GRAMMAR, np.random.default_rng(restarts)))
    return PolicyProposer("test", made, GRAMMAR, REWARDS[reward], number=number, size=size)


def answered(proposer, losses=0.5):
    """All batches, each answered by the same loss for every expression."""
    known = {}
    for batch in proposer.batches(known):
        yield batch
        known |= dict.fromkeys(batch, losses)


def test_a_fixed_proposer_proposes_its_batches_and_has_nothing_to_learn():
    script = [[LINE], [WAVE, GROWTH]]
    proposer = FixedProposer("known", lambda: script, DEFAULT_OPERATORS)
    assert list(answered(proposer)) == list(answered(proposer, losses=0.0)) == script


def test_a_fixed_proposer_keeps_to_the_operators_that_the_user_allows():
    proposer = FixedProposer("known", lambda: [[WAVE, GROWTH, LINE]], ("+", "*", "exp"))
    assert list(answered(proposer)) == [[GROWTH, LINE]]


def test_batches_go_on_until_as_many_new_sequences_were_drawn_as_asked_for():
    policy = Recording(GRAMMAR, np.random.default_rng(0))
    batches = list(answered(sampling(3, 50, lambda restarts: policy)))
    drawn = [sequences for sequences, _ in policy.taught]
    before, after = (len(np.unique(np.concatenate(each), axis=0)) for each in (drawn[:-1], drawn))
    assert before < 150 <= after
    assert len(batches) > 3
    for each in {each for batch in batches for each in batch}:
        assert normal_form(each) == each
        assert variables(each) <= {"x"}


def test_a_policy_is_not_even_made_without_batches():
    def refuse():
        raise AssertionError

    assert list(sampling(0, 10, refuse).batches({})) == []


def test_a_policy_is_made_when_the_first_batch_is_wanted():
    made = []

    def make(restarts):
        made.append(PriorPolicy(GRAMMAR, np.random.default_rng(0)))
        return made[-1]

    batches = sampling(2, 10, make).batches({})
    assert made == []
    next(batches)
    assert len(made) == 1


@pytest.mark.parametrize("reward", REWARDS)
def test_a_policy_learns_the_rewards_of_its_own_sequences_in_their_order(reward):
    policy = Recording(GRAMMAR, np.random.default_rng(0))
    losses = {}
    batches = sampling(3, 30, lambda restarts: policy, reward).batches(losses)
    batch = next(batches)
    for number in range(2):
        losses |= {each: float(index) for index, each in enumerate(batch)}
        following = next(batches)
        sequences, rewards = policy.taught[number]
        assert sequences.shape == (30, GRAMMAR.longest)
        assert rewards.tolist() == [REWARDS[reward](losses[each]) for each in batch]
        batch = following


def test_forms_that_are_many_are_fitted_less_hard_than_those_that_are_few():
    few, many = FixedProposer("known", list, ()), sampling(1, 1)
    assert isinstance(few.effort, Effort)
    assert (few.effort.starts, few.effort.kept) > (many.effort.starts, many.effort.kept)


@pytest.mark.parametrize("name", REWARDS)
@given(low=st.floats(0, 1e6), more=st.floats(1e-3, 1e6))
def test_a_smaller_loss_has_a_greater_reward_within_one(name, low, more):
    reward = REWARDS[name]
    assert 0 <= reward(low + more) < reward(low) <= 1


@pytest.mark.parametrize("name", REWARDS)
def test_a_perfect_fit_is_rewarded_by_one_and_none_by_nought(name):
    assert REWARDS[name](0.0) == 1
    assert REWARDS[name](np.inf) == 0


class Collapsed(Recording):
    """Draws always the same sequence."""

    def sample(self, count):
        return np.repeat(super().sample(1), count, axis=0)


def test_a_policy_that_collapsed_does_not_learn_on_and_another_begins():
    made = []

    def make(restarts):
        policy = Collapsed if restarts == 0 else Recording
        made.append(policy(GRAMMAR, np.random.default_rng(restarts)))
        return made[-1]

    batches = list(answered(sampling(2, 100, make)))
    collapsed, other = made
    assert not collapsed.taught
    assert len(other.taught) == len(batches) - 1 > 1


def test_where_all_policies_collapse_the_search_ends():
    proposer = sampling(5, 100, lambda restarts: Collapsed(GRAMMAR, np.random.default_rng(0)))
    assert len(list(answered(proposer))) == 1 + proposer.most_restarts


def test_of_many_draws_the_likeliest_are_proposed_first_and_none_twice():
    rng = np.random.default_rng(0)
    proposer = PolicyProposer(
        "prior",
        lambda restarts: PriorPolicy(GRAMMAR, rng),
        GRAMMAR,
        REWARDS["nrmse"],
        number=2,
        size=8,
        oversampling=50,
    )
    losses = {}
    batches = proposer.batches(losses)
    first = next(batches)
    losses |= dict.fromkeys(first, 1.0)
    second = next(batches)
    drawn = Forest(GRAMMAR).plant(PriorPolicy(GRAMMAR, rng).sample(4000))
    shares = [np.mean([drawn.count(each) for each in batch]) for batch in (first, second)]
    assert shares[0] > 2 * shares[1]
    assert len(first) == len(second) == 8


@given(st.lists(st.integers(0, 5), max_size=30), st.sets(st.integers(0, 5)), st.integers(1, 6))
def test_the_likeliest_sequences_are_distinct_new_and_in_the_order_of_their_frequency(
    drawn, known, most
):
    sequences = np.array(drawn, dtype=np.int64).reshape(-1, 1)
    chosen = likeliest(sequences, {np.array([each]).tobytes() for each in known}, most)
    expected = sorted(set(drawn) - known, key=lambda each: (-drawn.count(each), drawn.index(each)))
    assert chosen[:, 0].tolist() == expected[:most]
