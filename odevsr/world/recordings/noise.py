"""The size of noise: before samples are smoothed, and along a path.

High differences of neighbouring samples leave noise and little else.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.world.recordings.rounding import EXACT, Rounding

DIFFERENCES = range(2, 13)
"""Orders of the differences that noise is told by; the one that leaves least is right."""
MOST_WINDOWS = 2_000
"""Places of a run at which they are taken."""
QUIETER, GAUSSIAN = 0.25, 1 / 0.3186
"""A quarter of Gaussian noise is smaller than 0.3186 of its standard deviation."""
QUIETEST = 0.15
"""Additive noise is at least this share of what relative noise is at a variable's usual size: how
far a smooth path is from 0 is not known better."""
FEWEST_LOUD = 20
"""Samples that relative noise can be told from."""


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
            values = _windows(samples, order + 1)
            left = np.abs(np.sum(_weights(times.tobytes(), order) * values, axis=1))
            moved = np.ptp(values, axis=1)
            size = min(size, GAUSSIAN * float(np.quantile(left, QUIETER)))
            share = min(share, float(np.quantile(left / (moved + 1e-300), QUIETER)))
    return (size, share) if share < math.inf else (0.0, 0.0)


def _windows(column: FloatArray, size: int) -> FloatArray:
    """So many neighbours at a time: everywhere, or of very long columns at enough places."""
    every = max(1, len(column) // MOST_WINDOWS)
    return np.lib.stride_tricks.sliding_window_view(column, size)[::every]


@lru_cache(maxsize=len(DIFFERENCES))
def _weights(times: bytes, order: int) -> FloatArray:
    """What neighbours count in divided differences that keep the size of white noise.

    The variables of a run have the same times.
    """
    near = _windows(np.frombuffer(times), order + 1)
    near = (near - near.mean(axis=1, keepdims=True)) / np.ptp(near, axis=1, keepdims=True)
    weights = 1 / np.prod(near[:, :, None] - near[:, None, :] + np.eye(order + 1), axis=2)
    weights /= np.linalg.norm(weights, axis=1, keepdims=True)
    weights.setflags(write=False)
    return np.asarray(weights)


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
