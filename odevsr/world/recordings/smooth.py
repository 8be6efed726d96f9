"""Recorded samples to a smooth path: values and slopes with their errors, and the size of noise.

Noise is told from motion before anything is smoothed: high differences of neighbouring samples
leave noise and little else. Where there is next to none, splines of degree 7 and 5 (of few samples,
lower ones) go through all of them, and how far their slopes differ is the error. Otherwise a
quintic spline is penalised by its third derivative, the penalty chosen by restricted maximum
likelihood (REML).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.world.recordings.rounding import EXACT, Rounding, rounding_of

if TYPE_CHECKING:
    from scipy.interpolate import BSpline
    from scipy.sparse import csr_array

CLEAN = 1e-4
"""Noise below this share of the motion between neighbouring samples is interpolated."""
COARSE = 1e-2
"""Rounding beyond this share of that motion is noise."""
KNOTS = 0.6
"""Knots for each sample: with as many as samples at irregular times REML breaks down."""
MOST_KNOTS = 400
DEGREE, ORDER = 5, 3
"""Of the spline, and of the derivative that is penalised."""
DIFFERENCES = range(2, 13)
"""Orders of the differences that noise is told by; the one that leaves least is right."""
MOST_WINDOWS = 2_000
"""Places of a run at which they are taken."""
QUIETER, GAUSSIAN = 0.25, 1 / 0.3186
"""A quarter of Gaussian noise is smaller than 0.3186 of its standard deviation."""
ROUNDING = 1e-13
REWEIGHTED = 3
"""How often the noise is estimated anew along the smoother path."""
QUIETEST = 0.15
"""Additive noise is at least this share of what relative noise is at a variable's usual size: how
far a smooth path is from 0 is not known better."""
FEWEST_LOUD = 20
"""Samples that relative noise can be told from."""
PENALTIES = (-25.0, 15.0)
"""Logarithms of the penalty, relative to the data's weight, between which REML looks."""


@dataclass(frozen=True)
class Noise:
    """Variance additive**2 + (relative*x)**2 of a sample of x, and how samples were rounded."""

    additive: float
    relative: float = 0.0
    rounding: Rounding = EXACT

    def sizes(self, values: FloatArray) -> FloatArray:
        """Standard deviations of samples of these true values, at least as rounding has it."""
        random = np.hypot(self.additive, self.relative * values)
        return np.maximum(random, self.rounding.sizes(values))


@dataclass(frozen=True, eq=False)
class Smoothed:
    """One variable's path: a spline, its slopes' errors at the samples' times, and the noise."""

    path: BSpline
    times: FloatArray
    slope_errors: FloatArray
    noise: Noise
    is_clean: bool = False

    def values(self, times: FloatArray) -> FloatArray:
        """The path at these times."""
        return np.asarray(self.path(times))

    def slopes(self, times: FloatArray) -> FloatArray:
        """Its derivative at these times."""
        return np.asarray(self.path(times, 1))


def smooth(times: FloatArray, samples: FloatArray) -> Smoothed:
    """The path behind samples (N,) at increasing times; nan where nothing was measured."""
    measured = np.isfinite(samples)
    at, known = times[measured], samples[measured]
    spread = max(float(np.std(known)), ROUNDING * float(np.max(np.abs(known), initial=1e-300)))
    noise, share = noise_of(at, known)
    rounding = rounding_of(known)
    if (share <= CLEAN and not _is_coarse(rounding, known)) or len(at) < 2 * (DEGREE + 1):
        least = max(noise, ROUNDING * spread)
        return _interpolated(at, known, times, Noise(least, rounding=rounding))
    return _penalised(at, known, times, rounding)


def _is_coarse(rounding: Rounding, samples: FloatArray) -> bool:
    """Whether rounding is large beside most of the motion between neighbouring samples."""
    coarse = rounding.sizes(samples[1:]) > COARSE * np.abs(np.diff(samples))
    return bool(np.sum(coarse) > (1 - QUIETER) * len(coarse))


