"""One design for all equations of a system: where one has measured, the others need not.

Every equation asks about the same states: some spread over the ranges, and lines through the first
of them along each variable. Both can be made longer, and what was measured stays a part of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.vertical.asking.design import Design, Draw
from odevsr.vertical.asking.quantity import Held, OfSomeVariables
from odevsr.vertical.asking.states import line
from odevsr.world.sample import Sample


@dataclass(frozen=True, eq=False)
class Common(OfSomeVariables):
    """A quantity of some variables; in the common experiments the others vary along."""

    design: Design
    """That of the whole system, not of an equation or an attempt."""

    def only(self, kept: Sequence[int]) -> Common:
        """The same of fewer of its variables."""
        return replace(self, kept=tuple(self.kept[index] for index in kept))

    def measure(self, states: FloatArray) -> Sample:
        """At states of one's own; the other variables are held at the first common state."""
        return Held(self.whole, self.kept, self._states(1)[0]).measure(states)

    def spread(self, count: int) -> Sample:
        """Measurements (count,) at the first common states, no variable held."""
        return self._seen(self._states(count))

    def lines(self, variable: int, trials: int, points: int) -> Sample:
        """Measurements (trials, points) along one variable, through the first common states."""
        box, moved = self.whole.box, self.kept[variable]
        begin = self.design.rng(Draw.TRIALS, moved).random((trials, 1))
        golden = (5**0.5 - 1) / 2  # whose multiples are spread evenly, however many there are
        values = box.along(moved, (begin + golden * np.arange(points)) % 1)
        return self._seen(line(self._states(trials), moved, values))

    def _states(self, count: int) -> FloatArray:
        box = self.whole.box
        return box.at(common_shares(count, len(box), self.design))

    def _seen(self, states: FloatArray) -> Sample:
        sample = self.whole.measure(states)
        return replace(sample, states=states[..., list(self.kept)])


def common_shares(count: int, variables: int, design: Design) -> FloatArray:
    """The first so many common states, as shares (count, n) of the ranges."""
    return design.rng(Draw.SPREAD).random((count, variables))
