"""Exact numbers: the simple value that an error bar allows, if it allows only one."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter

import numpy as np

from odevsr.evidence.data import Data
from odevsr.evidence.law import FittedNumber, Law, fit, replaced
from odevsr.language.algebra.normal import normal_form
from odevsr.language.expression import Expression, Number, Real
from odevsr.limits import SAME, SURELY, Limits

CHANCE = 1e-3
"""A random number is so simple with at most this chance."""
REPEATED = 0.005
"""How densely each of the numbers that stand in laws already, and other than the others, counts to
lie, in units of itself, where powers of ten have 1: about one constant in three is one of them."""
LARGEST_DENOMINATOR = 64
"""Of fractions that are tried: with 32 and with 128 the 108 laws of the registered systems have the
same numbers, it bounds the time."""
MOST_DIGITS = 8
"""Of decimals: with 4, numbers in four of these laws are no longer exact; with 16 all are as they
were."""


def with_exact_numbers(
    law: Law, data: Data, settled: Callable[[Expression], Expression] = normal_form
) -> Law:
    """The law with exact values where error bars single them out, if the data agree.

    `settled` puts together what exact values make simpler.
    """
    limits = data.agreement.limits
    exact = [exact_value(each.value, each.error, limits) for each in law.constants]
    numbers = [each.value for each in law.constants]
    pairs = zip(numbers, exact, strict=True)
    chosen = [Number(number if value is None else value) for number, value in pairs]
    candidate = settled(replaced(law.expression, numbers, chosen))
    refitted = fit(candidate, data)
    if not data.agreement.no_worse(refitted.deviation, law.deviation):
        return law
    known = [
        FittedNumber(each.value, each.error, value)
        for each, value in zip(law.constants, exact, strict=True)
        if value is not None
    ]
    return Law(refitted.expression, (*known, *refitted.constants), refitted.deviation)


def exact_value(value: float, error: float, limits: Limits) -> Real | None:
    """The simple number the error bar allows, if it allows only one; None otherwise.

    It must be so simple that a random number would come as close with a chance below 1 in 1000.

    >>> exact_value(2.6666666669, 1e-9, Limits())
    Fraction(8, 3)
    >>> exact_value(2.6666666669, 1e-2, Limits()) is None
    True
    """
    if abs(value) <= SURELY * error:
        return 0 if SURELY * error < SAME else None
    found = simple_value(value, error, limits, SURELY)
    return found.number if found is not None and found.chance < CHANCE else None


@dataclass(frozen=True)
class Simple:
    """A simple number, and the chance of a random one to be as near to any so simple.

    If it is known to stand in the same laws it is likelier, which counts as a smaller chance.
    """

    number: int | Fraction
    chance: float


def simple_value(
    value: float,
    error: float,
    limits: Limits,
    within: float,
    known: Collection[int | Fraction] = (),
) -> Simple | None:
    """Of simple numbers within so many errors the one that is least so by chance.

    Numbers that are `known` to stand in the same laws may be it with either sign.

    >>> simple_value(1.01, 0.01, Limits(), 3.0).number
    1
    """
    tolerance = within * error + 4e-16 * abs(value)
    if not (np.isfinite(tolerance) and 1e-200 < abs(value) < 1e200):
        return None
    share = REPEATED * len(known)
    repeated = [(sign * each, share / abs(float(each))) for each in known for sign in (1, -1)]
    candidates = [*_fractions(value), *_decimals(value), *_reciprocals(value), *repeated]
    found = []
    for number, density in candidates:
        distance = abs(float(number) - value)
        if number and distance <= tolerance:
            chance = 2 * max(distance, limits.significant * error) * density
            found.append(Simple(_plain(number), chance))
    return min(found, key=attrgetter("chance"), default=None)


def _plain(number: int | Fraction) -> int | Fraction:
    """A whole number as such."""
    return number.numerator if number.denominator == 1 else number


def _fractions(value: float) -> list[tuple[Fraction, float]]:
    """Nearest fraction of each small denominator, with how densely such fractions lie."""
    return [
        (Fraction(round(value * q), q), q * (q + 1) / 2)
        for q in range(1, LARGEST_DENOMINATOR + 1)
        if abs(value) < 1e9
    ]


def _decimals(value: float) -> list[tuple[Fraction, float]]:
    """Nearest decimal of few significant digits, with how densely such decimals lie."""
    magnitude = int(np.floor(np.log10(abs(value))))
    result = []
    for digits in range(1, MOST_DIGITS + 1):
        unit = Fraction(10) ** (magnitude + 1 - digits)
        result.append((round(Fraction(value) / unit) * unit, float(1 / unit)))
    return result


def _reciprocals(value: float) -> list[tuple[Fraction, float]]:
    """The same for numbers whose reciprocal is such a decimal: x/0.77 has 100/77 before it."""
    return [
        (1 / decimal, density * float(decimal) * float(decimal))
        for decimal, density in _decimals(1 / value)
        if decimal
    ]
