"""Variables combined into one coordinate: what it is, and how they are moved to set it.

All whose part in it is exactly known move at once, each through its whole range, so that it is seen
wherever states of the box have it; one alone would lead through a part, where many laws are alike.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.algebra.term import added, multiplied, power_of
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Apply, Expression, Number, Op, Real, Variable
from odevsr.vertical.simpler.symmetries import Group, Member
from odevsr.world.box import Box
from odevsr.world.ranges import EVEN, LOG, WIDE, Range

AWAY_FROM_ZERO = 0.1
"""Where a variable divides, it is at least this share of its largest value, lest the quotient have
no end: with half or twice as much the same 108 laws are found, in as many states."""


@dataclass(frozen=True)
class Mover:
    """A variable whose power, or logarithm if that is zero, goes from `start` to `end`."""

    index: int
    power: Real
    start: float
    end: float
    sign: float = 1.0
    """That of the variable where its power does not tell."""

    def at(self, shares: FloatArray) -> FloatArray:
        """Its values at shares of the way."""
        own: FloatArray = self.start + shares * (self.end - self.start)
        if self.power == 1:
            return own
        if self.power == 0:
            return np.exp(own)
        with np.errstate(all="ignore"):
            size = np.abs(own) ** (1 / float(self.power))
        return self.sign * size


@dataclass(frozen=True)
class Coordinate:
    """What stands for a variable: an expression, which is set by moving one variable or several.

    It goes evenly from `low` to `high`; its logarithm does, if it is a product.
    """

    index: int
    expression: Expression
    movers: tuple[Mover, ...]
    low: float
    high: float
    is_product: bool = False

    @property
    def moved(self) -> list[int]:
        """Which variables are moved."""
        return [each.index for each in self.movers]

    @property
    def is_variable(self) -> bool:
        """True if it stands for the variable as it is."""
        return isinstance(self.expression, Variable)

    def back(self, values: FloatArray) -> FloatArray:
        """The values (..., movers) that variables must have."""
        if self.is_variable:
            return values[..., None]
        with np.errstate(all="ignore"):
            way = np.log(values) if self.is_product else values
        shares = (way - self.low) / (self.high - self.low)
        return np.stack([each.at(shares) for each in self.movers], axis=-1)

    @property
    def range(self) -> Range:
        """Where the coordinate is while its variables move."""
        ends = np.array([self.low, self.high])
        low, high = map(float, np.exp(ends) if self.is_product else ends)
        is_log = low > 0 and high > WIDE * low
        return Range(low, high, LOG if is_log else EVEN, (-np.inf, np.inf))


def variable_coordinate(index: int, names: Sequence[str], box: Box) -> Coordinate:
    """A variable as it is."""
    return sum_coordinate(index, Variable(names[index]), [Member(index, 1, 1)], box)


def sum_coordinate(
    index: int, expression: Expression, members: Sequence[Member], box: Box, offset: float = 0.0
) -> Coordinate:
    """The sum of an offset and the members' weighted powers, which all go from end to end.

    If there is a logarithm among them, it is that of a product.
    """
    low = high = offset
    movers = []
    for member in members:
        weight = float(member.weight)
        sign, ends = _ends(float(member.power), *map(float, box.limits[member.index]))
        start, end = sorted(ends, reverse=weight < 0)
        low, high = low + weight * start, high + weight * end
        movers.append(Mover(member.index, member.power, start, end, sign))
    return Coordinate(index, expression, tuple(movers), low, high, _is_product(members))


def _ends(power: float, low: float, high: float) -> tuple[float, tuple[float, float]]:
    """Where a power, or the logarithm, of a variable begins and ends, on its wider side of zero.

    And which side that is.
    """
    if power == 1:
        return 1.0, (low, high)
    if power == 0:
        return 1.0, (_own(low, 0), _own(high, 0))
    sign = 1.0 if high >= -low else -1.0
    near, far = sorted(max(sign * end, 0.0) for end in (low, high))
    if power < 0:
        near = max(near, AWAY_FROM_ZERO * far)
    return sign, ((sign * near) ** power, (sign * far) ** power)


def group_coordinate(group: Group, names: Sequence[str], box: Box, base: FloatArray) -> Coordinate:
    """A sum of powers; a product, if a logarithm is in the sum."""
    is_product = _is_product(group)
    pivot = min(group, key=lambda member: _awkwardness(member, group, box))
    others = [
        replace(each, weight=_over(each.weight, pivot.weight)) for each in group if each != pivot
    ]
    if is_product:
        return product_coordinate(pivot.index, others, range(len(box)), names, box, base)
    parts = [_part(each, names) for each in others]
    expression = added((power_of(Variable(names[pivot.index]), pivot.power), added(parts)))
    moved = [replace(pivot, weight=1), *filter(_is_exact, others)]
    held = [each for each in others if not _is_exact(each)]
    return sum_coordinate(pivot.index, expression, moved, box, _sum_at(base, held))


def product_coordinate(
    index: int,
    others: Sequence[Member],
    movable: Container[int],
    names: Sequence[str],
    box: Box,
    base: FloatArray,
) -> Coordinate:
    """A variable times powers of others, of which some may be moved with it.

    It moves alone if any of them may be negative.
    """
    rest = multiplied([_part(each, names, is_product=True) for each in others])
    expression = multiplied((Variable(names[index]), rest))
    held = float(compile_field([rest], names)(base[None])[0, 0])
    moved = [each for each in others if each.index in movable and _is_exact(each)]
    logarithms = [index, *(each.index for each in moved if each.power == 0)]
    if held <= 0 or np.any(box.low[logarithms] <= 0):
        return sum_coordinate(index, expression, [Member(index, 1, held)], box)
    offset = float(np.log(held)) - _sum_at(base, moved)
    return sum_coordinate(index, expression, [Member(index, 0, 1), *moved], box, offset)


def _is_exact(member: Member) -> bool:
    """Whether it may be moved with others: what is known as well as slopes tell is better held."""
    return not isinstance(member.weight, float) and not isinstance(member.power, float)


def _sum_at(base: FloatArray, members: Sequence[Member]) -> float:
    """The weighted powers of members where they are held."""
    return sum(float(each.weight) * _own(float(base[each.index]), each.power) for each in members)


def _own(value: float, power: Real) -> float:
    """The power, or the logarithm, of a value."""
    return float(value ** float(power) if power else np.log(value))


def _is_product(members: Sequence[Member]) -> bool:
    return any(member.power == 0 for member in members)


def _awkwardness(pivot: Member, group: Group, box: Box) -> tuple[float, ...]:
    """By which member a coordinate is best called: that with the plainest numbers, the widest.

    A product that may have either sign goes by a factor that may.
    """
    is_product = _is_product(group)
    if is_product and pivot.power != 0:
        return (np.inf,)
    weights = [_over(member.weight, pivot.weight) for member in group]
    low, high = box.limits[pivot.index]
    width = np.log(high / low) if low > 0 else high - low
    plain = float(pivot.power not in (0, 1)), sum(map(_length, weights))
    return float(is_product and low > 0), *plain, -float(width)


def _length(number: Real) -> int:
    """How much there is to say to name a number."""
    return 100 if isinstance(number, float) else abs(number.numerator) + number.denominator**2


def _over(number: Real, other: Real) -> Real:
    """The quotient, exact where both are."""
    if isinstance(number, float) or isinstance(other, float):
        return float(number) / float(other)
    quotient = Fraction(number) / Fraction(other)
    return quotient.numerator if quotient.denominator == 1 else quotient


def _part(member: Member, names: Sequence[str], *, is_product: bool = False) -> Expression:
    variable = Variable(names[member.index])
    if member.power == 0:
        return power_of(variable, member.weight)
    summand = multiplied((Number(member.weight), power_of(variable, member.power)))
    return Apply(Op.EXP, (summand,)) if is_product else summand
