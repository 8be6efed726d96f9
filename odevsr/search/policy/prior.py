"""The grammar's prior, what is likely before anything was fitted, and the policy that keeps it."""

from __future__ import annotations

import numpy as np

from odevsr.arrays import BoolArray, FloatArray, IntArray
from odevsr.errors import UsageError
from odevsr.language.drawing.derivation import Derivation
from odevsr.language.drawing.grammar import Grammar
from odevsr.language.expression import Constant, Op, count
from odevsr.search.policy.sequences import draw

BINARY, POWER, FUNCTION, TEMPLATE = 0.7, 0.15, 0.15, 1.0
CONSTANT_SHARE = 0.65
SETTLED = 10
EARLIEST = 0.1
TERMINAL = 0.85


class Prior:
    """Weights of the rules by kind, and by how long the sequence is bound to become.

    A derivation with `applied` rules and `open` holes has at least size = applied + open rules.
    A hole is closed by a terminal with probability `terminal` once the size is 10; below, the
    probability falls linearly with it, down to a tenth at size 1, so that a start with a single
    hole is not filled by x0 or C at once. Terminals are the constant (65 %) and, alike, variables
    and learnt sub-expressions. Operators are those of two arguments (70 %), powers (15 %) and
    functions (15 %), alike within their kind; templates with constants of their own, where there
    are any, weigh as much as all operators together. A kind the grammar lacks leaves its share to
    the others. Illegal rules leave theirs to the legal ones.

    Measured with the default operators and a single hole: 1,024 draws hold about 650 distinct
    normal forms with one variable, 770 with two (260 with all rules of a kind alike and a fixed
    probability of 0.55); 70 % of the sequences have 5 to 12 rules; the mean is 8.5 rules.
    """

    def __init__(self, grammar: Grammar, terminal: float = TERMINAL) -> None:
        if not 0 < terminal < 1:
            raise UsageError(
                f"the probability of terminals must lie between 0 and 1, not {terminal}"
            )
        self._terminal = terminal
        self._operators = _operator_shares(grammar)
        self._terminals = _terminal_shares(grammar)

    def weights(self, derivation: Derivation, rows: IntArray) -> FloatArray:
        """Weights (rows, rules) of the rules that may come next in some rows, 0 where illegal."""
        size = derivation.applied + derivation.open[rows]
        ramp = EARLIEST + (1 - EARLIEST) * (size - 1) / (SETTLED - 1)
        terminal = self._terminal * np.minimum(ramp, 1)[:, None]
        weights = terminal * self._terminals + (1 - terminal) * self._operators
        result: FloatArray = weights * derivation.legal()[rows]
        return result


class PriorPolicy:
    """Draws from the prior for ever: the baseline, and the first batches of every search."""

    def __init__(
        self, grammar: Grammar, rng: np.random.Generator, *, terminal: float = TERMINAL
    ) -> None:
        self._grammar = grammar
        self._rng = rng
        self._prior = Prior(grammar, terminal)

    def sample(self, count: int) -> IntArray:
        """Complete sequences of rule numbers, (count, grammar.longest), rows padded with -1."""
        weigh = self._prior.weights
        return draw(
            self._grammar, count, self._rng, lambda derivation, rows, _: weigh(derivation, rows)
        )

    def learn(self, sequences: IntArray, rewards: FloatArray) -> None:
        """Nothing is learnt."""


def _operator_shares(grammar: Grammar) -> FloatArray:
    several = grammar.arities > 1
    single = grammar.arities == 1
    templates = single & np.array([count(rule.template, Constant) > 0 for rule in grammar.rules])
    powers = single & ~templates & np.array([rule.op is Op.POW for rule in grammar.rules])
    functions = single & ~templates & ~powers
    kinds = [(several, BINARY), (powers, POWER), (functions, FUNCTION), (templates, TEMPLATE)]
    return _shared(kinds)


def _terminal_shares(grammar: Grammar) -> FloatArray:
    terminals = grammar.arities == 0
    others = terminals & ~grammar.is_constant
    return _shared([(grammar.is_constant, CONSTANT_SHARE), (others, 1 - CONSTANT_SHARE)])


def _shared(kinds: list[tuple[BoolArray, float]]) -> FloatArray:
    """Each kind's share spread over its members: 1 in all, 0 where no kind has a member."""
    shares = sum(members * (share / max(members.sum(), 1)) for members, share in kinds)
    result: FloatArray = shares / max(np.sum(shares), np.finfo(float).tiny)
    return result
