"""What counts as agreement: one deviation, and the limits it is held against.

The deviation of a law from data is the 90 % quantile of |residual|/error over what that is for a
Gaussian. A true law has about 1 where errors are noise, and less where they are cautious estimates
of numerical error; a few points whose error is estimated far too small do not decide.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
QUANTILE, GAUSSIAN = 0.9, 1.645
"""Nine tenths of Gaussian residuals are smaller than 1.645 errors."""
SPREAD = 0.88
"""Standard error of the deviation of N Gaussian residuals, times the root of N."""
LARGEST = 1e29
"""A deviation that counts as none at all."""


def deviation(residuals: FloatArray) -> FloatArray:
    """Deviations (...) of residuals (..., N) in units of their errors; inf where any is nan."""
    size = np.minimum(np.nan_to_num(np.abs(residuals), nan=LARGEST, posinf=LARGEST), LARGEST)
    quantile = np.quantile(size, QUANTILE, axis=-1) / GAUSSIAN
    lost = np.any(size >= LARGEST, axis=-1)
    result: FloatArray = np.where(lost, np.inf, quantile)
    return result


@dataclass(frozen=True)
class Agreement:
    """What counts as agreement with data whose errors are noise, or numerical and estimated.

    Each limit can be moved; `odevsr bench limits` shows what is lost when it is.
    """

    is_noisy: bool = False
    estimated: float = 3.0
    """Deviation up to which a law explains estimated errors, which may be too small: true laws of
    the batteries stay below 1.2, all but one false form are above 10."""
    chance: float = 4.0
    """Standard errors by which chance may raise the deviation under noise."""
    noise_error: float = 0.07
    """Relative error of the size of noise itself, as repeated measurements give it."""
    worse: float = 1.2
    """Factor by which a smaller law may deviate more than a larger one and still do as well."""
    unnoticed: float = 1.0
    """Deviation below which it does not matter which of two laws has less of it."""
    significant: float = 4.0
    """A number fewer errors away from nought than this may as well be nought."""
    sure: float = 5.0
    """The same where many terms are tried, of which one would reach four errors now and then."""

    def limit(self, count: int) -> float:
        """The greatest deviation of `count` points that a law explains."""
        if not self.is_noisy:
            return self.estimated
        return 1 + self.chance * float(np.hypot(SPREAD / np.sqrt(max(count, 1)), self.noise_error))

    def explains(self, deviation: float, count: int) -> bool:
        """True if so many points deviate no more than errors and chance make them."""
        return deviation <= self.limit(count)

    def no_worse(self, deviation: float, than: float) -> bool:
        """True if a law of this deviation does as well as another one, as far as data can tell."""
        return deviation <= max(self.worse * than, self.unnoticed)

    def among(self, count: int) -> Agreement:
        """The same for laws compared by `count` points: with few, chance makes one look worse."""
        chance = self.chance * SPREAD / np.sqrt(max(count, 1))
        return replace(self, worse=1 + float(np.hypot(self.worse - 1, chance)))
