"""How long a law is to a reader: what is written, not what the tree holds."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from odevsr.language.algebra.term import CACHED, split_fraction
from odevsr.language.expression import Apply, Expression, Number, Op, Real, walk

INEXACT = 12
"""Digits for which a number counts that is known to no end."""
PART = 2
"""Digits that are as long as a variable or an operator."""


def size(expression: Expression) -> int:
    """Numbers, variables, operators and functions on paper; a minus between terms is no more.

    >>> from odevsr.language.algebra.normal import normal_form
    >>> from odevsr.language.parse import parse
    >>> [size(normal_form(parse(text, ["x", "y"]))) for text in ("x - y", "-2*x/y", "1/x", "-x")]
    [3, 5, 3, 2]
    """
    match expression:
        case Apply(Op.ADD, args):
            return size(args[0]) + sum(1 + _unsigned(arg) for arg in args[1:])
        case Apply(Op.SUB, (left, right)):
            return size(left) + 1 + size(right)
        case Apply(Op.NEG, (argument,)):
            return 1 + size(argument)
        case Apply(Op.MUL, (Number(-1), *rest)):
            return 1 + _product(rest)
        case Apply(Op.MUL, args):
            return _product(args)
        case Apply(Op.POW, (_, Number(exponent))) if exponent < 0:
            return _product((expression,))
        case Apply(_, args):
            return sum(map(size, args)) + max(len(args) - 1, 1)
    return 1


def _unsigned(term: Expression) -> int:
    """A term behind its sign."""
    match term:
        case Apply(Op.MUL, (Number(-1), *rest)):
            return _product(rest)
        case Apply(Op.NEG, (argument,)):
            return size(argument)
    return size(term)


def _product(factors: Sequence[Expression]) -> int:
    above, below = split_fraction(factors)
    return sum(map(size, (*above, *below))) + len(below) + max(len(above) - 1, 0) + (not above)


@lru_cache(maxsize=CACHED, typed=True)
def digits(value: Real) -> int:
    """Significant digits of an exact number; an inexact one has many, one has none.

    >>> digits(Fraction(1, 40)), digits(Fraction(2, 3)), digits(2000), digits(0.3), digits(-1)
    (2, 3, 1, 12, 0)
    """
    if value in (1, -1):
        return 0
    if isinstance(value, float):
        return INEXACT
    fraction = Fraction(value)
    shortest = repr(float(fraction))
    if Fraction(shortest) == fraction:
        return len(shortest.partition("e")[0].replace(".", "").strip("-0")) or 1
    return len(str(abs(fraction.numerator))) + len(str(fraction.denominator)) + 1


def length(expression: Expression) -> int:
    """What the shorter of two writings has less of: two for each part, one for each digit."""
    numbers = [node.value for node in walk(expression) if isinstance(node, Number)]
    return PART * size(expression) + sum(map(digits, numbers))
