"""Sums, differences, products and quotients of two variables as coordinates.

A quantity may depend on x and y only through z = x - y, or x*y: then y can be held for good, and
the law has one variable fewer. Or a law that is tangled in x and y may come apart in z and y.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.expression import Apply, Expression, Op, Variable, substitute
from odevsr.limits import DEFAULT_LIMITS, Limits
from odevsr.vertical.quantity import Held, Quantity, uniform_states
from odevsr.world.box import Box
from odevsr.world.ranges import EVEN, LOG, Range
from odevsr.world.sample import Sample

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
class Changed:
    """A quantity as a function of z, which goes by the name of x, and the other variables."""

    whole: Quantity
    relation: Relation
    pair: Pair
    box: Box

    @property
    def names(self) -> tuple[str, ...]:
        """As before."""
        return self.whole.names

    def measure(self, states: FloatArray) -> Sample:
        """The whole quantity where x and y make the z asked for."""
        first, second = self.pair
        full = states.copy()
        full[..., first] = self.relation.back(states[..., first], states[..., second])
        return replace(self.whole.measure(full), states=states)

    def written_out(self, law: Expression) -> Expression:
        """A law in z and the others as one in x and the others."""
        x, y = (Variable(self.whole.names[index]) for index in self.pair)
        return substitute(law, {x.name: Apply(self.relation.op, (x, y))})


def changed(quantity: Quantity, pair: Pair, relation: Relation) -> Changed:
    """The quantity in difference or sum of a pair, in ranges that lead to no x outside its own."""
    first, second = pair
    box = quantity.box
    middles, halves = box.limits.mean(axis=1), box.width / 2
    y_half = min(halves[second], halves[first] / 2)
    z, z_half = relation.ahead(middles[first], middles[second]), halves[first] - y_half
    if y_half < halves[second]:
        box = box.with_limits(second, middles[second] - y_half, middles[second] + y_half)
    box = box.with_range(first, _anything(z - z_half, z + z_half, EVEN))
    return Changed(quantity, relation, pair, box)


def _anything(low: float, high: float, scale: str) -> Range:
    """The range of a coordinate, which can have any value."""
    return Range(float(low), float(high), scale, (-np.inf, np.inf))


def merged(
    quantity: Quantity, pair: Pair, rng: np.random.Generator, limits: Limits = DEFAULT_LIMITS
) -> tuple[Changed, Held] | None:
    """The quantity in z, and that with y held, if it does not tell states of equal z apart."""
    _, second = pair
    for relation in (DIFFERENCE, SUM, PRODUCT, QUOTIENT):
        states = _equal_pairs(quantity, relation, pair, rng)
        if states is not None and _is_blind(quantity, states, limits):
            base = uniform_states(quantity.box, 1, rng)[0]
            ends = quantity.box.limits[second]
            largest = ends[np.argmax(np.abs(ends))]
            if abs(base[second]) < AWAY_FROM_NOUGHT * abs(largest):
                base[second] = largest
            in_z = Changed(quantity, relation, pair, _in_z(quantity.box, relation, pair, base))
            kept = tuple(index for index in range(len(base)) if index != second)
            return in_z, Held(in_z, kept, base)
    return None


def _in_z(box: Box, relation: Relation, pair: Pair, base: FloatArray) -> Box:
    """The box with the range of z for that of x while y is held; products are spread as x is."""
    first, second = pair
    low, high = np.sort(relation.ahead(box.limits[first], base[second]))
    is_log = box.is_log[first] and relation in (PRODUCT, QUOTIENT) and low > 0
    return box.with_range(first, _anything(low, high, LOG if is_log else EVEN))


def _equal_pairs(
    quantity: Quantity, relation: Relation, pair: Pair, rng: np.random.Generator
) -> FloatArray | None:
    """States (2, PAIRS, n) of equal z, all else equal too; None if the ranges hold too few."""
    first, second = pair
    here = uniform_states(quantity.box, DRAWN, rng)
    there = here.copy()
    there[:, second] = uniform_states(quantity.box, DRAWN, rng)[:, second]
    with np.errstate(all="ignore"):
        z = relation.ahead(here[:, first], here[:, second])
        there[:, first] = relation.back(z, there[:, second])
    low, high = quantity.box.limits[first]
    inside = np.flatnonzero((there[:, first] >= low) & (there[:, first] <= high))[:PAIRS]
    return np.stack([here[inside], there[inside]]) if len(inside) == PAIRS else None


def _is_blind(quantity: Quantity, states: FloatArray, limits: Limits) -> bool:
    """True if the quantity does not tell the states (2, ...) from one another."""
    sample = quantity.measure(states)
    values = sample.values
    honest = np.sum(sample.errors, axis=0) + limits.rounding * np.max(np.abs(values))
    return bool(
        np.all(np.abs(values[0] - values[1]) <= limits.noticeable * honest)
        and np.all(honest < np.inf)
    )
