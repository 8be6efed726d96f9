"""What counts as agreement: one deviation, and the limits it is held against.

The deviation of a law from data is the 90 % quantile of |residual|/error over what that is for a
Gaussian. A true law has about 1 where errors are noise, and less where they are cautious estimates
of numerical error; a few points whose error is estimated far too small do not decide.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.limits import DEFAULT_LIMITS, Limits
from odevsr.world.experiments.launched import NOISE_ERROR

QUANTILE = 0.9
"""The share of the residuals that a deviation heeds: the largest tenth may be strays."""
GAUSSIAN = NormalDist().inv_cdf((1 + QUANTILE) / 2)
"""That share of Gaussian residuals is smaller than so many errors."""
LARGEST = 1e29
"""A deviation that counts as none at all, and the error of a number of which nothing is known."""


def deviation(residuals: FloatArray) -> FloatArray:
    """Deviations (...) of residuals (..., N) in units of their errors; inf where any is nan."""
    size = np.fmin(np.abs(residuals), LARGEST)
    quantile = np.quantile(size, QUANTILE, axis=-1) / GAUSSIAN
    return np.where(np.any(size >= LARGEST, axis=-1), np.inf, quantile)


def _chance(count: float) -> float:
    """Standard error of the deviation of so many Gaussian residuals."""
    density = 2 * NormalDist().pdf(GAUSSIAN) * GAUSSIAN
    return math.sqrt(QUANTILE * (1 - QUANTILE) / max(count, 1)) / density


@dataclass(frozen=True)
class Agreement:
    """What counts as agreement with data whose errors are noise, or numerical and estimated."""

    is_noisy: bool = False
    limits: Limits = DEFAULT_LIMITS
    compared: float = math.inf
    """By how many points laws are compared; with few, chance makes one look worse."""

    def limit(self, count: int) -> float:
        """The greatest deviation of `count` points that a law explains."""
        return self._raised(count) if self.is_noisy else self.limits.estimated

    def explains(self, deviation: float, count: int) -> bool:
        """True if so many points deviate no more than errors and chance make them."""
        return deviation <= self.limit(count)

    def no_worse(self, deviation: float, than: float) -> bool:
        """True if a law of this deviation does as well as another one, as far as data can tell.

        Which of two deviates less does not matter where neither does by more than its errors.
        """
        return deviation <= max(self._raised(self.compared) * than, 1.0)

    def among(self, count: int) -> Agreement:
        """The same for laws compared by `count` points."""
        return replace(self, compared=count)

    def _raised(self, count: float) -> float:
        """What chance may make of a deviation of 1: in so many points, and in their errors."""
        return 1 + self.limits.chance * math.hypot(_chance(count), NOISE_ERROR)


ESTIMATED = Agreement()
"""With data whose errors are estimates."""
