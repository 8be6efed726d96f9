"""Sums and differences of two variables as coordinates: what is tangled may come apart in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.expression import Apply, Expression, Op, Variable, substitute
from odevsr.vertical.asking.quantity import Quantity
from odevsr.world.box import Box
from odevsr.world.ranges import EVEN, Range
from odevsr.world.sample import Sample

Pair = tuple[int, int]
"""Which variables are x and y."""


@dataclass(frozen=True)
class Relation:
    """z = x <op> y; `ahead` gives z from x and y, `back` gives x from z and y."""

    op: Op
    ahead: Callable[..., FloatArray]
    back: Callable[..., FloatArray]


DIFFERENCE = Relation(Op.SUB, np.subtract, np.add)
SUM = Relation(Op.ADD, np.add, np.subtract)


@dataclass(frozen=True, eq=False)
class InPairCoordinates:
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


def in_pair_coordinates(quantity: Quantity, pair: Pair, relation: Relation) -> InPairCoordinates:
    """The quantity in difference or sum of a pair, in ranges that lead to no x outside its own."""
    first, second = pair
    box = quantity.box
    middles, halves = box.limits.mean(axis=1), box.width / 2
    y_half = min(halves[second], halves[first] / 2)
    z, z_half = relation.ahead(middles[first], middles[second]), halves[first] - y_half
    if y_half < halves[second]:
        box = box.with_limits(second, middles[second] - y_half, middles[second] + y_half)
    ends = float(z - z_half), float(z + z_half)
    box = box.with_range(first, Range(*ends, EVEN, (-np.inf, np.inf)))
    return InPairCoordinates(quantity, relation, pair, box)
