"""Sums and differences of two variables as coordinates: what is tangled may come apart in them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.expression import Apply, Expression, Op, Variable, substitute
from odevsr.language.text import to_text
from odevsr.vertical.asking.quantity import Quantity
from odevsr.world.box import Box
from odevsr.world.ranges import EVEN, Range
from odevsr.world.sample import Sample

Pair = tuple[int, int]
"""Which variables are x and y."""
SIGNS = {Op.SUB: -1.0, Op.ADD: 1.0}
"""That of y in the coordinate z, the difference or the sum."""


@dataclass(frozen=True, eq=False)
class InPairCoordinates:
    """A quantity as a function of z = x <op> y, which goes by the name of x, and the others."""

    whole: Quantity
    op: Op
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
        full[..., first] -= SIGNS[self.op] * states[..., second]
        return replace(self.whole.measure(full), states=states)

    def written_out(self, law: Expression) -> Expression:
        """A law in z and the others as one in x and the others."""
        x, y = (Variable(self.whole.names[index]) for index in self.pair)
        return substitute(law, {x.name: Apply(self.op, (x, y))})

    def meanings(self, label: str) -> list[tuple[str, str]]:
        """What stands for what: z for x."""
        x = self.names[self.pair[0]]
        return [(x, to_text(self.written_out(Variable(x))))]


def in_pair_coordinates(quantity: Quantity, pair: Pair, op: Op) -> InPairCoordinates:
    """The quantity in difference or sum of a pair, in ranges that lead to no x outside its own."""
    first, second = pair
    box = quantity.box
    middles, halves = box.limits.mean(axis=1), box.width / 2
    y_half = min(halves[second], halves[first] / 2)
    z, z_half = middles[first] + SIGNS[op] * middles[second], halves[first] - y_half
    if y_half < halves[second]:
        box = box.with_limits(second, middles[second] - y_half, middles[second] + y_half)
    ends = float(z - z_half), float(z + z_half)
    box = box.with_range(first, Range(*ends, EVEN, (-np.inf, np.inf)))
    return InPairCoordinates(quantity, op, pair, box)
