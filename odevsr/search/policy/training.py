"""Training of the network that looks at curves: rules of known functions, given their curves."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from odevsr.arrays import FloatArray, IntArray
from odevsr.language.drawing.grammar import Grammar
from odevsr.search.policy.examples import TRAINING, VARIABLE, Examples, draw_examples
from odevsr.search.policy.lstm import likelihoods
from odevsr.search.policy.network import Adam
from odevsr.search.policy.prior import Prior
from odevsr.search.policy.rules import composing_grammar
from odevsr.search.policy.sequences import replay
from odevsr.search.policy.trained import CurveNetwork
from odevsr.settings import DEFAULT_OPERATORS, Settings


@dataclass(frozen=True)
class Progress:
    """How far a training is: steps done, and the mean log-likelihood of the last functions."""

    step: int
    likelihood: float


@dataclass(frozen=True, eq=False)
class Trained:
    """A network, the grammar of its rules, and how it does on functions that it was not shown.

    Those are the mean log-likelihoods of their rules, by the network and by the prior.
    """

    network: CurveNetwork
    grammar: Grammar
    likelihood: float
    prior: float


def train(
    steps: int,
    draws: int,
    seed: int,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> Trained:
    """A network trained from nothing on functions drawn from the grammar of the default operators.

    Each step shows some hundred functions with new constants and ranges; its size falls to nought
    along a cosine. Some functions are never shown.
    """
    torch.set_num_threads(1)
    rng = np.random.default_rng(seed)
    grammar = composing_grammar(VARIABLE, DEFAULT_OPERATORS, (), Settings().longest)
    kept, examples = draw_examples(grammar, draws, rng).split(TRAINING.held_out)
    network = CurveNetwork(grammar, rng)
    judged = kept.batch(TRAINING.judged_curves, max(TRAINING.trials), rng)
    prior = _likelihood(network, kept, *judged).item()
    adam = Adam(network.parameters(), TRAINING.rate)
    recent: list[float] = []
    every = max(steps // TRAINING.reports, 1)
    for step in range(steps):
        recent.append(_step(network, examples, adam, _share(step / steps), rng))
        if (step + 1) % every == 0:
            on_progress(Progress(step + 1, float(np.mean(recent[-every:]))))
    return Trained(network, grammar, _likelihood(network, kept, *judged).item(), prior)


def _share(done: float) -> float:
    """Of the first step's size, once that share of the training is done."""
    return math.cos(math.pi / 2 * done)


def _step(
    network: CurveNetwork, examples: Examples, adam: Adam, share: float, rng: np.random.Generator
) -> float:
    """One step up the likelihood of the rules of some functions; how likely they were before."""
    trials = int(rng.choice(TRAINING.trials))
    gain = _likelihood(network, examples, *examples.batch(TRAINING.batch, trials, rng))
    torch.autograd.backward(-gain)
    adam.step(share)
    return gain.item()


def _likelihood(
    network: CurveNetwork, examples: Examples, chosen: IntArray, curves: FloatArray
) -> Tensor:
    """The mean log-likelihood of the rules of the examples chosen, given their curves.

    That of a network without any training is the prior's.
    """
    grammar = examples.grammar
    known = replay(grammar, examples.sequences[chosen], Prior(grammar).weights)
    state = network.encoded(torch.from_numpy(curves.astype(np.float32)))
    return likelihoods(network, known, state)[0].mean()
