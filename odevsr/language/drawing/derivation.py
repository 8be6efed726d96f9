"""A batch of derivations under way: which rules are legal next, and what the next hole sits in."""

from __future__ import annotations

import numpy as np

from odevsr.arrays import BoolArray, IntArray
from odevsr.language.drawing.grammar import Grammar

NONE = -1
"""Stands for the parent or sibling a hole does not have, and for the rule before the first."""


class Derivation:
    """The open holes of `count` derivations, leftmost on top; all arrays are (count, ...).

    A hole knows the rule above it (parent), the rule of its left neighbour (sibling), its depth and
    the functions around it. `legal` leaves out rules that break a limit of the grammar, or after
    which a derivation could not be completed within its length.
    """

    def __init__(self, grammar: Grammar, count: int) -> None:
        self._grammar = grammar
        self._rows = np.arange(count)
        size = (count, grammar.longest + grammar.holes + 1)
        self._parents = np.full(size, NONE)
        self._siblings = np.full(size, NONE)
        self._families = np.zeros(size, dtype=np.int64)
        self._awaited = np.zeros(size, dtype=bool)  # does the hole below wait for our rule?
        self._has_leaf = bool(np.any((grammar.arities == 0) & ~grammar.is_constant))
        self.open = np.full(count, grammar.holes)
        self.last = np.full(count, NONE)
        self.applied = 0

    @property
    def active(self) -> BoolArray:
        """Which derivations still have a hole."""
        result: BoolArray = self.open > 0
        return result

    @property
    def parent(self) -> IntArray:
        """Rule above the next hole."""
        return self._top(self._parents)

    @property
    def sibling(self) -> IntArray:
        """Rule of the left neighbour of the next hole."""
        return self._top(self._siblings)

    def legal(self) -> BoolArray:
        """Rules that may come next, (count, rules); all of them where nothing is open."""
        grammar = self._grammar
        remaining = grammar.longest - self.applied - 1
        legal: BoolArray = self.open[:, None] - 1 + grammar.arities <= remaining
        if not grammar.nested_functions:
            legal &= (self._top(self._families)[:, None] & grammar.families) == 0
        if self._has_leaf:
            legal &= ~(grammar.is_constant & self._makes_constant_operand()[:, None])
        return legal | ~self.active[:, None]

    def _makes_constant_operand(self) -> BoolArray:
        """Where a constant in the next hole would leave its parent with constants only."""
        parent, sibling = self.parent, self.sibling
        alone = (parent >= 0) & (self._grammar.arities[parent] == 1)
        beside_constant = (sibling >= 0) & self._grammar.is_constant[sibling]
        result: BoolArray = alone | beside_constant
        return result

    def apply(self, rules: IntArray) -> None:
        """Fill each leftmost hole by its rule; finished derivations ignore theirs."""
        self.last = np.where(self.active, rules, self.last)
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

    def _top(self, stack: IntArray) -> IntArray:
        result: IntArray = stack[self._rows, np.maximum(self.open - 1, 0)]
        return result
