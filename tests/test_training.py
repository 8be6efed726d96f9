"""Functions drawn from the grammar, and the network that learns to name their rules."""

import numpy as np
import pytest
import torch
from derivations import as_sequences
from laws import form, trials_of

from odevsr.errors import UsageError
from odevsr.language.algebra.normal import normal_form
from odevsr.language.drawing.forest import Forest
from odevsr.search.policy.curves import FEATURES
from odevsr.search.policy.examples import draw_examples
from odevsr.search.policy.lstm import LstmPolicy
from odevsr.search.policy.rules import composing_grammar
from odevsr.search.policy.trained import SHIPPED, load_network, save_network
from odevsr.search.policy.training import Progress, train
from odevsr.search.tiers import Proposers
from odevsr.settings import DEFAULT_OPERATORS, Settings

GRAMMAR = composing_grammar("x", DEFAULT_OPERATORS, (), 20)
WAVE = trials_of([lambda x: 2 * np.sin(3 * x) + x, lambda x: np.sin(3 * x) - 1])
GROWTH = trials_of([lambda x: 2 * np.exp(0.7 * x) + x, lambda x: np.exp(1.7 * x) - 1])


def rng(seed=0):
    return np.random.default_rng(seed)


def likelihood(grammar, controlled, texts):
    rules = [str(rule) for rule in grammar.rules]
    sequence = as_sequences([[rules.index(f"A -> {text}") for text in texts]])
    policy = LstmPolicy(grammar, 0, Settings(), load_network(grammar, controlled))
    return policy.likelihoods(sequence)[0].item()


def test_examples_are_distinct_functions_with_the_shortest_sequence_drawn():
    examples = draw_examples(GRAMMAR, 2000, rng())
    forms = Forest(GRAMMAR).plant(examples.sequences)
    assert len(set(forms)) == len(forms) == len(examples.programs)
    quadratic = forms.index(normal_form(form("C*x^2 + C*x + C")))
    assert np.sum(examples.sequences[quadratic] >= 0) == 2
    assert examples.shares.sum() == pytest.approx(1)
    assert examples.shares[quadratic] > np.median(examples.shares)


def test_functions_held_out_are_no_others():
    examples = draw_examples(GRAMMAR, 1000, rng())
    few, rest = (set(map(tuple, each.sequences.tolist())) for each in examples.split(20))
    assert few.isdisjoint(rest)
    assert len(few) + len(rest) == len(examples.programs)


def test_curves_of_examples_are_described_and_those_that_show_nothing_left_out():
    examples = draw_examples(GRAMMAR, 1000, rng())
    chosen, curves = examples.batch(64, 3, rng())
    assert 0 < len(chosen) < 64
    assert curves.shape == (len(chosen), 3, FEATURES)
    assert np.all(np.isfinite(curves))


def test_training_makes_the_rules_of_functions_likelier():
    told: list[Progress] = []
    trained = train(40, 1000, 0, told.append)
    assert trained.likelihood > trained.prior + 0.3
    assert [each.step for each in told] == list(range(2, 41, 2))
    likelihoods = [each.likelihood for each in told]
    assert np.mean(likelihoods[-5:]) > np.mean(likelihoods[:2]) + 0.3


def test_the_seed_decides_all_and_weights_written_are_weights_read(tmp_path):
    trained, again, other = (train(2, 500, seed) for seed in (1, 1, 2))
    network, grammar = trained.network, trained.grammar
    assert torch.equal(network.scores, again.network.scores)
    assert not torch.equal(network.scores, other.network.scores)
    save_network(network, grammar, tmp_path / "weights.npz")
    read = load_network(grammar, WAVE, tmp_path / "weights.npz")
    network.look_at(WAVE)
    written, found = (LstmPolicy(grammar, 0, Settings(), each) for each in (network, read))
    sequences = written.sample(50)
    likelihoods = (each.likelihoods(sequences)[0].detach().numpy() for each in (written, found))
    assert next(likelihoods) == pytest.approx(next(likelihoods), abs=0.02)


def test_without_weights_it_is_said_how_to_make_them(tmp_path):
    with pytest.raises(UsageError, match="odevsr bench train-policy"):
        load_network(GRAMMAR, WAVE, tmp_path / "none.npz")


def test_the_shipped_policy_tells_waves_from_growth():
    sine, growth = ("sin(C*A + C)", "x"), ("exp(C*A)", "x")
    for controlled, right, wrong in ((WAVE, sine, growth), (GROWTH, growth, sine)):
        assert likelihood(GRAMMAR, controlled, right) > likelihood(GRAMMAR, controlled, wrong) + 2


def test_the_shipped_file_is_small():
    assert SHIPPED.stat().st_size < 2_000_000


def test_fewer_operators_learnt_terms_and_unknown_rules_are_weighed_too():
    learnt = (form("1/(x^4 + 7)"),)
    for operators in (("+", "*", "exp"), (*DEFAULT_OPERATORS, "tan")):
        grammar = composing_grammar("x", operators, learnt, 12)
        policy = LstmPolicy(grammar, 0, Settings(), load_network(grammar, GROWTH))
        sequences = policy.sample(64)
        assert len(Forest(grammar).plant(sequences)) == 64
        policy.learn(sequences, np.linspace(0, 1, 64))


def test_searches_begin_where_training_ended_and_leave_the_file_alone():
    before = SHIPPED.read_bytes()
    policy = LstmPolicy(GRAMMAR, 0, Settings(), load_network(GRAMMAR, WAVE))
    sequences = policy.sample(128)
    sine = [str(rule) for rule in GRAMMAR.rules].index("A -> sin(C*A + C)")
    assert np.mean(sequences[:, 0] == sine) > 0.2
    policy.learn(sequences, (sequences[:, 0] == sine).astype(float))
    assert SHIPPED.read_bytes() == before


def test_the_right_form_of_a_wave_is_among_the_first_proposed():
    (proposer,) = Proposers(Settings(proposers=("trained",))).policies("x", WAVE, rng())
    first = next(proposer.batches({}))[:16]
    assert normal_form(form("C*sin(C*x + C) + C*x + C")) in first
