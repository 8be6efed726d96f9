"""Constants over trials: which are the same in all, which stand for more, and exact values."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from odevsr.language.expression import Real

FloatArray = NDArray[np.float64]
SUMMARY_THRESHOLD = 5.0
RELATIVE_FLOOR = 1e-10
UNKNOWN = 1e100
"""Errors from here on mean that nothing is known of a constant."""
SURELY_NOUGHT = 1e-6
"""What is nought within a larger error than this may be anything."""
NARROW, WIDE = 4.0, 10.0
"""Errors by which an exact value is missed as a rule, and at most: they are only estimates."""
CHANCE = 1e-3
LARGEST_DENOMINATOR = 64
MOST_DIGITS = 8


@dataclass(frozen=True)
class Shared:
    """A constant over K trials: weighted mean, its error, and its spread in units of the errors.

    A spread above 5 makes it a summary constant: it stands for an expression in held variables.
    """

    value: float
    error: float
    spread: float

    @property
    def is_summary(self) -> bool:
        """True if the constant differs between trials."""
        return self.spread > SUMMARY_THRESHOLD


def classify(constants: FloatArray, errors: FloatArray) -> list[Shared]:
    """Each constant of (K, m) values and errors, by its spread relative to the error bars."""
    honest = np.hypot(errors, RELATIVE_FLOOR * constants) + 1e-150
    return [_shared(constants[:, j], honest[:, j]) for j in range(constants.shape[1])]


def _shared(values: FloatArray, errors: FloatArray) -> Shared:
    usable = errors < UNKNOWN
    if not usable.any():
        return Shared(float(np.median(values)), np.inf, 0.0)
    values, weights = values[usable], 1 / errors[usable] ** 2
    mean = float(np.sum(weights * values) / np.sum(weights))
    freedom = max(len(values) - 1, 1)
    spread = float(np.sqrt(np.sum(weights * (values - mean) ** 2) / freedom))
    return Shared(mean, float(np.sum(weights) ** -0.5), spread)


def exact_value(value: float, error: float) -> Real | None:
    """The simple number the error bar allows, if it allows only one; None otherwise.

    It must be so simple that a random number would come as close with a chance below 1 in 1000.

    >>> exact_value(2.6666666669, 1e-9)
    Fraction(8, 3)
    >>> exact_value(2.6666666669, 1e-2) is None
    True
    """
    tolerance = WIDE * error + 4e-16 * abs(value)
    if not np.isfinite(tolerance):
        return None
    if abs(value) <= tolerance:
        return 0 if tolerance < SURELY_NOUGHT else None
    if not 1e-200 < abs(value) < 1e200:
        return None
    candidates = [*_fractions(value), *_decimals(value), *_reciprocals(value)]
    likely = []
    for number, density in candidates:
        distance = abs(float(number) - value)
        chance = 2 * max(distance, NARROW * error) * density
        if distance <= tolerance and chance < CHANCE:
            likely.append((chance, number))
    if not likely:
        return None
    best = min(likely, key=lambda pair: pair[0])[1]
    return best.numerator if best.denominator == 1 else best


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