def noise_of(times: FloatArray, samples: FloatArray) -> tuple[float, float]:
    """The size of noise, and its share of the motion in between neighbouring samples.

    Both are those of the quieter samples: motion too fast for the samples looks like noise.

    >>> rng = np.random.default_rng(0)
    >>> t = np.linspace(0, 1, 500)
    >>> round(noise_of(t, np.sin(9 * t) + 0.01 * rng.standard_normal(500))[0], 3)
    0.01
    """
    size = share = math.inf
    for order in DIFFERENCES:
        if order < len(times) // 2:
            near, values = _windows(times, order + 1), _windows(samples, order + 1)
            left = np.abs(_differences(near, values))
            moved = np.ptp(values, axis=1)
            size = min(size, GAUSSIAN * float(np.quantile(left, QUIETER)))
            share = min(share, float(np.quantile(left / (moved + 1e-300), QUIETER)))
    return (size, share) if share < math.inf else (0.0, 0.0)


def _windows(column: FloatArray, size: int) -> FloatArray:
    """So many neighbours at a time: everywhere, or of very long columns at enough places."""
    every = max(1, len(column) // MOST_WINDOWS)
    return np.lib.stride_tricks.sliding_window_view(column, size)[::every]


def _differences(times: FloatArray, samples: FloatArray) -> FloatArray:
    """Divided differences over neighbours, scaled to keep the size of white noise."""
    count = times.shape[1]
    near = (times - times.mean(axis=1, keepdims=True)) / np.ptp(times, axis=1, keepdims=True)
    gaps = near[:, :, None] - near[:, None, :] + np.eye(count)
    weights = 1 / np.prod(gaps, axis=2)
    weights /= np.linalg.norm(weights, axis=1, keepdims=True)
    differences: FloatArray = np.sum(weights * samples, axis=1)
    return differences


def _interpolated(at: FloatArray, known: FloatArray, times: FloatArray, noise: Noise) -> Smoothed:
    """Through all samples; what a spline two degrees lower says otherwise is not known."""
    from scipy.interpolate import make_interp_spline

    degree = min(7, max(1, (len(at) - 2) // 2 * 2 + 1))
    high = make_interp_spline(at, known, k=degree)
    slopes = make_interp_spline(at, known, k=degree - 2)(times, 1) if degree > 1 else 0.0
    difference = np.abs(high(times, 1) - slopes)
    nearby = np.lib.stride_tricks.sliding_window_view(np.pad(difference, 2, mode="edge"), 5)
    steps = np.gradient(times) if len(times) > 1 else np.ones(1)
    errors = nearby.max(axis=1) + 2 * noise.sizes(high(times)) / steps
    return Smoothed(high, times, errors, noise, is_clean=True)


def _penalised(
    at: FloatArray, known: FloatArray, times: FloatArray, rounding: Rounding
) -> Smoothed:
    basis = _Basis.over(at)
    noise = Noise(1.0)
    weights = np.ones(len(at))
    for _ in range(REWEIGHTED):
        fitted = basis.fit(known, weights)
        path = basis.design @ fitted.coefficients
        noise = replace(noise_along(path, known - path, fitted.freedom), rounding=rounding)
        weights = 1 / noise.sizes(path) ** 2
    fitted = basis.fit(known, weights, known_noise=True)
    errors = basis.slope_errors(times, fitted.covariance)
    return Smoothed(basis.spline(fitted.coefficients), times, errors, noise)


def noise_along(
    path: FloatArray, residuals: FloatArray, freedom: float, quietest: float = QUIETEST
) -> Noise:
    """The likeliest additive and relative parts, from residuals that fitting has shrunk.

    Additive noise is at least the share `quietest` of what relative noise is at a usual value;
    samples that it is too large for do not count, lest the others seem quieter than they are.
    """
    squares = residuals**2 * (len(residuals) / max(len(residuals) - freedom, 1.0))
    usual = float(np.mean(path**2))
    best, chosen = math.inf, Noise(math.sqrt(float(np.mean(squares))))
    for share in (0.0, *np.logspace(-4, -0.3, 14), *(1 - np.logspace(-0.5, -6, 12)), 1.0):
        least = (1 - share) + quietest**2 * share
        grown = share * path**2 / usual
        loud = grown > least
        counted = loud if np.sum(loud) >= FEWEST_LOUD else np.ones(len(path), dtype=bool)
        scale = float(np.mean((squares / (least + grown))[counted]))
        loss = float(np.mean(np.log(scale * (least + grown)) + squares / (scale * (least + grown))))
        if loss < best:
            best = loss
            chosen = Noise(math.sqrt(scale * least), math.sqrt(scale * share / usual))
    return chosen


@dataclass(frozen=True, eq=False)
class _Fitted:
    coefficients: FloatArray
    covariance: FloatArray
    freedom: float


@dataclass(frozen=True, eq=False)
class _Basis:
    """Quintic B-splines whose knots follow the samples, and the penalty on their roughness.

    At each time only a few of them are not 0, and only these are held: `design` has a row a sample.
    """

    knots: FloatArray
    design: csr_array
    penalty: FloatArray

    @classmethod
    def over(cls, times: FloatArray) -> _Basis:
        size = int(np.clip(math.ceil(KNOTS * len(times)), DEGREE + 3, MOST_KNOTS))
        inner = np.quantile(times, np.linspace(0, 1, size - DEGREE + 1))
        knots = np.concatenate([[inner[0]] * DEGREE, inner, [inner[-1]] * DEGREE])
        return cls(knots, _values(times, knots, DEGREE), _roughness(knots, size))

    @property
    def size(self) -> int:
        return int(self.design.shape[1])

    def spline(self, coefficients: FloatArray) -> BSpline:
        from scipy.interpolate import BSpline

        return BSpline(self.knots, coefficients, DEGREE)

    def slope_errors(self, times: FloatArray, covariance: FloatArray) -> FloatArray:
        """Standard deviations of the slope at these times, from the coefficients' covariance."""
        from scipy.sparse import csr_array

        slope = self.spline(np.eye(self.size)).derivative()
        change = slope.c[: self.size - 1]
        among = change @ covariance @ change.T
        nearby = csr_array(np.tril(np.triu(among, -DEGREE), DEGREE))
        rows = _values(times, slope.t, slope.k)
        return np.asarray(np.sqrt((rows @ nearby).multiply(rows).sum(axis=1)))

    def fit(
        self, samples: FloatArray, weights: FloatArray, *, known_noise: bool = False
    ) -> _Fitted:
        """The spline whose penalty is the likeliest; the noise is 1/weights or a multiple of it."""
        from scipy.linalg import cholesky, eigh, solve_triangular
        from scipy.optimize import minimize_scalar

        gram = (self.design.T @ self.design.multiply(weights[:, None])).toarray()
        gram += 1e-12 * np.trace(gram) / self.size * np.eye(self.size)
        root = cholesky(gram, lower=True)
        inside = solve_triangular(root, self.penalty, lower=True)
        inside = solve_triangular(root, inside.T, lower=True)
        roughness, axes = eigh((inside + inside.T) / 2)
        roughness = np.maximum(roughness, 0.0)
        roughness[:ORDER] = 0.0
        unit = 1 / np.median(roughness[ORDER:])
        data = axes.T @ solve_triangular(root, self.design.T @ (weights * samples), lower=True)
        total = float(np.sum(weights * samples**2))
        count = len(samples) - ORDER

        def loss(logarithm: float) -> float:
            penalty = math.exp(logarithm) * unit * roughness
            left = max(total - float(np.sum(data**2 / (1 + penalty))), 1e-300)
            shape = float(
                np.sum(np.log1p(penalty) - np.log(np.maximum(penalty, 1e-300)) * (penalty > 0))
            )
            return (left if known_noise else count * math.log(left)) + shape

        chosen = minimize_scalar(loss, bounds=PENALTIES, method="bounded")
        shrinkage = 1 / (1 + math.exp(chosen.x) * unit * roughness)
        back = solve_triangular(root, axes, lower=True, trans="T")
        return _Fitted(
            back @ (shrinkage * data), (back * shrinkage) @ back.T, float(shrinkage.sum())
        )


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
