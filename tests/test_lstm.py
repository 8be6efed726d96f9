import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
import torch
from derivations import as_sequences
from hypothesis import given, settings
from hypothesis import strategies as st

from odevsr.language.drawing.forest import PADDING
from odevsr.language.drawing.grammar import make_grammar
from odevsr.language.parse import parse
from odevsr.search.policy.lstm import LstmPolicy
from odevsr.search.policy.network import Adam
from odevsr.search.policy.prior import PriorPolicy
from odevsr.search.policy.sequences import equal_weights, is_complete, replay
from odevsr.settings import Settings

SMALL = Settings(width=16, learning_rate=0.02, queue=0)
STARTS = ("A", "A*x0 + A", "cot(x0 + A)**2 - 2.5*A/x1")


def grammar_from(start="A", variables=("x0",), **options):
    names = ["x0", "x1"]
    return make_grammar(variables, start=parse(start, names, open_symbols=True), **options)


def rule_number(grammar, text):
    return [str(rule) for rule in grammar.rules].index(f"A -> {text}")


def share_with(policy, rule, count=512):
    return np.mean((policy.sample(count) == rule).any(axis=1))


def taught(policy, rule, updates=8):
    """The policy after updates that reward sequences with a rule in them."""
    for _ in range(updates):
        sequences = policy.sample(256)
        policy.learn(sequences, (sequences == rule).any(axis=1).astype(float))
    return policy


@settings(max_examples=20, deadline=None)
@given(
    start=st.sampled_from(STARTS),
    variables=st.lists(st.sampled_from(["x0", "x1"]), unique=True),
    longest=st.integers(3, 20),
    layers=st.integers(1, 2),
    prior=st.booleans(),
    seed=st.integers(0, 99),
)
def test_sequences_stay_complete_and_legal_while_learning(
    start, variables, longest, layers, prior, seed
):
    grammar = grammar_from(start, variables, longest=longest)
    policy = LstmPolicy(grammar, seed, replace(SMALL, layers=layers, begin_at_prior=prior))
    for _ in range(3):
        sequences = policy.sample(40)
        assert sequences.shape == (40, longest)
        assert replay(grammar, sequences, equal_weights).steps.any(axis=1).all()
        policy.learn(sequences, np.linspace(0, 1, 40))


@pytest.mark.parametrize("objective", ["mean", "risk"])
def test_the_seed_decides_what_is_drawn_and_learnt(objective):
    def drawn(seed):
        policy = LstmPolicy(grammar_from(), seed, replace(SMALL, objective=objective, queue=5))
        return taught(policy, rule_number(grammar_from(), "sin(A)"), 3).sample(64)

    assert np.array_equal(drawn(1), drawn(1))
    assert not np.array_equal(drawn(1), drawn(2))


def test_torchs_own_random_numbers_are_left_alone():
    before = torch.get_rng_state()
    policy = LstmPolicy(grammar_from(), 0, SMALL)
    policy.learn(policy.sample(32), np.arange(32.0))
    assert torch.equal(torch.get_rng_state(), before)


def test_an_untaught_policy_draws_as_the_prior_does():
    grammar = grammar_from("A*x0 + A", ["x1"])
    prior = PriorPolicy(grammar, np.random.default_rng(0)).sample(4000)
    network = LstmPolicy(grammar, 0, SMALL).sample(4000)
    for column in range(4):
        expected, found = (
            np.bincount(batch[:, column] + 1, minlength=len(grammar.rules) + 1) / 4000
            for batch in (prior, network)
        )
        assert found == pytest.approx(expected, abs=0.03)


def test_without_prior_an_untaught_policy_takes_legal_rules_alike():
    grammar = grammar_from(operators=["+", "sin"])
    policy = LstmPolicy(grammar, 0, replace(SMALL, begin_at_prior=False))
    sequence = as_sequences([[rule_number(grammar, text) for text in ("A + A", "C", "x0")]])
    likelihoods, entropies = policy.likelihoods(sequence)
    # Of four rules all may come first and second; beside a constant there may be no other.
    assert likelihoods.exp().item() == pytest.approx(1 / (4 * 4 * 3))
    assert entropies.item() == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("chosen", [SMALL, replace(SMALL, layers=2, begin_at_prior=False)])
def test_sequences_are_drawn_as_often_as_their_likelihood_says(chosen):
    grammar = grammar_from(operators=["+", "*", "sin"], longest=4)
    policy = taught(LstmPolicy(grammar, 0, chosen), rule_number(grammar, "sin(A)"), 4)
    distinct, counts = np.unique(policy.sample(20_000), axis=0, return_counts=True)
    likelihoods, entropies = policy.likelihoods(distinct)
    assert counts / 20_000 == pytest.approx(likelihoods.exp().detach().numpy(), abs=0.012)
    assert likelihoods.exp().sum().item() == pytest.approx(1, abs=0.01)
    assert (entropies < 0).any()


