"""A quantity in fewer variables: those that act as one become one, scalings are set apart.

The coordinate goes by the name of one of its variables. Laws found in coordinates are written out
in the variables again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.evidence.law import inexact
from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.powers import powers_apart
from odevsr.language.algebra.term import multiplied, power_of
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import (
    ONE,
    Apply,
    Expression,
    Op,
    Real,
    Variable,
    substitute,
)
from odevsr.language.text import to_text
from odevsr.limits import DEFAULT_LIMITS, DRAWN, FEWEST, FINEST, SAME, SPARE, Limits
from odevsr.vertical.combined import (
    AWAY_FROM_NOUGHT,
    Coordinate,
    alone,
    group_coordinate,
    moving,
    product_coordinate,
)
from odevsr.vertical.measuring import STATES
from odevsr.vertical.quantity import Quantity, uniform_states
from odevsr.vertical.slopes import measured_slopes
from odevsr.vertical.symmetries import Group, Member, Scaling, groups, scalings
from odevsr.world.box import Box
from odevsr.world.sample import Sample


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
        names = self.whole.names
        alone = [
            each.index
            for each in self.coordinates
            if each.expression == Variable(names[each.index])
        ]
        return [index for index in range(len(names)) if index not in alone]

    def meanings(self, label: str) -> list[tuple[str, str]]:
        """What stands for what: coordinates for variables, a part of the quantity for all of it."""
        pairs = zip(self.names, self.coordinates, strict=True)
        changed = [(name, each.expression) for name, each in pairs]
        found = [(name, to_text(each)) for name, each in changed if each != Variable(name)]
        whole = [] if self.factor == ONE else [(label, f"{label} over {to_text(self.factor)}")]
        return [*found, *whole]

    def holds(self, rng: np.random.Generator, limits: Limits = DEFAULT_LIMITS) -> bool:
        """True if the quantity does not tell states of equal coordinates apart."""
        here, there = self._equal_states(rng)
        if len(here) < FEWEST:
            return False
        both = np.stack([here, there])
        sample = self._over_factor(both, both)
        values, errors = sample.values, sample.errors
        # Slopes tell exponents that are no simple numbers no better.
        share = limits.rounding if self._is_exact else SAME
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


def reduced(
    quantity: Quantity,
    rng: np.random.Generator,
    limits: Limits = DEFAULT_LIMITS,
    *,
    with_scalings: bool = True,
) -> Reduced | None:
    """The quantity in fewer variables, if one look at its gradients shows how.

    Where it has no value in a part of the box, others are held where most of it has one.
    """
    box, slopes = quantity.box, measured_slopes(quantity, rng)
    if slopes is None:
        return None
    bases = [_base(box, rng) for _ in range(1 if slopes.defined == 1 else SPARE)]
    found = groups(slopes)
    ways = [[_of_groups(quantity, base, found) for base in bases]] if found else []
    if with_scalings and (apart := _usable(scalings(slopes, _narrow_first(box)), box)):
        ways.append([_of_scalings(quantity, base, apart) for base in bases])
    likely = (_most_defined(candidates, rng) for candidates in ways)
    return next((each for each in likely if each.holds(rng, limits)), None)


def _most_defined(candidates: Sequence[Reduced], rng: np.random.Generator) -> Reduced:
    """The one of the candidates, which differ in what is held, that has a value most often.

    Their coordinates range no further than they are seen to have values.
    """
    if len(candidates) == 1:
        return candidates[0]
    narrowed = [_where_defined(each, rng) for each in candidates]
    return max(narrowed, key=lambda pair: pair[0])[1]


def _where_defined(reduced: Reduced, rng: np.random.Generator) -> tuple[float, Reduced]:
    """The quantity in the ranges in which it has values, and how often it has one there."""
    states = uniform_states(reduced.box, STATES, rng)
    usable = reduced.measure(states).usable
    if np.sum(usable) < FEWEST:
        return 0.0, reduced
    low, high = np.min(states[usable], axis=0), np.max(states[usable], axis=0)
    limits = np.column_stack([low, high])
    inside = np.all((states >= low) & (states <= high), axis=1)
    share = float(np.sum(usable) / np.sum(inside))
    return share, replace(reduced, box=replace(reduced.box, limits=limits))


def pair_as_one(
    quantity: Quantity,
    pairs: Sequence[tuple[int, int]],
    rng: np.random.Generator,
    limits: Limits = DEFAULT_LIMITS,
) -> Reduced | None:
    """The quantity with one of the pairs as one: difference, sum, product or quotient."""
    base = _base(quantity.box, rng)
    for (first, second), (power, weight) in product(pairs, ((1, -1), (1, 1), (0, 1), (0, -1))):
        group = (Member(first, power, 1), Member(second, power, weight))
        candidate = _of_groups(quantity, base, [group])
        if candidate.holds(rng, limits):
            return candidate
    return None


def _base(box: Box, rng: np.random.Generator) -> FloatArray:
    """A state away from nought, by which held variables may divide."""
    base = uniform_states(box, 1, rng)[0]
    near = (np.abs(base) < AWAY_FROM_NOUGHT * np.abs(box.farthest)) & (box.low <= 0)
    away: FloatArray = np.where(near, box.farthest, base)
    return away


def _of_groups(quantity: Quantity, base: FloatArray, found: Sequence[Group]) -> Reduced:
    """The quantity with a coordinate for every group."""
    names, box = quantity.names, quantity.box
    grouped = {member.index for group in found for member in group}
    coordinates = [alone(index, names, box) for index in range(len(names)) if index not in grouped]
    coordinates += [group_coordinate(group, names, box, base) for group in found]
    coordinates.sort(key=lambda each: each.index)
    return _in_coordinates(quantity, coordinates, base)


def _in_coordinates(
    quantity: Quantity,
    coordinates: Sequence[Coordinate],
    base: FloatArray,
    factor: Expression = ONE,
) -> Reduced:
    box = quantity.box.part([each.index for each in coordinates])
    for column, each in enumerate(coordinates):
        if each.expression != Variable(quantity.names[each.index]):
            box = box.with_range(column, each.range)
    return Reduced(quantity, tuple(coordinates), base, box, factor)


def in_power(quantity: Quantity, power: Real) -> Reduced:
    """A quantity of one variable, which is positive, in a power of it."""
    expression = power_of(Variable(quantity.names[0]), power)
    coordinate = moving(0, expression, [Member(0, power, 1)], quantity.box)
    return _in_coordinates(quantity, [coordinate], np.ones(1))


def _narrow_first(box: Box) -> list[int]:
    """Variables in the order in which they are set apart: those that can be told least of."""
    with np.errstate(all="ignore"):
        widths = np.where(box.low > 0, np.log(box.high / box.low), np.inf)
    return [int(index) for index in np.argsort(widths, kind="stable")]


def _usable(found: Sequence[Scaling], box: Box) -> list[Scaling]:
    """Scalings whose powers are defined for all values of what is set apart."""
    return [each for each in found if box.low[each.index] > 0 or _is_whole(each)]


def _of_scalings(quantity: Quantity, base: FloatArray, found: Sequence[Scaling]) -> Reduced:
    """The quantity over a product of powers, in products of powers."""
    names, box = quantity.names, quantity.box
    factor = [power_of(Variable(names[each.index]), each.degree) for each in found if each.degree]
    set_apart = {each.index for each in found}
    coordinates = []
    for index in (index for index in range(len(names)) if index not in set_apart):
        members = [
            Member(each.index, 0, -dict(each.others)[index])
            for each in found
            if index in dict(each.others)
        ]
        coordinates.append(
            product_coordinate(index, members, _of_one(found), names, box, base)
            if members
            else alone(index, names, box)
        )
    return _in_coordinates(quantity, coordinates, base, multiplied(factor) if factor else ONE)


def _of_one(found: Sequence[Scaling]) -> set[int]:
    """What is set apart and part of one coordinate alone, so that it may be moved with that."""
    return {each.index for each in found if len(each.others) == 1}


def _is_whole(scaling: Scaling) -> bool:
    """Whether all powers are defined for negative values, too."""
    powers = [scaling.degree, *(power for _, power in scaling.others)]
    return all(float(power).is_integer() for power in powers)
