"""Genetic programming over the rules of a grammar: what other searchers are measured against."""

from __future__ import annotations

import numpy as np

from odevsr.arrays import FloatArray, IntArray
from odevsr.language.drawing.forest import PADDING
from odevsr.language.drawing.grammar import Grammar
from odevsr.search.policy.prior import PriorPolicy
from odevsr.search.policy.sequences import best_distinct, is_complete

POPULATION, TOURNAMENT = 256, 5
CROSSED, MUTATED = 0.7, 0.2
"""Shares of children that take a part of another parent, or a part drawn anew; the rest is drawn
anew as a whole."""


class GeneticPolicy:
    """Keeps the best distinct sequences so far; children are made of parents that win tournaments.

    A sequence is the preorder of a tree: a part of it is a rule and all that fills its holes.
    """

    def __init__(self, grammar: Grammar, rng: np.random.Generator) -> None:
        self._grammar = grammar
        self._rng = rng
        self._prior = PriorPolicy(grammar, rng)
        self._population = np.empty((0, grammar.longest), dtype=np.int64)
        self._rewards = np.empty(0)

    def sample(self, count: int) -> IntArray:
        """Complete sequences of rule numbers, (count, grammar.longest), rows padded with -1."""
        fresh = self._prior.sample(count)
        if not len(self._population):
            return fresh
        kinds = self._rng.random(count)
        children = fresh.copy()
        for row in np.flatnonzero(kinds < CROSSED + MUTATED).tolist():
            donor = self._parent() if kinds[row] < CROSSED else fresh[row]
            children[row] = self._crossed(self._parent(), donor)
        complete = is_complete(self._grammar, children)
        return np.where(complete[:, None], children, fresh)

    def learn(self, sequences: IntArray, rewards: FloatArray) -> None:
        """Keep the best of the population and of what was sampled."""
        everyone = np.concatenate([self._population, sequences])
        rewards = np.concatenate([self._rewards, rewards])
        self._population, self._rewards = best_distinct(everyone, rewards, POPULATION)

    def _parent(self) -> IntArray:
        """The best of a few: the population stands in the order of its rewards."""
        best = self._rng.integers(len(self._population), size=TOURNAMENT).min()
        parent: IntArray = self._population[best]
        return parent

    def _crossed(self, parent: IntArray, donor: IntArray) -> IntArray:
        """The parent with a part replaced by one of the donor's; itself if that is too long."""
        first, last = self._part(parent)
        start, end = self._part(donor)
        length = int(np.sum(parent != PADDING))
        child = np.concatenate([parent[:first], donor[start:end], parent[last:length]])
        room = len(parent) - len(child)
        return parent if room < 0 else np.pad(child, (0, room), constant_values=PADDING)

    def _part(self, sequence: IntArray) -> tuple[int, int]:
        """Where a part drawn at random begins and ends."""
        first = int(self._rng.integers(np.sum(sequence != PADDING)))
        holes = 1 + np.cumsum(self._grammar.arities[sequence[first:]] - 1)
        return first, first + 1 + int(np.argmax(holes == 0))
