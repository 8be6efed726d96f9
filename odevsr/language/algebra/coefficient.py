"""Arithmetic of coefficients: exact numbers while they are short, open constants absorb all."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from odevsr.language.expression import CONSTANT, Constant, Op, Real

Coefficient = Real | Constant

LONGEST_EXACT = 512
"""Bits of numerator or denominator above which a number is kept as a float."""

_LARGEST_WHOLE = 1 << LONGEST_EXACT
_FUNCTION_VALUES: dict[Op, Callable[[float], float]] = {
    Op.SIN: math.sin,
    Op.COS: math.cos,
    Op.TAN: math.tan,
    Op.COT: lambda value: 1 / math.tan(value),
    Op.SINH: math.sinh,
    Op.COSH: math.cosh,
    Op.TANH: math.tanh,
    Op.ASIN: math.asin,
    Op.ACOS: math.acos,
    Op.ATAN: math.atan,
    Op.EXP: math.exp,
    Op.LOG: math.log,
}


class NoValueError(ArithmeticError):
    """A number without a finite value, such as 1/0."""


def plus(left: Coefficient, right: Coefficient) -> Coefficient:
    """The sum; what is added to an open constant becomes part of it."""
    if isinstance(left, Constant) or isinstance(right, Constant):
        return CONSTANT
    return _bounded(left + right)


def times(left: Coefficient, right: Coefficient) -> Coefficient:
    """The product; an open constant times anything but 0 is an open constant."""
    if left == 0 or right == 0:
        return 0
    if isinstance(left, Constant) or isinstance(right, Constant):
        return CONSTANT
    return _bounded(left * right)


def raised(base: Coefficient, exponent: Real) -> Coefficient:
    """A power.

    >>> raised(2, -3)
    Fraction(1, 8)
    """
    if base == 1 or isinstance(base, Constant):
        return base
    if base == 0 and exponent < 0:
        raise NoValueError("0 has no negative power")
    if not isinstance(base, float) and exponent == int(exponent) and _stays_exact(base, exponent):
        power = Fraction(base) ** int(exponent)
        return power.numerator if power.denominator == 1 else power
    return _computed(lambda: math.pow(base, exponent))


def function_value(op: Op, argument: Real) -> Real:
    """The value of a function of one argument."""
    if op is Op.ABS:
        return argument if argument >= 0 else -argument
    return _computed(lambda: _FUNCTION_VALUES[op](float(argument)))


def _stays_exact(base: Real, exponent: Real) -> bool:
    return _bits(base) * max(exponent, -exponent) <= LONGEST_EXACT


def _bits(value: Real) -> int:
    numerator, denominator = value.as_integer_ratio()
    return max(numerator.bit_length(), denominator.bit_length())


def _bounded(value: Real) -> Real:
    """The number itself, a float if it grew too long to compute with exactly."""
    if isinstance(value, int) and -_LARGEST_WHOLE < value < _LARGEST_WHOLE:
        return value
    if isinstance(value, Fraction) and _bits(value) <= LONGEST_EXACT:
        return value
    return _computed(lambda: float(value))


def _computed(value: Callable[[], float]) -> float:
    try:
        result = value()
    except (ValueError, OverflowError, ZeroDivisionError):
        raise NoValueError("a number has no finite value") from None
    if not math.isfinite(result):
        raise NoValueError("a number has no finite value")
    return result
