"""How samples were rounded before they were written: decimals, digits, or single precision."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from odevsr.arrays import FloatArray

LOOKED = 2_000
"""Samples that are looked at; of more, every few."""
FULL = 15
"""Digits from which on a number is written as it is,"""
SINGLE = 24
"""and binary ones of a number of single precision."""


@dataclass(frozen=True)
class Rounding:
    """Samples are multiples of a unit, and have at most so many digits; 0: of any, as many."""

    unit: float = 0.0
    digits: int = 0
    is_single: bool = False
    """Whether they have the precision of 32 bits."""

    def sizes(self, values: FloatArray) -> FloatArray:
        """How far samples of such values are off, as a standard deviation.

        That of numbers that are spread evenly over a unit of the last digit.
        """
        units = np.full(np.shape(values), self.unit)
        if self.is_single:
            units = np.maximum(units, 2.0 ** (np.frexp(values)[1] - SINGLE))
        if self.digits:
            size = np.maximum(np.abs(values), 1e-300)
            units = np.maximum(units, 10.0 ** (np.floor(np.log10(size)) + 1 - self.digits))
        return np.asarray(units / np.sqrt(12))


EXACT = Rounding()


def rounding_of(samples: FloatArray) -> Rounding:
    """How samples seem to have been rounded; those that are all the same tell nothing.

    >>> rounding_of(np.array([0.125, 3.25, 11.0]))
    Rounding(unit=0.001, digits=3, is_single=True)
    """
    some = samples[:: max(1, len(samples) // LOOKED)]
    if not len(some) or np.ptp(some) == 0:
        return EXACT
    with np.errstate(over="ignore"):
        short = some.astype(np.float32)
    is_single = bool((short == some).all())
    digits, exponent = 0, math.inf
    for number in map(str, short) if is_single else map(repr, some.tolist()):
        written = Decimal(number).normalize().as_tuple()
        digits, exponent = max(digits, len(written.digits)), min(exponent, int(written.exponent))
        if digits >= FULL:
            return Rounding(is_single=is_single)
    return Rounding(10.0**exponent, digits, is_single)
