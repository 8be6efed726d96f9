"""Where trajectories that run freely cross planes {variable = value}, and how they move there.

Between its samples a trajectory is the polynomial through ten of them. A crossing is a root of it,
and the derivatives there are its slopes; how far those of a polynomial through fewer samples are
off is their error. All that is needed are samples, whoever took them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.world.experiments.schemes import ROUNDING, TINY

WINDOW, FEWER = 10, 8
"""Samples that a trajectory is interpolated from, and those that tell the error."""
MIDDLE = WINDOW // 2 - 1
"""The sample of a window after which it is interpolated."""
HALVINGS = 53
"""Bisections after which a time is exact to rounding."""


@dataclass(frozen=True, eq=False)
class Trajectories:
    """Samples (T, R, n) of trajectories, each with its steps (R,); nan where one was not watched.

    States are uncertain by `error` (n,) if by more than rounding.
    """

    samples: FloatArray
    steps: FloatArray
    error: FloatArray

    def on_plane(self, variable: int, value: float) -> Windows:
        """Where {variable = value} is crossed."""
        side = self.samples[MIDDLE : MIDDLE + len(self._whole) + 1, :, variable] - value
        with np.errstate(invalid="ignore"):
            crossed = (side[:-1] * side[1:] < 0) & self._whole
        first, which = np.nonzero(crossed)
        samples = self.samples[first[:, None] + np.arange(WINDOW), which[:, None]]
        return Windows(samples, self.steps[which], self.error, variable, value)

    @cached_property
    def _whole(self) -> BoolArray:
        """Which windows of samples (T - WINDOW + 1, R) have no gap."""
        known = np.all(np.isfinite(self.samples), axis=-1)
        windows = np.lib.stride_tricks.sliding_window_view(known, WINDOW, axis=0)
        whole: BoolArray = np.all(windows, axis=-1)
        return whole


@dataclass(frozen=True, eq=False)
class Windows:
    """Samples (k, WINDOW, n) about crossings of {variable = value}, taken at steps (k,)."""

    samples: FloatArray
    steps: FloatArray
    error: FloatArray
    variable: int
    value: float

    def places(self) -> FloatArray:
        """About where the plane is crossed, (k, n)."""
        before, after = self.samples[:, MIDDLE], self.samples[:, MIDDLE + 1]
        share = (self.value - before[:, self.variable]) / (after - before)[:, self.variable]
        places: FloatArray = before + share[:, None] * (after - before)
        return places

    def located(self, chosen: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """States (k, n) on the plane, derivatives and their errors, of those that are chosen."""
        samples, steps = self.samples[chosen], self.steps[chosen, None]
        centre = samples[:, MIDDLE]
        path, check = (polynomials(samples - centre[:, None], size) for size in (WINDOW, FEWER))
        times = _roots(path[..., self.variable], self.value - centre[:, self.variable])
        states = centre + _values(path, times)
        states[:, self.variable] = self.value
        # By chance, paths have the same slope somewhere, but not there and half a step away.
        somewhere = (times, np.full_like(times, -0.5), np.full_like(times, 0.5))
        gaps = [np.abs(_slopes(path, time) - _slopes(check, time)) for time in somewhere]
        blurred = AMPLIFICATION * blur(samples, self.error)
        return states, _slopes(path, times) / steps, (np.max(gaps, axis=0) + blurred) / steps


def blur(samples: FloatArray, error: FloatArray) -> FloatArray:
    """How uncertain states are in windows (k, WINDOW, n) of samples, (k, n)."""
    blurred: FloatArray = np.maximum(ROUNDING * np.max(np.abs(samples), axis=1), error) + TINY
    return blurred


def roughness(samples: FloatArray, error: FloatArray) -> FloatArray:
    """What interpolation misses in windows (k, WINDOW, n), over what it makes of errors, (k,)."""
    moved = samples - samples[:, MIDDLE : MIDDLE + 1]
    gap = np.abs(polynomials(moved, WINDOW)[:, 1] - polynomials(moved, FEWER)[:, 1])
    rough: FloatArray = np.max(gap / (AMPLIFICATION * blur(samples, error)), axis=1)
    return rough


def polynomials(moved: FloatArray, size: int) -> FloatArray:
    """Coefficients (k, size, n) of paths through the middle ones of samples (k, WINDOW, n)."""
    cut = (WINDOW - size) // 2
    paths: FloatArray = np.einsum("sp,ksn->kpn", LAGRANGE[size], moved[:, cut : WINDOW - cut])
    return paths


def _lagrange(size: int) -> FloatArray:
    """Coefficients (size, size) of the polynomials that are 1 at one node each and 0 at others.

    Nodes are 1 apart, with 0 in their middle; rows are nodes, columns rising powers.
    """
    nodes = np.arange(size) - (size - 1) / 2
    others = [np.delete(nodes, place) for place in range(size)]
    return np.array(
        [
            np.poly(rest)[::-1] / np.prod(node - rest)
            for node, rest in zip(nodes, others, strict=True)
        ]
    )


LAGRANGE = {size: _lagrange(size) for size in (WINDOW, FEWER)}
AMPLIFICATION = float(np.linalg.norm(LAGRANGE[WINDOW][:, 1]))
"""What slopes make of errors of samples, over the step."""


def _values(paths: FloatArray, times: FloatArray) -> FloatArray:
    """Values (k, ...) of polynomials (k, size, ...) at times (k,)."""
    powers = times[:, None] ** np.arange(paths.shape[1])
    values: FloatArray = np.einsum("kp,kp...->k...", powers, paths)
    return values


def _slopes(paths: FloatArray, times: FloatArray) -> FloatArray:
    """Slopes (k, n) of polynomials (k, size, n) at times (k,)."""
    return _values(paths[:, 1:] * np.arange(1.0, paths.shape[1])[:, None], times)


def _roots(paths: FloatArray, targets: FloatArray) -> FloatArray:
    """Times (k,), at most half a step from 0, at which polynomials (k, size) meet targets (k,)."""
    low, high = np.full(len(paths), -0.5), np.full(len(paths), 0.5)
    rises = _values(paths, high) > targets
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        is_early = (_values(paths, middle) < targets) == rises
        low, high = np.where(is_early, middle, low), np.where(is_early, high, middle)
    times: FloatArray = (low + high) / 2
    return times
