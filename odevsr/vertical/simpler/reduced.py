"""A quantity in fewer variables: those that act as one become one, scalings are set apart.

The coordinate goes by the name of one of its variables. Laws found in coordinates are written out
in the variables again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.evidence.law import inexact
from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.powers import powers_apart
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import ONE, Apply, Expression, Op, substitute
from odevsr.language.text import to_text
from odevsr.limits import DRAWN, FEWEST, FINEST, SAME, SPARE, Limits
from odevsr.vertical.asking.quantity import Quantity
from odevsr.vertical.asking.states import uniform_states
from odevsr.vertical.simpler.coordinate import Coordinate
from odevsr.world.box import Box
from odevsr.world.sample import ROUNDING, Sample


@dataclass(frozen=True, eq=False)
class Reduced:
    """A quantity over a factor, as a function of coordinates, all other variables at `base`."""

    whole: Quantity
    coordinates: tuple[Coordinate, ...]
    base: FloatArray
    box: Box
    factor: Expression = ONE

    @property
    def names(self) -> tuple[str, ...]:
        """Each coordinate goes by the name of a variable."""
        return tuple(self.whole.names[each.index] for each in self.coordinates)

    def measure(self, states: FloatArray) -> Sample:
        """The whole quantity, over its factor, where variables make the coordinates asked for."""
        return self._over_factor(self._states_of(states), states)

    def _states_of(self, coordinates: FloatArray) -> FloatArray:
        """States (..., n) that have these coordinates."""
        full = np.broadcast_to(self.base, (*coordinates.shape[:-1], len(self.base))).copy()
        for column, each in enumerate(self.coordinates):
            full[..., each.moved] = each.back(coordinates[..., column])
        return full

    def _over_factor(self, full: FloatArray, states: FloatArray) -> Sample:
        sample = self.whole.measure(full)
        factors = compile_field([self.factor], self.whole.names)(full)[..., 0]
        return Sample(states, sample.values / factors, sample.errors / np.abs(factors))

    def written_out(self, law: Expression) -> Expression:
        """A law in coordinates as one in all variables."""
        known = dict(zip(self.names, (each.expression for each in self.coordinates), strict=True))
        law = normal_form(Apply(Op.MUL, (self.factor, substitute(law, known))))
        box = self.whole.box
        positive = [name for name, low in zip(self.whole.names, box.low, strict=True) if low >= 0]
        return powers_apart(law, positive)

    @property
    def about(self) -> list[int]:
        """Variables that are part of a coordinate with others, or of the factor."""
        alone = [each.index for each in self.coordinates if each.is_variable]
        return [index for index in range(len(self.whole.names)) if index not in alone]

    def meanings(self, label: str) -> list[tuple[str, str]]:
        """What stands for what: coordinates for variables, a part of the quantity for all of it."""
        pairs = zip(self.names, self.coordinates, strict=True)
        found = [(name, to_text(each.expression)) for name, each in pairs if not each.is_variable]
        whole = [] if self.factor == ONE else [(label, f"{label} over {to_text(self.factor)}")]
        return [*found, *whole]

    def holds(self, rng: np.random.Generator, limits: Limits) -> bool:
        """True if the quantity does not tell states of equal coordinates apart."""
        here, there = self._equal_states(rng)
        if len(here) < FEWEST:
            return False
        both = np.stack([here, there])
        sample = self._over_factor(both, both)
        values, errors = sample.values, sample.errors
        # Slopes tell exponents that are no simple numbers no better.
        share = ROUNDING if self._is_exact else SAME
        usable = np.all(sample.usable, axis=0)
        honest = np.sum(errors, axis=0) + share * np.max(np.abs(values), axis=0)
        same = np.abs(values[0] - values[1]) <= limits.noticeable * honest
        return bool(np.all(same | ~usable) and np.sum(usable) >= SPARE)

    def _equal_states(self, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        """States (m, n), and those of equal coordinates at the base, all inside the box."""
        box = self.whole.box
        here = uniform_states(box, DRAWN, rng)
        fields = compile_field([each.expression for each in self.coordinates], self.whole.names)
        with np.errstate(all="ignore"):
            there = self._states_of(fields(here))
        slack = FINEST * box.width
        inside: BoolArray = np.all((there >= box.low - slack) & (there <= box.high + slack), axis=1)
        return here[inside][:FEWEST], there[inside][:FEWEST]

    @property
    def _is_exact(self) -> bool:
        return not any(map(inexact, (self.factor, *(each.expression for each in self.coordinates))))
