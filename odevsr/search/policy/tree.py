"""Monte Carlo tree search over rules of a grammar: what other searchers are measured against."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from odevsr.arrays import FloatArray, IntArray
from odevsr.language.drawing.derivation import Derivation
from odevsr.language.drawing.forest import PADDING
from odevsr.language.drawing.grammar import Grammar
from odevsr.search.policy.prior import Prior
from odevsr.search.policy.sequences import draw


@dataclass(eq=False)
class TreePolicy:
    """Remembers the best reward behind every beginning that was tried, and how often it was.

    Node 0 stands for all beginnings that were never tried, node 1 is the root. A batch is drawn at
    once: rules by the prior times exp(upper confidence bound / temperature), beyond the tree by the
    prior alone.
    """

    grammar: Grammar
    rng: np.random.Generator
    exploration: float = 0.5
    """Weight of what was seldom tried beside the best reward found behind a rule."""
    temperature: float = 0.1
    """How much less a rule may promise before it is drawn e times less often."""

    def __post_init__(self) -> None:
        self._prior = Prior(self.grammar)
        self._children = np.zeros((2, len(self.grammar.rules)), dtype=np.int64)
        self._visits = np.zeros(2)
        self._best = np.zeros(2)

    def sample(self, count: int) -> IntArray:
        """Complete sequences of rule numbers, (count, grammar.longest), rows padded with -1."""
        nodes = np.ones(count, dtype=np.int64)

        def weigh(derivation: Derivation, rows: IntArray) -> FloatArray:
            if derivation.applied:
                nodes[rows] = self._children[nodes[rows], derivation.last[rows]]
            return self._prior.weights(derivation, rows) * self._promises(nodes[rows])

        return draw(self.grammar, count, self.rng, weigh)

    def learn(self, sequences: IntArray, rewards: FloatArray) -> None:
        """Take the sequences into the tree; every beginning of one knows its reward."""
        nodes = np.ones(len(sequences), dtype=np.int64)
        self._visits[1] += len(sequences)
        for column in sequences.T:
            rows = np.flatnonzero(column != PADDING)
            nodes[rows] = self._child_nodes(nodes[rows], column[rows])
            np.add.at(self._visits, nodes[rows], 1)
            np.maximum.at(self._best, nodes[rows], rewards[rows])

    def _promises(self, nodes: IntArray) -> FloatArray:
        """What the rules (rows, rules) behind some nodes promise; 1 for all outside the tree."""
        children = self._children[nodes]
        tried = np.log1p(self._visits[nodes])[:, None] / (1 + self._visits[children])
        bounds = self._best[children] + self.exploration * np.sqrt(tried)
        return np.exp(bounds / self.temperature)

    def _child_nodes(self, nodes: IntArray, rules: IntArray) -> IntArray:
        """The nodes behind rules, made where there are none."""
        missing = self._children[nodes, rules] == 0
        pairs = np.unique(np.stack([nodes[missing], rules[missing]], axis=1), axis=0)
        self._children[pairs[:, 0], pairs[:, 1]] = len(self._visits) + np.arange(len(pairs))
        more = np.zeros((len(pairs), len(self.grammar.rules)), dtype=np.int64)
        self._children = np.concatenate([self._children, more])
        self._visits, self._best = (
            np.concatenate([each, np.zeros(len(pairs))]) for each in (self._visits, self._best)
        )
        return self._children[nodes, rules]
