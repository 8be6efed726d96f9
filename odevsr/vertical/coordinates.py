"""Sums, differences, products and quotients of two variables as coordinates.

A target may depend on x and y only through z = x - y, or x*y: then y can be held for good, and the
law has one variable fewer. Or a law that is tangled in x and y may come apart in z and y.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from odevsr.language.expression import Apply, Expression, Op, Variable, substitute
from odevsr.vertical.quantity import RestrictedTarget, Target, uniform_states
from odevsr.vertical.screening import NOTICEABLE, RELATIVE_NOISE

FloatArray = NDArray[np.float64]
Pair = tuple[int, int]
"""Which variables are x and y."""
PAIRS, DRAWN = 4, 64
"""Pairs of states that are compared, and states among which they are looked for."""
AWAY_FROM_NOUGHT = 0.1
"""Where a variable divides, its held value is at least this share of its largest."""


@dataclass(frozen=True)
class Relation:
    """z = x <op> y; `ahead` gives z from x and y, `back` gives x from z and y."""

    op: Op
    ahead: Callable[..., FloatArray]
    back: Callable[..., FloatArray]


DIFFERENCE = Relation(Op.SUB, np.subtract, np.add)
SUM = Relation(Op.ADD, np.add, np.subtract)
PRODUCT = Relation(Op.MUL, np.multiply, np.divide)
QUOTIENT = Relation(Op.DIV, np.divide, np.multiply)


@dataclass(frozen=True, eq=False)
class ChangedTarget:
    """A target as a function of z, which goes by the name of x, and the other variables."""

    whole: Target
    relation: Relation
    pair: Pair
    box: FloatArray

    @property
    def names(self) -> tuple[str, ...]:
        """As before."""
        return self.whole.names

    def measure(self, states: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The whole target where x and y make the z asked for."""
        first, second = self.pair
        full = states.copy()
        full[..., first] = self.relation.back(states[..., first], states[..., second])
        return self.whole.measure(full)

    def written_out(self, law: Expression) -> Expression:
        """A law in z and the others as one in x and the others."""
        x, y = (Variable(self.whole.names[index]) for index in self.pair)
        return substitute(law, {x.name: Apply(self.relation.op, (x, y))})


def changed(target: Target, pair: Pair) -> Iterator[ChangedTarget]:
    """The target in difference and sum of the pair, in ranges that lead to no x outside its own."""
    first, second = pair
    middles, halves = target.box.mean(axis=1), np.ptp(target.box, axis=1) / 2
    for relation in (DIFFERENCE, SUM):
        middle, half = middles.copy(), halves.copy()
        half[second] = min(halves[second], halves[first] / 2)
        half[first] = halves[first] - half[second]
        middle[first] = relation.ahead(middles[first], middles[second])
        yield ChangedTarget(target, relation, pair, np.stack([middle - half, middle + half], 1))


def merged(
    target: Target, pair: Pair, rng: np.random.Generator
) -> tuple[ChangedTarget, RestrictedTarget] | None:
    """The target in z, and that with y held, if it does not tell states of equal z apart."""
    first, second = pair
    for relation in (DIFFERENCE, SUM, PRODUCT, QUOTIENT):
        states = _equal_pairs(target, relation, pair, rng)
        if states is not None and _is_blind(target, states):
            base = uniform_states(target.box, 1, rng)[0]
            largest = target.box[second, np.argmax(np.abs(target.box[second]))]
            if abs(base[second]) < AWAY_FROM_NOUGHT * abs(largest):
                base[second] = largest
            box = target.box.copy()
            box[first] = np.sort(relation.ahead(target.box[first], base[second]))
            in_z = ChangedTarget(target, relation, pair, box)
            kept = tuple(index for index in range(len(box)) if index != second)
            return in_z, RestrictedTarget(in_z, kept, base)
    return None


def _equal_pairs(
    target: Target, relation: Relation, pair: Pair, rng: np.random.Generator
) -> FloatArray | None:
    """States (2, PAIRS, n) of equal z, all else equal too; None if the ranges hold too few."""
    first, second = pair
    here = uniform_states(target.box, DRAWN, rng)
    there = here.copy()
    there[:, second] = uniform_states(target.box, DRAWN, rng)[:, second]
    with np.errstate(all="ignore"):
        z = relation.ahead(here[:, first], here[:, second])
        there[:, first] = relation.back(z, there[:, second])
    low, high = target.box[first]
    inside = np.flatnonzero((there[:, first] >= low) & (there[:, first] <= high))[:PAIRS]
    return np.stack([here[inside], there[inside]]) if len(inside) == PAIRS else None


def _is_blind(target: Target, states: FloatArray) -> bool:
    """True if the target does not tell the states (2, ...) from one another."""
    values, errors = target.measure(states)
    honest = np.sum(errors, axis=0) + RELATIVE_NOISE * np.max(np.abs(values))
    return bool(
        np.all(np.abs(values[0] - values[1]) <= NOTICEABLE * honest) and np.all(honest < np.inf)
    )
