"""The policy that learns: a recurrent network over the rules, trained by policy gradient."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from odevsr.arrays import FloatArray, IntArray
from odevsr.language.drawing.derivation import Derivation
from odevsr.language.drawing.forest import PADDING
from odevsr.language.drawing.grammar import Grammar
from odevsr.search.policy.examples import TRAINING
from odevsr.search.policy.network import Adam, Network, State
from odevsr.search.policy.prior import Prior
from odevsr.search.policy.sequences import BestSequences, Replay, Weigh, draw, equal_weights, replay
from odevsr.settings import Settings

CHUNK = 256
"""Sequences that go through the network together: bounds memory, and short ones need no padding."""
IMPOSSIBLE = np.finfo(np.float32).min
"""Logarithm of the probability of an illegal rule; finite, so that 0 times it is 0."""


class LstmPolicy:
    """Samples from prior times exp(network's scores), and learns by REINFORCE.

    An update is a step up the weighted log-likelihood of sequences. With the "mean" objective each
    of the N sequences weighs (reward - mean reward)/N, as in the paper. With "risk" only the best
    `quantile` of the distinct ones count, in proportion to how much their reward exceeds that
    quantile, together 1. The queue of the best sequences so far weighs another 1. On top comes the
    entropy relative to the prior, a mean over all steps.
    """

    def __init__(
        self, grammar: Grammar, seed: int, settings: Settings, trained: Network | None = None
    ) -> None:
        torch.set_num_threads(1)  # More only spin: the matrices are small.
        self._grammar = grammar
        self._settings = settings
        self._rng = np.random.default_rng(seed)
        at_prior = settings.begin_at_prior or trained is not None
        self._weigh: Weigh = Prior(grammar).weights if at_prior else equal_weights
        if trained is None:
            self._network = Network(grammar, settings.layers, settings.width, self._rng)
        else:
            self._network = trained
        tuning = 1.0 if trained is None else TRAINING.tuning_rate
        self._adam = Adam(self._network.parameters(), tuning * settings.learning_rate)
        self._queue = BestSequences(settings.queue, grammar.longest)

    @torch.inference_mode()
    def sample(self, count: int) -> IntArray:
        """Complete sequences of rule numbers, (count, grammar.longest), rows padded with -1.

        The network is run once for all derivations that begin alike.
        """
        state = self._network.start()
        own = np.zeros(count, dtype=np.int64)  # which row of the state is each derivation's

        def weigh(derivation: Derivation, rows: IntArray) -> FloatArray:
            nonlocal state
            beginnings = own[rows] * len(self._grammar.rules) + derivation.last[rows]
            _, first, inverse = np.unique(beginnings, return_index=True, return_inverse=True)
            ones = rows[first]
            around = (derivation.last, derivation.parent, derivation.sibling)
            hidden, cell = (part[:, own[ones]] for part in state)
            scores, state = self._network(*(rules[ones, None] for rules in around), (hidden, cell))
            own[rows] = inverse
            prior = _log_prior(self._weigh(derivation, ones))
            probabilities: FloatArray = torch.softmax(scores[:, 0] + prior, dim=1).numpy()
            return probabilities[inverse]

        return draw(self._grammar, count, self._rng, weigh)

    def learn(self, sequences: IntArray, rewards: FloatArray) -> None:
        """One update from sequences as sampled and their finite rewards (B,), greater is better."""
        distinct, weights = self._weighted(sequences, rewards)
        lengths = (distinct != PADDING).sum(axis=1)
        order = np.argsort(lengths, kind="stable")
        for first in range(0, len(order), CHUNK):
            chunk = order[first : first + CHUNK]
            likelihoods, entropies = self.likelihoods(distinct[chunk])
            gain = (torch.from_numpy(weights[chunk]) * likelihoods).sum()
            bonus = self._settings.entropy * entropies.sum() / int(lengths.sum())
            torch.autograd.backward(-(gain + bonus))
        if len(distinct):
            self._adam.step()

    def likelihoods(self, sequences: IntArray) -> tuple[Tensor, Tensor]:
        """Log-probabilities (B,) of complete sequences, and their entropies relative to the prior.

        The entropy of a sequence is the sum over its steps; it is nought where nothing was learnt
        and negative elsewhere.
        """
        known = replay(self._grammar, sequences, self._weigh)
        hidden, cell = (
            part.expand(-1, len(sequences), -1).contiguous() for part in self._network.start()
        )
        return likelihoods(self._network, known, (hidden, cell))

    def _weighted(self, sequences: IntArray, rewards: FloatArray) -> tuple[IntArray, FloatArray]:
        """Distinct sequences and what each weighs in the update; those of weight 0 are left out."""
        distinct, inverse, repeats = _distinct(sequences)
        rewards = np.bincount(inverse, rewards) / repeats
        if self._settings.objective == "mean":
            weights = (rewards - np.average(rewards, weights=repeats)) * repeats / repeats.sum()
        else:
            excess = _excess(rewards, self._settings.quantile)
            weights = excess / max(excess.sum(), np.finfo(float).tiny)
        if self._settings.queue:
            self._queue.add(distinct, rewards)
            queue = self._queue.sequences
            distinct, inverse, _ = _distinct(np.concatenate([distinct, queue]))
            again = np.full(len(queue), 1 / len(queue))
            weights = np.bincount(inverse, np.concatenate([weights, again]))
        return distinct[weights != 0], weights[weights != 0]


def _excess(rewards: FloatArray, quantile: float) -> FloatArray:
    """By how much the best `quantile` of rewards are above the others; 0 for those others.

    Where so many share the best reward that they fill the quantile, all of them are above the rest.
    """
    best = rewards.max()
    second = np.max(rewards[rewards < best], initial=rewards.min())
    excess: FloatArray = np.maximum(rewards - min(np.quantile(rewards, 1 - quantile), second), 0)
    return excess


def likelihoods(network: Network, known: Replay, state: State) -> tuple[Tensor, Tensor]:
    """Log-probabilities (B,) of replayed sequences from given states, and their entropies."""
    scores, _ = network(known.last, known.parents, known.siblings, state)
    prior = _log_prior(known.weights)
    logs = torch.log_softmax(scores + prior, dim=2)
    steps = torch.from_numpy(known.steps)
    rules = torch.from_numpy(np.maximum(known.rules, 0))[..., None]
    chosen = logs.gather(2, rules)[..., 0] * steps
    entropies = (logs.exp() * (prior - logs)).sum(dim=2) * steps
    return chosen.sum(dim=1), entropies.sum(dim=1)


def _log_prior(weights: FloatArray) -> Tensor:
    """Logarithms of weights (..., rules) scaled to sum to 1."""
    total = weights.sum(axis=-1, keepdims=True)
    impossible = np.full(weights.shape, IMPOSSIBLE)
    logs = np.log(weights / total, out=impossible, where=weights > 0)
    return torch.from_numpy(logs.astype(np.float32))


def _distinct(sequences: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Distinct rows, which of them each row is, and how often each occurs."""
    distinct, inverse, repeats = np.unique(
        sequences, axis=0, return_inverse=True, return_counts=True
    )
    return distinct, inverse.reshape(-1), repeats
