"""A batch of derivations under way: which rules are legal next, and what the next hole sits in."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from odevsr.language.grammar import Grammar

IntArray = NDArray[np.int64]
NONE = -1
"""Stands for the parent or sibling a hole does not have."""


class Derivation:
    """The open holes of `count` derivations, leftmost on top; all arrays are (count, ...).

    A hole knows the rule above it (parent), the rule of its left neighbour (sibling) and the families of
    functions around it. `legal` leaves out rules that could not be completed within the grammar's length,
    nest a family in itself, or combine nothing but constants.
    """

    def __init__(self, grammar: Grammar, count: int) -> None:
        self._grammar = grammar
        self._rows = np.arange(count)
        depth = grammar.longest + grammar.holes + 1
        self._parents = np.full((count, depth), NONE)
        self._siblings = np.full((count, depth), NONE)
        self._families = np.zeros((count, depth), dtype=np.int64)
        self._awaited = np.zeros((count, depth), dtype=bool)  # does the hole below wait for our rule?
        self.open = np.full(count, grammar.holes)
        self.applied = 0

    @property
    def active(self) -> NDArray[np.bool_]:
        """Which derivations still have a hole."""
        return self.open > 0

    @property
    def parent(self) -> IntArray:
        """Rule above the next hole."""
        return self._top(self._parents)

    @property
    def sibling(self) -> IntArray:
        """Rule of the left neighbour of the next hole."""
        return self._top(self._siblings)

    def legal(self) -> NDArray[np.bool_]:
        """Rules that may come next, (count, rules); all of them where nothing is open."""
        grammar = self._grammar
        remaining = grammar.longest - self.applied - 1
        fits = self.open[:, None] - 1 + grammar.arities <= remaining
        nested = (self._top(self._families)[:, None] & grammar.families) > 0
        parent, sibling = self.parent, self.sibling
        unary = (parent >= 0) & (grammar.arities[parent] == 1)
        beside_constant = (sibling >= 0) & grammar.is_constant[sibling]
        constant = grammar.is_constant & (unary | beside_constant)[:, None]
        legal = fits & ~nested & ~constant
        return legal | ~self.active[:, None]

    def apply(self, rules: IntArray) -> None:
        """Fill each leftmost hole by its rule; finished derivations ignore theirs."""
        rows = self._rows[self.active]
        rules = rules[rows]
        top = self.open[rows] - 1
        families = self._families[rows, top] | self._grammar.families[rules]
        waiting = self._awaited[rows, top]
        self._siblings[rows[waiting], top[waiting] - 1] = rules[waiting]
        arity = self._grammar.arities[rules]
        for opened in range(int(arity.max(initial=0))):
            new = arity > opened
            row, slot = rows[new], (top + opened)[new]
            self._parents[row, slot] = rules[new]
            self._siblings[row, slot] = NONE
            self._families[row, slot] = families[new]
            self._awaited[row, slot] = opened > 0
        self.open[rows] = top + arity
        self.applied += 1

    def _top(self, stack: NDArray[np.int64]) -> IntArray:
        result: IntArray = stack[self._rows, np.maximum(self.open - 1, 0)]
        return result
