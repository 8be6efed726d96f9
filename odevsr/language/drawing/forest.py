"""Sequences of rules to normal forms, for a whole batch at once.

Each distinct sub-expression is normalised once and gets a number. A batch is then read from the
right, one column at a time: the numbers of a rule's arguments lie on a stack, and only combinations
never met before cost more than a table look-up.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from odevsr.arrays import IntArray
from odevsr.language.algebra.normal import combine
from odevsr.language.algebra.term import CACHED, split_coefficient, terms
from odevsr.language.drawing.grammar import Grammar
from odevsr.language.expression import CONSTANT, Apply, Expression, Hole, Op

PADDING = -1
"""Fills a row of a batch behind the end of its sequence."""


class Forest:
    """The normal forms met so far under one grammar; above `most` it starts anew."""

    def __init__(self, grammar: Grammar, most: int = 200_000) -> None:
        self._grammar = grammar
        self._templates = [*(rule.template for rule in grammar.rules), grammar.start]
        self._most = most
        self._clear()

    def __getitem__(self, number: int) -> Expression:
        return self._expressions[number]

    def plant(self, sequences: IntArray) -> list[Expression]:
        """The normal forms of complete sequences (B, L), rows padded with -1."""
        if len(self._known) > self._most:
            self._clear()
        arities = self._grammar.arities
        stack = np.zeros((len(sequences), sequences.shape[1] + 1), dtype=np.int64)
        top = np.zeros(len(sequences), dtype=np.int64)
        for column in range(sequences.shape[1] - 1, -1, -1):
            rows = np.flatnonzero(sequences[:, column] != PADDING)
            rules = sequences[rows, column]
            arguments = [
                np.where(arities[rules] > argument, stack[rows, top[rows] - 1 - argument], 0)
                for argument in range(arities.max(initial=0))
            ]
            top[rows] += 1 - arities[rules]
            stack[rows, top[rows] - 1] = self._numbers(np.stack([rules, *arguments], axis=1))
        holes = [stack[:, hole] for hole in reversed(range(self._grammar.holes))]
        start = np.full(len(sequences), len(self._grammar.rules))
        numbers = self._numbers(np.stack([start, *holes], axis=1))
        return [self._expressions[number] for number in numbers]

    def _numbers(self, keys: IntArray) -> IntArray:
        """Numbers of the expressions named by (rule, arguments...), made where they are new."""
        distinct, inverse = np.unique(keys, axis=0, return_inverse=True)
        numbers = [self._number(tuple(key)) for key in distinct.tolist()]
        result: IntArray = np.array(numbers, dtype=np.int64)[inverse.reshape(-1)]
        return result

    def _number(self, key: tuple[int, ...]) -> int:
        if key not in self._known:
            rule, *arguments = key
            fillings: Iterator[Expression] = (self._expressions[each] for each in arguments)
            if self._grammar.is_weighted and rule == len(self._grammar.rules):
                fillings = map(weighted, fillings)
            expression = _filled(self._templates[rule], fillings)
            self._known[key] = self._index.setdefault(expression, len(self._expressions))
            if self._known[key] == len(self._expressions):
                self._expressions.append(expression)
        return self._known[key]

    def _clear(self) -> None:
        self._known: dict[tuple[int, ...], int] = {}
        self._index: dict[Expression, int] = {}
        self._expressions: list[Expression] = []


@lru_cache(maxsize=CACHED)
def weighted(filling: Expression) -> Expression:
    """A normal form with an open coefficient for each term, and an offset.

    >>> from odevsr.language.parse import parse
    >>> from odevsr.language.text import to_text
    >>> to_text(weighted(parse("x**2 + 2*sin(x)", ["x"])))
    'C*x**2 + C*sin(x) + C'
    """
    parts = (split_coefficient(term)[1] for term in terms(filling))
    return combine(Op.ADD, (*(combine(Op.MUL, (CONSTANT, each)) for each in parts), CONSTANT))


def _filled(template: Expression, fillings: Iterator[Expression]) -> Expression:
    """The normal form of a template whose holes take the next normal forms."""
    if isinstance(template, Hole):
        return next(fillings)
    if isinstance(template, Apply):
        return combine(template.op, tuple(_filled(arg, fillings) for arg in template.args))
    return template
