"""How much there is to tell in a motion: what any law for it must do with less than."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.recorded.paths import Paths

MOST = 100
"""Numbers of a run that are counted; no law has nearly as many constants."""

SHORT = 0.5
"""Constants and starts of a law for each number that describes the motion without any law: with as
many, any functions do, and here as many are left to confirm a law as were taken to fit it. Clean
runs of 512 samples are described by 8 to 100 of them."""


def longest(paths: Paths, told: int) -> float:
    """How many constants a law may have to be short beside so much detail."""
    return SHORT * told - (len(paths.bounds) - 1)


def detail(paths: Paths, equation: int) -> int:
    """Coefficients of polynomials in time that leave no more than an error a sample, of all runs.

    >>> from odevsr.world.recordings.runs import Recordings, Run
    >>> from odevsr.recorded.smoothing import smooth_paths
    >>> t = np.linspace(0, 1, 60)
    >>> run = Run("fall", t, (1 - 9.81 * t[:, None] ** 2), np.empty((60, 0)))
    >>> detail(smooth_paths(Recordings(("height",), (run,))), 0)
    3
    """
    return sum(
        _of_run(
            paths.times[first:last],
            paths.samples[first:last, equation],
            paths.errors[first:last, equation],
        )
        for first, last in pairwise(paths.bounds.tolist())
    )


def _of_run(times: FloatArray, samples: FloatArray, errors: FloatArray) -> int:
    measured = np.isfinite(errors)
    at, weights = times[measured], 1 / errors[measured]
    count = len(at)
    if count < 2:
        return count
    within = 2 * (at - at[0]) / (at[-1] - at[0]) - 1
    powers = np.polynomial.legendre.legvander(within, min(MOST, count) - 1)
    values = weights * samples[measured]
    basis = np.linalg.qr(weights[:, None] * powers)[0]
    shares = basis.T @ values
    beyond = float(np.sum((values - basis @ shares) ** 2))
    left = beyond + np.append(np.cumsum(shares[:0:-1] ** 2)[::-1], 0.0)
    return int(np.argmax(np.append(left <= count, True))) + 1
