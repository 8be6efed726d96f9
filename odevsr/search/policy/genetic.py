"""Genetic programming over the rules of a grammar: what other searchers are measured against."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from odevsr.arrays import FloatArray, IntArray
from odevsr.language.drawing.forest import PADDING
from odevsr.language.drawing.grammar import Grammar
from odevsr.search.policy.prior import PriorPolicy
from odevsr.search.policy.sequences import BestSequences, is_complete
from odevsr.search.proposer import Policy


@dataclass(eq=False)
class GeneticPolicy:
    """Keeps the best distinct sequences so far; children are made of parents that win tournaments.

    A sequence is the preorder of a tree: a part of it is a rule and all that fills its holes. Its
    numbers are usual ones.
    """

    grammar: Grammar
    rng: np.random.Generator
    source: Policy | None = None
    """The policy that draws what is drawn anew, and learns too; if there is none, the prior."""
    population: int = 256
    """Sequences that are kept."""
    tournament: int = 5
    """Of so many, drawn at random, the best is a parent."""
    crossover: float = 0.7
    """Share of the children that take a part of another parent;"""
    mutation: float = 0.2
    """of those that take a part drawn anew. The rest is drawn anew as a whole."""

    def __post_init__(self) -> None:
        self._source = self.source or PriorPolicy(self.grammar, self.rng)
        self._best = BestSequences(self.population, self.grammar.longest)

    def sample(self, count: int) -> IntArray:
        """Complete sequences of rule numbers, (count, grammar.longest), rows padded with -1."""
        fresh = self._source.sample(count)
        if not len(self._best.sequences):
            return fresh
        kinds = self.rng.random(count)
        children = fresh.copy()
        for row in np.flatnonzero(kinds < self.crossover + self.mutation).tolist():
            donor = self._parent() if kinds[row] < self.crossover else fresh[row]
            children[row] = self._child(self._parent(), donor)
        complete = is_complete(self.grammar, children)
        return np.where(complete[:, None], children, fresh)

    def learn(self, sequences: IntArray, rewards: FloatArray) -> None:
        """Keep the best of the population and of what was sampled."""
        self._source.learn(sequences, rewards)
        self._best.add(sequences, rewards)

    def _parent(self) -> IntArray:
        """The best of a few: the population stands in the order of its rewards."""
        population = self._best.sequences
        best = self.rng.integers(len(population), size=self.tournament).min()
        parent: IntArray = population[best]
        return parent

    def _child(self, parent: IntArray, donor: IntArray) -> IntArray:
        """The parent with a part replaced by one of the donor's; itself if that is too long."""
        first, last = self._part(parent)
        start, end = self._part(donor)
        length = int(np.sum(parent != PADDING))
        child = np.concatenate([parent[:first], donor[start:end], parent[last:length]])
        room = len(parent) - len(child)
        return parent if room < 0 else np.pad(child, (0, room), constant_values=PADDING)

    def _part(self, sequence: IntArray) -> tuple[int, int]:
        """Where a part drawn at random begins and ends."""
        first = int(self.rng.integers(np.sum(sequence != PADDING)))
        holes = 1 + np.cumsum(self.grammar.arities[sequence[first:]] - 1)
        return first, first + 1 + int(np.argmax(holes == 0))
