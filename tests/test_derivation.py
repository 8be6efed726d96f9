"""Derivations are always completed within the length, and keep the grammar's limits."""

import numpy as np
import pytest
from derivations import derived_trees, sampled
from hypothesis import given
from hypothesis import strategies as st

from odevsr.errors import UsageError
from odevsr.language.drawing.derivation import NONE, Derivation
from odevsr.language.drawing.grammar import make_grammar
from odevsr.language.expression import (
    TRIGONOMETRIC,
    Apply,
    Constant,
    Hole,
    Number,
    Op,
    count,
    walk,
)
from odevsr.language.parse import parse
from odevsr.settings import DEFAULT_OPERATORS

starts = st.sampled_from(["A", "A*x0 - A", "x0*(A + sin(A)/A)"])


def grammar_of(start, **limits):
    return make_grammar(["x0", "x1"], start=parse(start, ["x0"], open_symbols=True), **limits)


@given(starts, st.integers(3, 25), st.integers(0, 2**32 - 1))
def test_every_derivation_is_complete_within_the_length(start, longest, seed):
    grammar = grammar_of(start, longest=longest)
    sequences = sampled(grammar, 20, np.random.default_rng(seed), leaf=0.2)
    assert sequences.shape[1] == longest
    assert all(count(tree, Hole) == 0 for tree in derived_trees(grammar, sequences))


@given(st.integers(0, 2**32 - 1))
def test_no_function_stands_inside_one_of_its_family(seed):
    grammar = grammar_of("A")
    for tree in derived_trees(grammar, sampled(grammar, 50, np.random.default_rng(seed), leaf=0.3)):
        for node in walk(tree):
            if isinstance(node, Apply) and node.op in TRIGONOMETRIC:
                inside = list(walk(node))[1:]
                assert not any(getattr(part, "op", None) in TRIGONOMETRIC for part in inside)


@given(st.integers(0, 2**32 - 1))
def test_no_operator_is_applied_to_constants_only(seed):
    grammar = grammar_of("A", longest=9)
    for tree in derived_trees(grammar, sampled(grammar, 50, np.random.default_rng(seed), leaf=0.3)):
        for node in walk(tree):
            if isinstance(node, Apply):
                assert not all(isinstance(arg, Constant | Number) for arg in node.args)


def test_functions_may_be_nested_where_that_is_wanted():
    grammar = grammar_of("A", longest=3, nested_functions=True)
    derivation = Derivation(grammar, 1)
    rules = [rule.op for rule in grammar.rules]
    derivation.apply(np.array([rules.index(Op.SIN)]))
    assert derivation.legal()[0, rules.index(Op.COS)]


def test_without_variables_constants_may_stand_alone():
    grammar = make_grammar([], operators=["sin"])
    derivation = Derivation(grammar, 1)
    derivation.apply(np.array([0]))
    assert derivation.legal().tolist() == [[False, True]]


def test_a_hole_knows_its_parent_and_its_left_neighbour():
    grammar = make_grammar(["x0"], operators=["+", "sin"])
    plus, sine, constant, variable = range(4)
    derivation = Derivation(grammar, 2)
    seen = []
    for rules in ([plus, sine], [sine, variable], [variable, plus], [constant, plus]):
        seen.append((derivation.parent.tolist(), derivation.sibling.tolist()))
        derivation.apply(np.array(rules))
    assert [parents[0] for parents, _ in seen] == [NONE, plus, sine, plus]
    assert [siblings[0] for _, siblings in seen] == [NONE, NONE, NONE, sine]
    assert derivation.active.tolist() == [False, False]


def test_a_start_with_more_holes_than_rules_is_refused():
    with pytest.raises(UsageError, match="3 holes"):
        grammar_of("A + A + A", longest=2)


def test_an_unknown_operator_is_named_with_those_that_are_known():
    with pytest.raises(UsageError, match=r"'sine'.*sin, cos"):
        make_grammar(["x0"], operators=["sine"])


def test_the_default_grammar_has_a_rule_for_each_operator_power_constant_and_variable():
    grammar = make_grammar(["x0", "x1"])
    assert [str(rule) for rule in grammar.rules[-3:]] == ["A -> C", "A -> x0", "A -> x1"]
    assert len(grammar.rules) == len(DEFAULT_OPERATORS) + 2 + 3
