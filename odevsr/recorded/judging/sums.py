"""Sums of variables that stayed the same, as far as errors tell: these never moved apart."""

from __future__ import annotations

import numpy as np

from odevsr.arrays import FloatArray, IntArray
from odevsr.recorded.paths import Paths

LEAST = 1e-3
"""No value is known better than this share of what its variable moved."""
CHANCE = 5.0
"""Standard deviations by which the variance of noise may exceed what it is."""


def constant_sums(paths: Paths, moving: IntArray) -> FloatArray:
    """Factors (sums, variables and inputs) of sums that moved no more than their errors.

    In each the first of some variables has the factor 1, and no other sum has it.
    """
    m = paths.variables
    values = np.hstack([paths.samples, paths.states[:, m:]])[:, moving]
    errors = np.hstack([paths.errors, np.zeros((len(values), len(paths.names) - m))])[:, moving]
    measured = np.isfinite(values).all(axis=1) & np.isfinite(errors).all(axis=1)
    values, errors = values[measured], errors[measured]
    if len(values) <= 2 * len(moving):
        return np.zeros((0, len(paths.names)))
    spread = values.std(axis=0)
    error = np.maximum(np.sqrt(np.mean(errors**2, axis=0)), LEAST * spread)
    variances, axes = np.linalg.eigh(np.atleast_2d(np.cov(values / error, rowvar=False)))
    still = variances <= 1 + CHANCE * np.sqrt(2 / len(values))
    factors = _reduced(axes[:, still].T / error)
    seen = np.abs(factors) * spread > np.sqrt(factors**2 @ error**2)[:, None]
    found = np.zeros((len(factors), len(paths.names)))
    found[:, moving] = np.where(seen | (factors == 1), factors, 0.0)
    return found


def _reduced(rows: FloatArray) -> FloatArray:
    """The same sums, one of each set of variables that they tell of alone standing first."""
    from scipy.linalg import qr

    if not len(rows):
        return rows
    first = np.sort(qr(rows / np.linalg.norm(rows, axis=1)[:, None], pivoting=True)[2][: len(rows)])
    reduced = np.linalg.solve(rows[:, first], rows)
    reduced[:, first] = np.eye(len(rows))
    return np.asarray(reduced)
