"""Recorded samples to a smooth path: values and slopes with their errors, and the size of noise.

Where there is next to no noise, splines of degree 7 and 5 (of few samples, lower ones) go through
all samples, and how far their slopes differ is the error. Otherwise a quintic spline is penalised
by its third derivative, the penalty chosen by restricted maximum likelihood (REML). So is one of
the samples' logarithms, if all have one sign: what grows and decays by factors is smooth there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.world.recordings.noise import QUIETER, QUIETEST, Noise, noise_along, noise_of
from odevsr.world.recordings.rounding import Rounding, rounding_of
from odevsr.world.recordings.splines import DEGREE, MOST_KNOTS, Basis, Fitted

if TYPE_CHECKING:
    from scipy.interpolate import BSpline

CLEAN = 1e-4
"""Noise below this share of the motion between neighbouring samples is interpolated."""
COARSE = 1e-2
"""Rounding beyond this share of that motion is noise."""
FEWEST = 2 * (DEGREE + 1)
"""Samples that noise is told from; a path goes through fewer."""
ROUNDING = 1e-13
REWEIGHTED, MOST_LEVERAGE = 3, 0.9
"""How often the noise is estimated anew along the smoother path, from residuals that are less for
having been followed by at most this share."""
FEW_KNOTS, FOR_EACH = 60, 5
"""Knots of a path that counts as few numbers, at least so many for each."""
WIDE = 3.0
"""Factor between the least and the greatest sample from which on logarithms are smoothed, too;"""
NEARER = 10.0
"""by how much less their path must be expected to leave of new samples, in squares of errors. Of
78 variables with 5 % noise no path that was so was worse than the plain one."""
LOUDER = 2.0
"""Or how much less noise it must leave."""
BEYOND = 2.0
"""How many times the greatest sample it may be."""
NEAR_ZERO = 0.01
"""Such a path is known near 0: the share `QUIETEST` for it."""


@dataclass(frozen=True, eq=False)
class Smoothed:
    """One variable's path, its slopes' errors at the samples' times, and the noise."""

    path: BSpline | Exponential
    times: FloatArray
    slope_errors: FloatArray
    noise: Noise
    is_clean: bool = False
    freedom: float = 0.0
    """As how many free numbers the path counts, if it does not go through all samples."""

    def values(self, times: FloatArray) -> FloatArray:
        """The path at these times."""
        return np.asarray(self.path(times))

    def slopes(self, times: FloatArray) -> FloatArray:
        """Its derivative at these times."""
        return np.asarray(self.path(times, 1))

    def part(self, rows: slice) -> Smoothed:
        """The same path at some of the times."""
        return replace(self, times=self.times[rows], slope_errors=self.slope_errors[rows])


def smooth(times: FloatArray, samples: FloatArray) -> Smoothed:
    """The path behind samples (N,) at increasing times; nan where nothing was measured."""
    measured = np.isfinite(samples)
    at, known = times[measured], samples[measured]
    if len(at) < 2:
        return _still(float(np.sum(known)), times)
    spread = max(float(np.std(known)), ROUNDING * float(np.max(np.abs(known), initial=1e-300)))
    noise, share = noise_of(at, known)
    rounding = rounding_of(known)
    if (share <= CLEAN and not _is_coarse(rounding, known)) or len(at) < FEWEST:
        least = max(noise, ROUNDING * spread)
        return _interpolated(at, known, times, Noise(least, rounding=rounding))
    return _penalised(at, known, times, rounding)


def _is_coarse(rounding: Rounding, samples: FloatArray) -> bool:
    """Whether rounding is large beside most of the motion between neighbouring samples."""
    coarse = rounding.sizes(samples[1:]) > COARSE * np.abs(np.diff(samples))
    return bool(np.sum(coarse) > (1 - QUIETER) * len(coarse))


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


def _still(value: float, times: FloatArray) -> Smoothed:
    """The path where nothing tells of motion: the only sample or, where there is none, 0."""
    from scipy.interpolate import BSpline

    path = BSpline(times[[0, -1]], [value], 0)
    return Smoothed(path, times, np.full(len(times), np.inf), Noise(0.0), is_clean=True)


def _penalised(
    at: FloatArray, known: FloatArray, times: FloatArray, rounding: Rounding
) -> Smoothed:
    basis = cache(lambda most: Basis.over(at, most))
    path_of = partial(_smoothed, known=known, times=times, rounding=rounding)
    chosen = _by_its_knots(basis, partial(path_of, logarithms=False))
    if _is_wide(known):
        with np.errstate(all="ignore"):
            grown = _by_its_knots(basis, partial(path_of, logarithms=True))
            chosen = grown if _is_nearer(grown, chosen, at, known) else chosen
    return chosen


