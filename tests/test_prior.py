import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from odevsr.errors import UsageError
from odevsr.language.drawing.derivation import Derivation
from odevsr.language.drawing.forest import PADDING, Forest
from odevsr.language.drawing.grammar import make_grammar
from odevsr.language.expression import HOLE, complexity
from odevsr.language.parse import parse
from odevsr.search.policy.prior import Prior, PriorPolicy
from odevsr.search.policy.sequences import equal_weights, replay
from odevsr.settings import DEFAULT_OPERATORS

NAMES = ("x0", "x1", "x2")
STARTS = ("A", "A*x0 + A", "A*x0**2 + C*sin(x0 + A) - A/x1")


@st.composite
def grammars(draw):
    operators = draw(st.lists(st.sampled_from(DEFAULT_OPERATORS), unique=True, min_size=1))
    variables = draw(st.lists(st.sampled_from(NAMES), unique=True))
    start = parse(draw(st.sampled_from(STARTS)), NAMES, open_symbols=True)
    return make_grammar(
        variables, operators=operators, start=start, longest=draw(st.integers(3, 20))
    )


def sampled(grammar, count=1024, seed=0, **options):
    return PriorPolicy(grammar, np.random.default_rng(seed), **options).sample(count)


@given(grammar=grammars(), seed=st.integers(0, 99))
def test_every_sequence_is_a_complete_derivation_of_the_grammar(grammar, seed):
    sequences = sampled(grammar, 40, seed)
    assert sequences.shape == (40, grammar.longest)
    assert replay(grammar, sequences, equal_weights).steps.any(axis=1).all()


def test_the_seed_decides_what_is_drawn():
    grammar = make_grammar(["x0"])
    assert np.array_equal(sampled(grammar, seed=3), sampled(grammar, seed=3))
    assert not np.array_equal(sampled(grammar, seed=3), sampled(grammar, seed=4))


def test_first_rules_are_drawn_by_the_documented_shares():
    grammar = make_grammar(["x0", "x1"])
    first = sampled(grammar, 40_000)[:, 0]
    drawn = {str(rule): np.mean(first == number) for number, rule in enumerate(grammar.rules)}
    assert drawn["A -> C"] == pytest.approx(0.085 * 0.65, rel=0.1)
    assert drawn["A -> x1"] == pytest.approx(0.085 * 0.35 / 2, rel=0.15)
    assert drawn["A -> A*A"] == pytest.approx(0.915 * 0.7 / 4, rel=0.1)
    assert drawn["A -> A**3"] == pytest.approx(0.915 * 0.15 / 3, rel=0.1)
    assert drawn["A -> exp(A)"] == pytest.approx(0.915 * 0.15 / 4, rel=0.1)


def test_templates_weigh_as_much_as_all_operators():
    templates = [parse(text, (), open_symbols=True) for text in ("exp(C*A)", "A**C")]
    grammar = make_grammar(["x0"], templates=templates)
    first = sampled(grammar, 20_000)[:, 0]
    drawn = [
        np.mean(first == [rule.template for rule in grammar.rules].index(t)) for t in templates
    ]
    assert drawn == pytest.approx([0.915 / 4] * 2, rel=0.1)


def test_terminals_grow_likelier_with_the_rules_a_derivation_is_bound_to_have():
    grammar = make_grammar(["x0"], operators=["+"], longest=40)
    plus = [str(rule) for rule in grammar.rules].index("A -> A + A")
    prior = Prior(grammar, terminal=0.6)
    derivation = Derivation(grammar, 1)
    operator = []
    for _ in range(8):
        operator.append(prior.weights(derivation, np.array([0]))[0, plus])
        derivation.apply(np.array([plus]))
    assert operator[0] == pytest.approx(0.94)
    assert np.all(np.diff(operator[:6]) < 0)
    assert operator[6:] == pytest.approx([0.4, 0.4])


def test_a_grammar_without_room_for_operators_draws_terminals_only():
    grammar = make_grammar(["x0"], operators=["+"], longest=1)
    sequences = sampled(grammar)
    assert np.all(sequences[:, 1:] == PADDING)
    assert np.mean(sequences[:, 0] == 1) == pytest.approx(0.65, abs=0.05)


def test_a_batch_holds_hundreds_of_short_and_different_forms():
    for variables, least in ((["x0"], 600), (["x0", "x1"], 720)):
        grammar = make_grammar(variables, start=HOLE)
        sequences = sampled(grammar)
        forms = Forest(grammar).plant(sequences)
        lengths = (sequences != PADDING).sum(axis=1)
        assert len(set(forms)) > least
        assert np.mean((lengths >= 5) & (lengths <= 12)) > 0.65
        assert 6 < np.mean([complexity(form) for form in forms]) < 10


@pytest.mark.parametrize("terminal", [0.0, 1.0, -0.5, float("nan")])
def test_a_terminal_probability_outside_0_to_1_is_refused(terminal):
    with pytest.raises(UsageError, match="between 0 and 1"):
        sampled(make_grammar(["x0"]), terminal=terminal)


def test_learning_leaves_the_prior_as_it_is():
    grammar = make_grammar(["x0"])
    taught = PriorPolicy(grammar, np.random.default_rng(0))
    taught.learn(sampled(grammar), np.arange(1024.0))
    assert np.array_equal(taught.sample(64), sampled(grammar, 64))
