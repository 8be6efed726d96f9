"""Splines through noise: penalised by their third derivative, the penalty the likeliest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from odevsr.arrays import FloatArray

if TYPE_CHECKING:
    from scipy.interpolate import BSpline
    from scipy.sparse import csr_array

KNOTS = 0.6
"""Knots for each sample: with as many as samples at irregular times REML breaks down."""
MOST_KNOTS = 400
RIDGE = 1e-12
"""Share of the data's weight that each coefficient has in addition: where nothing was measured."""
DEGREE, ORDER = 5, 3
"""Of the spline, and of the derivative that is penalised."""
PENALTIES = (-40.0, 22.0)
"""Logarithms of the penalty, relative to the data's weight, between which REML looks: from a path
through all samples to one that is, of few knots, next to a parabola. Beyond, rounding decides."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """A spline, and as how many free numbers it counts."""

    coefficients: FloatArray
    covariance: FloatArray
    freedom: float


@dataclass(frozen=True, eq=False)
class Basis:
    """Quintic B-splines whose knots follow the samples, and the penalty on their roughness.

    At each time only a few of them are not 0, and only these are held: `design` has a row a sample.
    """

    knots: FloatArray
    design: csr_array
    penalty: FloatArray

    @classmethod
    def over(cls, times: FloatArray, most: int = MOST_KNOTS) -> Basis:
        """The basis for samples at these times."""
        size = int(np.clip(math.ceil(KNOTS * len(times)), DEGREE + 3, most))
        inner = np.quantile(times, np.linspace(0, 1, size - DEGREE + 1))
        knots = np.concatenate([[inner[0]] * DEGREE, inner, [inner[-1]] * DEGREE])
        return cls(knots, _values(times, knots, DEGREE), _roughness(knots, size))

    @cached_property
    def parabolas(self) -> FloatArray:
        """Coefficients (size, 3) of 1, t and t**2, of a time that goes from -1 to 1."""
        half = np.ptp(self.knots) / 2
        scaled = (self.knots - self.knots[0]) / half - 1
        near = np.lib.stride_tricks.sliding_window_view(scaled[1:-1], DEGREE)
        sums, squares = near.sum(axis=1), np.sum(near**2, axis=1)
        pairs = (sums**2 - squares) / (DEGREE * (DEGREE - 1))
        return np.stack([np.ones(self.size), sums / DEGREE, pairs], axis=1)

    @property
    def size(self) -> int:
        """How many splines it has."""
        return int(self.design.shape[1])

    def spline(self, coefficients: FloatArray) -> BSpline:
        """Their sum."""
        from scipy.interpolate import BSpline

        return BSpline(self.knots, coefficients, DEGREE)

    def leverage(self, weights: FloatArray, covariance: FloatArray) -> FloatArray:
        """By what share of its error the path follows each sample."""
        return weights * _variances(self.design, covariance)

    def slope_errors(self, times: FloatArray, covariance: FloatArray) -> FloatArray:
        """Standard deviations of the slope at these times, from the coefficients' covariance."""
        slope = self.spline(np.eye(self.size)).derivative()
        change = slope.c[: self.size - 1]
        rows = _values(times, slope.t, slope.k)
        return np.asarray(np.sqrt(_variances(rows, change @ covariance @ change.T)))

    def fit(self, samples: FloatArray, weights: FloatArray, *, known_noise: bool = False) -> Fitted:
        """The spline whose penalty is the likeliest; the noise is 1/weights or a multiple of it.

        The parabola nearby goes first: no penalty tells of it, and beside a large one it is lost.
        """
        from scipy.linalg import LinAlgError, cho_solve_banded, cholesky_banded
        from scipy.optimize import minimize_scalar

        gram = (self.design.T @ self.design.multiply(weights[:, None])).toarray()
        gram += RIDGE * np.trace(gram) / self.size * np.eye(self.size)
        bands, unit = _bands(gram), np.trace(gram) / np.trace(self.penalty)
        rough = unit * _bands(self.penalty)
        roots = np.sqrt(weights)
        parabolas = roots[:, None] * (self.design @ self.parabolas)
        nearest = np.linalg.lstsq(parabolas, roots * samples, rcond=None)[0]
        off = roots * samples - parabolas @ nearest
        data = self.design.T @ (roots * off)
        total, count = float(np.sum(off**2)), len(samples) - ORDER

        def factor(logarithm: float) -> FloatArray:
            return np.asarray(cholesky_banded(bands + math.exp(logarithm) * rough, lower=True))

        def loss(logarithm: float) -> float:
            try:
                root = factor(logarithm)
            except LinAlgError:
                return math.inf
            left = max(total - float(data @ cho_solve_banded((root, True), data)), 1e-300)
            shape = 2 * float(np.sum(np.log(root[0]))) - (self.size - ORDER) * logarithm
            return (left if known_noise else count * math.log(left)) + shape

        chosen = minimize_scalar(loss, bounds=PENALTIES, method="bounded")
        root = factor(chosen.x), True
        covariance = cho_solve_banded(root, np.eye(self.size))
        coefficients = self.parabolas @ nearest + cho_solve_banded(root, data)
        return Fitted(coefficients, covariance, float(np.sum(covariance * gram)))


def _variances(rows: csr_array, covariance: FloatArray) -> FloatArray:
    """Of sums of coefficients, by rows in which only a few neighbours have factors."""
    from scipy.sparse import csr_array

    nearby = csr_array(np.tril(np.triu(covariance, -DEGREE), DEGREE))
    return np.asarray((rows @ nearby).multiply(rows).sum(axis=1))


def _bands(matrix: FloatArray) -> FloatArray:
    """The diagonals (DEGREE + 1, n) of a symmetric matrix, the main one first."""
    size = len(matrix)
    bands = np.zeros((DEGREE + 1, size))
    for below in range(DEGREE + 1):
        bands[below, : size - below] = np.diagonal(matrix, -below)
    return bands


def _values(times: FloatArray, knots: FloatArray, degree: int) -> csr_array:
    """Values (times, splines) of B-splines."""
    from scipy.interpolate import BSpline
    from scipy.sparse import csr_array

    return csr_array(BSpline.design_matrix(times, knots, degree, extrapolate=True))


def _roughness(knots: FloatArray, size: int) -> FloatArray:
    """Integrals of products of third derivatives, by Gauss's rule in each interval."""
    from scipy.interpolate import BSpline

    nodes, rule = np.polynomial.legendre.leggauss(ORDER)
    edges = np.unique(knots)
    half = np.diff(edges)[:, None] / 2
    at = (edges[:-1, None] + half * (1 + nodes)).ravel()
    weights = (half * rule).ravel()
    third = BSpline(knots, np.eye(size), DEGREE)(at, ORDER)
    return np.asarray((third.T * weights) @ third)
