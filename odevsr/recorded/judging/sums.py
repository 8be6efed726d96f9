"""Sums of variables that stayed the same, as far as errors tell: these never moved apart."""

from __future__ import annotations

import numpy as np

from odevsr.arrays import FloatArray, IntArray
from odevsr.recorded.paths import Paths

LEAST = 1e-6
"""No value is known better than this share of what its variable moved."""
CHANCE = 3.0
"""Standard deviations by which the variance of noise may exceed what it is."""


def constant_sums(paths: Paths, moving: IntArray) -> FloatArray:
    """Factors (sums, variables and inputs) of sums that moved no more than their errors.

    In each the first of some variables has the factor 1, and no other sum has it.
    """
    m = paths.variables
    values = np.hstack([paths.samples, paths.states[:, m:]])
    errors = np.hstack([paths.errors, np.zeros((len(values), len(paths.names) - m))])
    measured = np.isfinite(values).all(axis=1) & np.isfinite(errors).all(axis=1)
    values, errors = values[measured], errors[measured]
    moving = moving[np.ptp(values[:, moving], axis=0) > 0] if len(values) else moving[:0]
    if not 2 * len(moving) < len(values) or not len(moving):
        return np.zeros((0, len(paths.names)))
    values, errors = values[:, moving], errors[:, moving]
    spread = values.std(axis=0)
    error = np.maximum(np.sqrt(np.mean(errors**2, axis=0)), LEAST * spread)
    variances, axes = np.linalg.eigh(np.atleast_2d(np.cov(values / error, rowvar=False)))
    still = variances <= 1 + CHANCE * np.sqrt(2 / len(values))
    shares, first = _reduced(axes[:, still].T)
    factors = shares * error[first][:, None] / error
    seen = np.abs(shares) * (spread / error) > np.linalg.norm(shares, axis=1)[:, None]
    found = np.zeros((len(factors), len(paths.names)))
    found[:, moving] = np.where(seen | (shares == 1), factors, 0.0)
    return found


def _reduced(rows: FloatArray) -> tuple[FloatArray, IntArray]:
    """The same sums, each with a column of its own in which it has 1 and no other anything.

    With them come these columns.
    """
    from scipy.linalg import qr

    if not len(rows):
        return rows, np.zeros(0, dtype=np.int64)
    first = np.sort(qr(rows, pivoting=True)[2][: len(rows)])
    reduced = np.asarray(np.linalg.solve(rows[:, first], rows), dtype=np.float64)
    reduced[:, first] = np.eye(len(rows))
    return reduced, first.astype(np.int64)
