"""Batches of sequences of rules, column by column: drawn from weights, or gone through again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from odevsr.arrays import BoolArray, FloatArray, IntArray
from odevsr.language.drawing.derivation import Derivation
from odevsr.language.drawing.forest import PADDING
from odevsr.language.drawing.grammar import Grammar

Weigh = Callable[[Derivation, IntArray], FloatArray]
"""Weights (rows, rules) of what may come next in some rows of a derivation, 0 where illegal."""


def equal_weights(derivation: Derivation, rows: IntArray) -> FloatArray:
    """Every legal rule alike."""
    return derivation.legal()[rows].astype(np.float64)


def draw(grammar: Grammar, count: int, rng: np.random.Generator, weigh: Weigh) -> IntArray:
    """Complete sequences (count, grammar.longest), padded with -1, rules drawn by their weights."""
    derivation = Derivation(grammar, count)
    sequences = np.full((count, grammar.longest), PADDING)
    while derivation.active.any():
        rows, step = np.flatnonzero(derivation.active), derivation.applied
        sequences[rows, step] = _picked(weigh(derivation, rows), rng)
        derivation.apply(sequences[:, step])
    return sequences


def _picked(weights: FloatArray, rng: np.random.Generator) -> IntArray:
    """A column for each row, with probability proportional to its weight; never one of weight 0."""
    sums = np.cumsum(weights, axis=1, dtype=np.float64)
    thresholds = rng.random(len(sums))[:, None] * sums[:, -1:]
    picked: IntArray = (sums <= thresholds).sum(axis=1)
    return picked


@dataclass(frozen=True, eq=False)
class Replay:
    """What was known before each rule of a batch: arrays (B, T), weights (B, T, rules).

    `last` is the rule applied before, `parents` and `siblings` are the rules around the hole to be
    filled, NONE where there is none.
    """

    rules: IntArray
    last: IntArray
    parents: IntArray
    siblings: IntArray
    weights: FloatArray

    @property
    def steps(self) -> BoolArray:
        """Which entries are rules, not padding."""
        steps: BoolArray = self.rules != PADDING
        return steps


def replay(grammar: Grammar, sequences: IntArray, weigh: Weigh) -> Replay:
    """Go through complete sequences (B, L) again; T is the length of the longest of them."""
    length = int((sequences != PADDING).sum(axis=1).max(initial=0))
    rules = sequences[:, :length]
    derivation = Derivation(grammar, len(rules))
    everyone = np.arange(len(rules))
    steps = []
    for step in range(length):
        around = (derivation.last, derivation.parent, derivation.sibling)
        steps.append((*around, weigh(derivation, everyone)))
        derivation.apply(rules[:, step])
    return Replay(rules, *(np.stack(parts, axis=1) for parts in zip(*steps, strict=True)))


class BestSequences:
    """The best distinct sequences (B, L) so far, best first, of equals the earlier."""

    def __init__(self, most: int, longest: int) -> None:
        self._most = most
        self.sequences = np.empty((0, longest), dtype=np.int64)
        self._rewards = np.empty(0)

    def add(self, sequences: IntArray, rewards: FloatArray) -> None:
        """Keep the best of those known and these."""
        everyone = np.concatenate([self.sequences, sequences])
        distinct, first = np.unique(everyone, axis=0, return_index=True)
        rewards = np.concatenate([self._rewards, rewards])[first]
        best = np.lexsort([first, -rewards])[: self._most]
        self.sequences, self._rewards = distinct[best], rewards[best]


def likeliest(sequences: IntArray, known: set[bytes], most: int) -> IntArray:
    """Of sequences (B, L) those that are not known, without repeats, most frequent first."""
    distinct, first, times = np.unique(sequences, axis=0, return_index=True, return_counts=True)
    ordered = distinct[np.lexsort([first, -times])]
    new: IntArray = ordered[[row.tobytes() not in known for row in ordered]]
    return new[:most]


def is_complete(grammar: Grammar, sequences: IntArray) -> BoolArray:
    """Which of some sequences (B, L) the grammar allows and leave no hole open."""
    derivation = Derivation(grammar, len(sequences))
    complete = np.ones(len(sequences), dtype=bool)
    for rules in sequences.T:
        legal = derivation.legal()[np.arange(len(rules)), rules]
        complete &= np.where(derivation.active, (rules != PADDING) & legal, rules == PADDING)
        derivation.apply(np.maximum(rules, 0))
    return complete & ~derivation.active
