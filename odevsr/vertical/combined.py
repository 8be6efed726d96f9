"""Variables combined into one coordinate: what it is, and by which of them it is set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.algebra.term import added, multiplied, power_of
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Apply, Expression, Number, Op, Real, Variable
from odevsr.vertical.symmetries import Group, Member
from odevsr.world.box import Box
from odevsr.world.ranges import EVEN, LOG, WIDE, Range


@dataclass(frozen=True)
class Coordinate:
    """What stands for a variable: its power times a factor plus an offset, the others being held.

    `expression` is what that is in all variables.
    """

    index: int
    expression: Expression
    power: Real = 1
    factor: float = 1.0
    offset: float = 0.0
    sign: float = 1.0
    """That of the variable where its power does not tell."""

    def ahead(self, values: FloatArray) -> FloatArray:
        """The coordinate where the variable has these values."""
        return self.factor * values ** float(self.power) + self.offset

    def back(self, coordinate: FloatArray) -> FloatArray:
        """The values that the variable must have."""
        powers = (coordinate - self.offset) / self.factor
        if self.power == 1:
            return powers
        with np.errstate(invalid="ignore"):
            size = np.abs(powers) ** (1 / float(self.power))
        return self.sign * size

    def range_in(self, box: Box, column: int) -> Range:
        """Where the coordinate is while its variable moves through its range, or one side of it."""
        ends = box.limits[column]
        if self.power != 1:
            ends = np.maximum(self.sign * ends, 0.0) * self.sign
        low, high = np.sort(self.ahead(ends))
        is_log = bool(low > 0 and high > WIDE * low)
        return Range(float(low), float(high), LOG if is_log else EVEN, (-np.inf, np.inf))


def group_coordinate(group: Group, names: Sequence[str], box: Box, base: FloatArray) -> Coordinate:
    """A sum of powers; a product, if a logarithm is in the sum."""
    is_product = any(member.power == 0 for member in group)
    pivot = min(group, key=lambda member: _awkwardness(member, group, box))
    others = [
        replace(each, weight=_over(each.weight, pivot.weight)) for each in group if each != pivot
    ]
    variable = Variable(names[pivot.index])
    parts = [_part(each, names, is_product) for each in others]
    rest = multiplied(parts) if is_product else added(parts)
    held = float(compile_field([rest], names)(base[None])[0, 0])
    if is_product:
        return Coordinate(pivot.index, multiplied((variable, rest)), factor=held)
    low, high = box.limits[pivot.index]
    own = power_of(variable, pivot.power)
    sign = 1.0 if high >= -low else -1.0
    return Coordinate(pivot.index, added((own, rest)), pivot.power, offset=held, sign=sign)


def _awkwardness(pivot: Member, group: Group, box: Box) -> tuple[float, ...]:
    """By which member a coordinate is best called: that with the plainest numbers, the widest."""
    is_product = any(member.power == 0 for member in group)
    if is_product and pivot.power != 0:
        return (np.inf,)
    weights = [_over(member.weight, pivot.weight) for member in group]
    low, high = box.limits[pivot.index]
    width = np.log(high / low) if low > 0 else high - low
    return float(pivot.power not in (0, 1)), sum(map(_length, weights)), -float(width)


def _length(number: Real) -> int:
    """How much there is to say to name a number."""
    return 100 if isinstance(number, float) else abs(number.numerator) + number.denominator**2


def _over(number: Real, other: Real) -> Real:
    """The quotient, exact where both are."""
    if isinstance(number, float) or isinstance(other, float):
        return float(number) / float(other)
    quotient = Fraction(number) / Fraction(other)
    return quotient.numerator if quotient.denominator == 1 else quotient


def _part(member: Member, names: Sequence[str], is_product: bool) -> Expression:
    variable = Variable(names[member.index])
    if member.power == 0:
        return power_of(variable, member.weight)
    summand = multiplied((Number(member.weight), power_of(variable, member.power)))
    return Apply(Op.EXP, (summand,)) if is_product else summand
