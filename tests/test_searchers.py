"""Genetic programming (alone, or on what a policy draws) and tree search as policies."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from odevsr.language.drawing.grammar import make_grammar
from odevsr.language.parse import parse
from odevsr.search.policy.genetic import GeneticPolicy
from odevsr.search.policy.lstm import LstmPolicy
from odevsr.search.policy.sequences import equal_weights, is_complete, replay
from odevsr.search.policy.tree import TreePolicy
from odevsr.settings import Settings


def melded(grammar, rng):
    return GeneticPolicy(grammar, rng, LstmPolicy(grammar, int(rng.integers(99)), Settings()))


POLICIES = (GeneticPolicy, TreePolicy, melded)


def grammar_from(start="A", **options):
    return make_grammar(["x"], start=parse(start, ["x"], open_symbols=True), **options)


@settings(max_examples=20, deadline=None)
@given(
    make=st.sampled_from(POLICIES),
    start=st.sampled_from(["A", "A*x + A"]),
    longest=st.integers(3, 20),
    seed=st.integers(0, 99),
)
def test_sequences_stay_complete_and_legal_while_learning(make, start, longest, seed):
    grammar = grammar_from(start, longest=longest)
    policy = make(grammar, np.random.default_rng(seed))
    for _ in range(4):
        sequences = policy.sample(40)
        assert replay(grammar, sequences, equal_weights).steps.any(axis=1).all()
        assert is_complete(grammar, sequences).all()
        policy.learn(sequences, np.linspace(0, 1, 40))


@pytest.mark.parametrize("make", POLICIES)
def test_what_is_rewarded_is_drawn_more_often(make):
    grammar = grammar_from()
    sine = [str(rule) for rule in grammar.rules].index("A -> sin(A)")
    policy = make(grammar, np.random.default_rng(0))
    shares = []
    for _ in range(8):
        sequences = policy.sample(256)
        has = (sequences == sine).any(axis=1)
        shares.append(has.mean())
        policy.learn(sequences, has.astype(float))
    assert shares[-1] > shares[0] + 0.2


@pytest.mark.parametrize("make", POLICIES)
def test_the_seed_decides_what_is_drawn(make):
    def drawn(seed):
        policy = make(grammar_from(), np.random.default_rng(seed))
        policy.learn(policy.sample(64), np.arange(64.0) / 64)
        return policy.sample(64)

    assert np.array_equal(drawn(1), drawn(1))
    assert not np.array_equal(drawn(1), drawn(2))


def test_what_the_grammar_forbids_or_leaves_open_is_not_complete():
    grammar = grammar_from(operators=["+", "sin"], longest=4)
    rules = [str(rule) for rule in grammar.rules]
    plus, sine, x = (rules.index(f"A -> {text}") for text in ("A + A", "sin(A)", "x"))
    rows = [[sine, x, -1, -1], [sine, sine, x, -1], [plus, x, -1, -1], [x, x, -1, -1]]
    assert is_complete(grammar, np.array(rows)).tolist() == [True, False, False, False]