def _by_its_knots(basis: Callable[[int], Basis], path_of: Callable[[Basis], Smoothed]) -> Smoothed:
    """The path by many knots, or by few if it counts as fewer numbers yet.

    Among many knots no penalty makes a path so smooth before rounding decides.
    """
    path = path_of(basis(MOST_KNOTS))
    is_fine = basis(MOST_KNOTS).size <= FEW_KNOTS or path.freedom > FEW_KNOTS / FOR_EACH
    return path if is_fine else path_of(basis(FEW_KNOTS))


def _is_nearer(grown: Smoothed, plain: Smoothed, at: FloatArray, known: FloatArray) -> bool:
    """Whether the path of logarithms is the better one; the plain one may take bursts for noise."""
    usual = np.sqrt(np.mean(known**2, keepdims=True))
    if plain.noise.sizes(usual) > LOUDER * grown.noise.sizes(usual):
        return True
    errors = plain.noise.sizes(plain.values(at))
    expected = [_expected(each, at, known, errors) for each in (plain, grown)]
    return expected[0] - expected[1] > NEARER


def _smoothed(
    basis: Basis, known: FloatArray, times: FloatArray, rounding: Rounding, *, logarithms: bool
) -> Smoothed:
    """The path of the samples, or that of their logarithms."""
    targets = np.abs(known) if logarithms else known
    fitted, noise = _reweighted(basis, targets, rounding, logarithms=logarithms)
    path: BSpline | Exponential = basis.spline(fitted.coefficients)
    errors = basis.slope_errors(times, fitted.covariance)
    if logarithms:
        path = Exponential.near(path, known)
        errors = np.abs(path(times)) * errors
    return Smoothed(path, times, errors, noise, freedom=fitted.freedom)


def _is_wide(samples: FloatArray) -> bool:
    """Whether samples have one sign and span a factor."""
    sizes = np.abs(samples)
    same = np.all(samples > 0) or np.all(samples < 0)
    return bool(same and np.max(sizes) > WIDE * np.min(sizes))


def _expected(smoothed: Smoothed, at: FloatArray, known: FloatArray, errors: FloatArray) -> float:
    """What the path would leave of other samples at the same times (Mallows' Cp)."""
    left = (known - smoothed.values(at)) / errors
    return float(np.sum(left**2)) + 2 * smoothed.freedom


def _reweighted(
    basis: Basis, samples: FloatArray, rounding: Rounding, *, logarithms: bool = False
) -> tuple[Fitted, Noise]:
    """The spline through samples, or through their logarithms, and the noise that it leaves."""
    targets = np.log(samples) if logarithms else samples
    noise, weights = Noise(1.0), np.ones(len(samples))
    for _ in range(REWEIGHTED):
        fitted = basis.fit(targets, weights)
        values = basis.design @ fitted.coefficients
        path = np.exp(np.clip(values, targets.min(), targets.max())) if logarithms else values
        quietest = NEAR_ZERO if logarithms else QUIETEST
        kept = 1 - np.minimum(basis.leverage(weights, fitted.covariance), MOST_LEVERAGE)
        noise = noise_along(path, (samples - path) / np.sqrt(kept), 0.0, quietest)
        noise = replace(noise, rounding=rounding)
        steepness = path if logarithms else 1.0
        weights = (steepness / noise.sizes(path)) ** 2
    return basis.fit(targets, weights, known_noise=True), noise


@dataclass(frozen=True, eq=False)
class Exponential:
    """A path whose logarithm is a spline, but for its sign, as long as that is near to samples.

    Near to 0 these have next to no weight, and before the first or behind the last there is none:
    the spline may go anywhere.
    """

    logarithm: BSpline
    sign: float
    least: float
    most: float

    @classmethod
    def near(cls, logarithm: BSpline, samples: FloatArray) -> Exponential:
        """As long as it is near to these samples, all of one sign."""
        least, most = np.log(np.min(np.abs(samples))), np.log(BEYOND * np.max(np.abs(samples)))
        return cls(logarithm, float(np.sign(samples[0])), float(least), float(most))

    def __call__(self, times: FloatArray, order: int = 0) -> FloatArray:
        """Its values, or their first or second derivatives."""
        logarithms = self.logarithm(times)
        values = self.sign * np.exp(np.clip(logarithms, self.least, self.most))
        if order == 0:
            return np.asarray(values)
        rates, bends = self.logarithm(times, 1), self.logarithm(times, 2)
        factors = rates if order == 1 else rates**2 + bends
        is_near = (self.least < logarithms) & (logarithms < self.most)
        return np.asarray(np.where(is_near, values * factors, 0.0))
