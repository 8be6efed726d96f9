"""How a quantity is had in fewer variables, as one look at its gradients shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.evidence.agreement import QUANTILE
from odevsr.language.algebra.term import multiplied, power_of
from odevsr.language.expression import ONE, Expression, Real, Variable
from odevsr.limits import FEWEST, SPARE, Limits
from odevsr.vertical.asking.measuring import STATES
from odevsr.vertical.asking.quantity import Quantity
from odevsr.vertical.asking.states import uniform_states
from odevsr.vertical.simpler.coordinate import (
    AWAY_FROM_ZERO,
    Coordinate,
    group_coordinate,
    product_coordinate,
    sum_coordinate,
    variable_coordinate,
)
from odevsr.vertical.simpler.reduced import Reduced
from odevsr.vertical.simpler.slopes import measured_slopes
from odevsr.vertical.simpler.symmetries import Group, Member, Scaling, groups, scalings
from odevsr.world.box import Box


def with_fewer_variables(
    quantity: Quantity,
    rng: np.random.Generator,
    limits: Limits,
    *,
    with_scalings: bool,
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
    apart = scalings(slopes, _narrow_first(box)) if with_scalings else []
    if apart := [each for each in apart if box.low[each.index] > 0 or _is_whole(each)]:
        ways.append([_of_scalings(quantity, base, apart) for base in bases])
    likely = (_most_defined(candidates, rng) for candidates in ways)
    return next((each for each in likely if each.holds(rng, limits)), None)


def _most_defined(candidates: Sequence[Reduced], rng: np.random.Generator) -> Reduced:
    """The one of the candidates, which differ in what is held, that has a value most often.

    Their coordinates range no further than most of what is seen to have a value.
    """
    if len(candidates) == 1:
        return candidates[0]
    narrowed = [_where_defined(each, rng) for each in candidates]
    return max(narrowed, key=lambda pair: pair[0])[1]


def _where_defined(reduced: Reduced, rng: np.random.Generator) -> tuple[float, Reduced]:
    """The quantity in the ranges in which it has values, and how often it has one."""
    states = uniform_states(reduced.box, STATES, rng)
    usable = reduced.measure(states).usable
    if np.sum(usable) < FEWEST:
        return 0.0, reduced
    low, high = np.quantile(states[usable], ((1 - QUANTILE) / 2, (1 + QUANTILE) / 2), axis=0)
    limits = np.column_stack([low, high])
    return float(np.mean(usable)), replace(reduced, box=replace(reduced.box, limits=limits))


def pair_as_one(
    quantity: Quantity,
    pairs: Sequence[tuple[int, int]],
    rng: np.random.Generator,
    limits: Limits,
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
    """A state away from zero, by which held variables may divide."""
    base = uniform_states(box, 1, rng)[0]
    near = (np.abs(base) < AWAY_FROM_ZERO * np.abs(box.farthest)) & (box.low <= 0)
    away: FloatArray = np.where(near, box.farthest, base)
    return away


def _of_groups(quantity: Quantity, base: FloatArray, found: Sequence[Group]) -> Reduced:
    """The quantity with a coordinate for every group."""
    names, box = quantity.names, quantity.box
    grouped = {member.index for group in found for member in group}
    coordinates = [
        variable_coordinate(index, names, box)
        for index in range(len(names))
        if index not in grouped
    ]
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
        if not each.is_variable:
            box = box.with_range(column, each.range)
    return Reduced(quantity, tuple(coordinates), base, box, factor)


def in_power(quantity: Quantity, power: Real) -> Reduced:
    """A quantity of one variable, which is positive, in a power of it."""
    expression = power_of(Variable(quantity.names[0]), power)
    coordinate = sum_coordinate(0, expression, [Member(0, power, 1)], quantity.box)
    return _in_coordinates(quantity, [coordinate], np.ones(1))


def _narrow_first(box: Box) -> list[int]:
    """Variables in the order in which they are set apart: those that can be told least of."""
    with np.errstate(all="ignore"):
        widths = np.where(box.low > 0, np.log(box.high / box.low), np.inf)
    return [int(index) for index in np.argsort(widths, kind="stable")]


def _of_scalings(quantity: Quantity, base: FloatArray, found: Sequence[Scaling]) -> Reduced:
    """The quantity over a product of powers, in products of powers."""
    names, box = quantity.names, quantity.box
    factor = [power_of(Variable(names[each.index]), each.degree) for each in found if each.degree]
    set_apart = {each.index for each in found}
    # What is part of one coordinate alone may be moved with that.
    movable = {each.index for each in found if len(each.others) == 1}
    coordinates = []
    for index in (index for index in range(len(names)) if index not in set_apart):
        members = [
            Member(each.index, 0, -power)
            for each in found
            for other, power in each.others
            if other == index
        ]
        coordinates.append(
            product_coordinate(index, members, movable, names, box, base)
            if members
            else variable_coordinate(index, names, box)
        )
    return _in_coordinates(quantity, coordinates, base, multiplied(factor) if factor else ONE)


def _is_whole(scaling: Scaling) -> bool:
    """Whether all powers are defined for negative values, too."""
    powers = [scaling.degree, *(power for _, power in scaling.others)]
    return all(float(power).is_integer() for power in powers)
