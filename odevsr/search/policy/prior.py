"""The grammar's prior, what is likely before anything was fitted, and the policy that keeps it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from odevsr.arrays import BoolArray, FloatArray, IntArray
from odevsr.language.drawing.derivation import Derivation
from odevsr.language.drawing.grammar import Grammar
from odevsr.language.expression import Constant, Op, count
from odevsr.search.policy.sequences import draw


@dataclass(frozen=True, kw_only=True)
class Shares:
    """How often which kind of rule is drawn; a kind that a grammar lacks leaves its share.

    Measured with the default operators and a single hole: 1,024 draws hold about 650 distinct
    normal forms with one variable, 770 with two (260 with all rules of a kind alike and a fixed
    probability of 0.55 of terminals); 70 % of the sequences have 5 to 12 rules; the mean is 8.5.
    """

    terminal: float = 0.85
    """Probability that a terminal closes a hole of a sequence that is `settled`."""
    settled: int = 10
    """Rules from which on a sequence is long; before, terminals are linearly less likely,"""
    earliest: float = 0.1
    """down to this share at the first rule: a single hole is not filled by x0 or C at once."""
    constant: float = 0.65
    """Of the terminals; the others are variables and learnt sub-expressions, alike."""
    binary: float = 0.7
    """Of the operators, as are the next two, alike within their kind."""
    power: float = 0.15
    function: float = 0.15
    template: float = 1.0
    """Templates with constants of their own weigh as much as all operators together."""


DEFAULT = Shares()


class Prior:
    """Weights of the rules by kind, and by how long the sequence is bound to become.

    A derivation with `applied` rules and `open` holes has at least size = applied + open rules.
    Illegal rules leave their shares to the legal ones.
    """

    def __init__(self, grammar: Grammar, shares: Shares = DEFAULT) -> None:
        self._shares = shares
        self._operators = _operator_shares(grammar, shares)
        constants = grammar.is_constant
        others = (grammar.arities == 0) & ~constants
        self._terminals = _shared([(constants, shares.constant), (others, 1 - shares.constant)])

    def weights(self, derivation: Derivation, rows: IntArray) -> FloatArray:
        """Weights (rows, rules) of the rules that may come next in some rows, 0 where illegal."""
        size = derivation.applied + derivation.open[rows]
        shares = self._shares
        ramp = shares.earliest + (1 - shares.earliest) * (size - 1) / (shares.settled - 1)
        terminal = shares.terminal * np.minimum(ramp, 1)[:, None]
        weights = terminal * self._terminals + (1 - terminal) * self._operators
        return weights * derivation.legal()[rows]


@dataclass(eq=False)
class PriorPolicy:
    """Draws from the prior for ever: the baseline, and the first batches of every search."""

    grammar: Grammar
    rng: np.random.Generator
    shares: Shares = DEFAULT

    def sample(self, count: int) -> IntArray:
        """Complete sequences of rule numbers, (count, grammar.longest), rows padded with -1."""
        return draw(self.grammar, count, self.rng, Prior(self.grammar, self.shares).weights)

    def learn(self, sequences: IntArray, rewards: FloatArray) -> None:
        """Nothing is learnt."""


def _operator_shares(grammar: Grammar, shares: Shares) -> FloatArray:
    several = grammar.arities > 1
    single = grammar.arities == 1
    templates = single & np.array([count(rule.template, Constant) > 0 for rule in grammar.rules])
    powers = single & ~templates & np.array([rule.op is Op.POW for rule in grammar.rules])
    functions = single & ~templates & ~powers
    return _shared(
        [
            (several, shares.binary),
            (powers, shares.power),
            (functions, shares.function),
            (templates, shares.template),
        ]
    )


def _shared(kinds: list[tuple[BoolArray, float]]) -> FloatArray:
    """Each kind's share spread over its members: 1 in all, 0 where no kind has a member."""
    shares = sum(members * (share / max(members.sum(), 1)) for members, share in kinds)
    result: FloatArray = shares / max(np.sum(shares), np.finfo(float).tiny)
    return result
