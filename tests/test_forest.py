"""Planting a batch gives what applying rules one at a time and normalising gives."""

import numpy as np
from derivations import as_sequences, derived_trees, sampled
from hypothesis import given
from hypothesis import strategies as st

from odevsr.language.algebra.normal import normal_form
from odevsr.language.drawing.forest import Forest, weighted
from odevsr.language.drawing.grammar import make_grammar
from odevsr.language.parse import parse
from odevsr.language.text import to_text

starts = st.sampled_from(["A", "A*x0 - A", "A/(A + x0) + sin(A)", "x0 + C"])


def read(text):
    return parse(text, ["x0", "x1"], open_symbols=True)


def grammar_of(start="A", **options):
    return make_grammar(["x0", "x1"], start=read(start), **options)


@given(starts, st.integers(0, 2**32 - 1))
def test_a_batch_grows_into_the_normal_forms_of_its_trees(start, seed):
    grammar = grammar_of(start)
    sequences = sampled(grammar, 30, np.random.default_rng(seed))
    expected = [normal_form(tree) for tree in derived_trees(grammar, sequences)]
    planted = Forest(grammar).plant(sequences)
    assert [to_text(tree) for tree in planted] == [to_text(tree) for tree in expected]


def test_a_forest_that_starts_anew_gives_the_same():
    grammar = grammar_of()
    small, large = Forest(grammar, most=5), Forest(grammar)
    rng = np.random.default_rng(0)
    for _ in range(5):
        sequences = sampled(grammar, 30, rng)
        assert list(map(to_text, small.plant(sequences))) == list(
            map(to_text, large.plant(sequences))
        )


def test_rules_with_three_holes_can_be_planted():
    grammar = grammar_of(learnt=[read("A*x0/(A + x0*A)")])
    rule = len(grammar.rules) - 1
    x0, x1, constant = rule - 2, rule - 1, rule - 3
    planted = Forest(grammar).plant(as_sequences([[rule, x1, constant, x1], [x0]]))
    assert [to_text(tree) for tree in planted] == ["x0*x1/(x0*x1 + C)", "x0"]


def test_an_empty_batch_is_planted():
    assert Forest(grammar_of()).plant(np.empty((0, 4), dtype=np.int64)) == []


@given(st.integers(0, 2**32 - 1))
def test_where_fillings_are_weighted_their_terms_have_coefficients_and_an_offset(seed):
    plain, also = grammar_of(), grammar_of(is_weighted=True)
    sequences = sampled(plain, 30, np.random.default_rng(seed))
    bare, planted = Forest(plain).plant(sequences), Forest(also).plant(sequences)
    assert planted == [weighted(each) for each in bare]
    assert all(weighted(each) == each for each in planted)


def test_every_hole_is_weighted_by_itself():
    grammar = grammar_of("A*x0 - A", is_weighted=True)
    x0, x1 = len(grammar.rules) - 2, len(grammar.rules) - 1
    planted = Forest(grammar).plant(as_sequences([[x1, x0 - 1], [x0, x1]]))
    assert list(map(to_text, planted)) == ["C*x0*x1 + C*x0 + C", "C*x0**2 + C*x0 + C*x1 + C"]