@pytest.mark.parametrize(
    "chosen",
    [
        SMALL,
        replace(SMALL, objective="mean"),
        replace(SMALL, queue=20, quantile=0.2),
        Settings(layers=3, width=24, objective="mean", begin_at_prior=False),
    ],
)
def test_what_is_rewarded_is_drawn_more_often(chosen):
    grammar = grammar_from()
    sine = rule_number(grammar, "sin(A)")
    policy = LstmPolicy(grammar, 0, chosen)
    before = share_with(policy, sine)
    assert share_with(taught(policy, sine, 12), sine) > before + 0.2


def test_one_update_raises_the_best_and_with_the_mean_objective_lowers_the_worst():
    grammar = grammar_from()
    for objective in ("mean", "risk"):
        policy = LstmPolicy(grammar, 0, replace(SMALL, objective=objective, entropy=0.0))
        sequences = np.unique(policy.sample(100), axis=0)
        rewards = np.zeros(len(sequences))
        rewards[3] = 1
        before, _ = policy.likelihoods(sequences)
        policy.learn(sequences, rewards)
        gain = (policy.likelihoods(sequences)[0] - before).detach().numpy()
        assert gain[3] > 0
        assert gain.argmax() == 3 if objective == "risk" else gain.mean() < gain[3]


def test_repeats_count_once_for_risk_and_each_time_for_the_mean():
    grammar = grammar_from()
    sequences = np.unique(LstmPolicy(grammar, 0, SMALL).sample(50), axis=0)[:20]
    rewards = np.linspace(0, 1, 20)
    repeated = np.concatenate([sequences, sequences[-1:], sequences[-1:]])
    again = np.concatenate([rewards, rewards[-1:], rewards[-1:]])

    def likelihoods(objective, *batch):
        policy = LstmPolicy(grammar, 0, replace(SMALL, objective=objective, quantile=0.3))
        policy.learn(*batch)
        return policy.likelihoods(sequences)[0].detach().numpy()

    alike = {
        objective: np.allclose(
            likelihoods(objective, sequences, rewards), likelihoods(objective, repeated, again)
        )
        for objective in ("risk", "mean")
    }
    assert alike == {"risk": True, "mean": False}


def test_rewards_that_are_all_equal_teach_nothing():
    for objective in ("mean", "risk"):
        policy = LstmPolicy(grammar_from(), 0, replace(SMALL, objective=objective, entropy=0.0))
        sequences = policy.sample(64)
        before, _ = policy.likelihoods(sequences)
        policy.learn(sequences, np.full(64, 0.3))
        assert torch.allclose(policy.likelihoods(sequences)[0], before, atol=1e-4)


def test_the_queue_keeps_teaching_what_was_best_once():
    grammar = grammar_from()
    best = as_sequences([[rule_number(grammar, text) for text in ("cos(A)", "x0")]])
    best = np.pad(best, ((0, 0), (0, 18)), constant_values=PADDING)

    def likelihood(queue):
        policy = LstmPolicy(grammar, 0, replace(SMALL, queue=queue))
        policy.learn(np.concatenate([policy.sample(30), best]), np.append(np.zeros(30), 1.0))
        for _ in range(5):
            policy.learn(policy.sample(30), np.zeros(30))
        return policy.likelihoods(best)[0].item()

    assert likelihood(queue=1) > likelihood(queue=0) + 0.5


def test_the_entropy_bonus_holds_the_policy_back():
    grammar = grammar_from()
    sine = rule_number(grammar, "sin(A)")
    free, held = (
        share_with(taught(LstmPolicy(grammar, 0, replace(SMALL, entropy=weight)), sine), sine)
        for weight in (0.0, 10.0)
    )
    assert held < free


@pytest.mark.parametrize("texts", [("A + A", "x0"), ("sin(A)", "cos(A)", "x0"), ("x0", "x0")])
def test_sequences_that_are_none_of_the_grammars_are_not_complete(texts):
    grammar = grammar_from()
    rows = [[rule_number(grammar, text) for text in row] for row in (["exp(A)", "x0"], texts)]
    assert is_complete(grammar, as_sequences(rows)).tolist() == [True, False]


def test_replay_knows_what_stood_around_each_hole():
    grammar = grammar_from(operators=["+", "sin"])
    plus, sine, constant, variable = (
        rule_number(grammar, text) for text in ("A + A", "sin(A)", "C", "x0")
    )
    known = replay(grammar, as_sequences([[plus, sine, variable, constant]]), equal_weights)
    assert known.last.tolist() == [[-1, plus, sine, variable]]
    assert known.parents.tolist() == [[-1, plus, sine, plus]]
    assert known.siblings.tolist() == [[-1, -1, -1, sine]]


def test_our_adam_moves_as_torchs_does():
    generator = torch.Generator().manual_seed(0)
    ours, theirs = (torch.nn.Parameter(torch.ones(5)) for _ in range(2))
    adam, reference = Adam([ours], 0.01), torch.optim.Adam([theirs], 0.01)
    for _ in range(20):
        gradient = torch.randn(5, generator=generator)
        ours.grad, theirs.grad = gradient.clone(), gradient.clone()
        adam.step()
        reference.step()
    assert torch.allclose(ours, theirs, rtol=1e-5)


def test_settings_and_prior_do_not_load_torch():
    code = "import sys, odevsr.search.policy.prior; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
