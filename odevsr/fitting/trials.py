"""The data of fits: K controlled experiments on one component, in the order the machine wants."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from odevsr.arrays import FloatArray, IntArray

BLOCK = 64
"""Points that the machine treats at once."""
ANCHORS = 8
"""The first points of a trial, its most extreme ones, beside which start values put zeros."""

IDLE = 1e-6
"""Points of less relative weight are not looked at for extremes."""


@dataclass(frozen=True, eq=False)
class Trials:
    """K controlled experiments: states (K, n, N), values and weights (K, N).

    `unit` is the error of a value whose weight is 1.
    """

    points: FloatArray
    targets: FloatArray
    weights: FloatArray
    unit: float = 1.0

    def variances(self) -> FloatArray:
        """Weighted sums of squares about the mean, (K,): what a constant alone would leave."""
        mean = np.average(self.targets, axis=1, weights=self.weights**2, keepdims=True)
        spread = np.sum((self.weights * (self.targets - mean)) ** 2, axis=1)
        size = np.sum((self.weights * self.targets) ** 2, axis=1)
        # Of a target that does not move, explain its size instead.
        result: FloatArray = np.where(spread > 1e-24 * size, spread, np.maximum(size, 1e-300))
        return result

    def near(self, size: int) -> Trials:
        """The `size` points of each trial nearest to its middle."""
        chosen = self._by_distance[:, :size]
        return Trials(
            np.take_along_axis(self.points, chosen[:, None, :], axis=2),
            np.take_along_axis(self.targets, chosen, axis=1),
            np.take_along_axis(self.weights, chosen, axis=1),
            self.unit,
        )

    @cached_property
    def _by_distance(self) -> IntArray:
        """Indices of the points of each trial, (K, N), by distance from their median."""
        middle = np.median(self.points, axis=2, keepdims=True)
        spread = np.std(self.points, axis=2, keepdims=True) + 1e-300
        distance = np.sum(((self.points - middle) / spread) ** 2, axis=1)
        return np.argsort(distance, axis=1, kind="stable")


def make_trials(
    points: FloatArray, targets: FloatArray, errors: FloatArray | None = None
) -> Trials:
    """Trials from states (K, N, n) and values (K, N), weighted by 1/error where errors are given.

    The points of a trial are put in an order in which the most extreme values come first and each
    block spans the whole range.
    """
    unit = 1.0 if errors is None else float(np.min(errors))
    weights = np.ones_like(targets) if errors is None else unit / errors
    order = np.stack([_order(*trial) for trial in zip(targets, weights, strict=True)])
    ordered = np.take_along_axis(points, order[:, :, None], axis=1)
    return Trials(
        np.ascontiguousarray(ordered.transpose(0, 2, 1)),
        np.take_along_axis(targets, order, axis=1),
        np.take_along_axis(weights, order, axis=1),
        unit,
    )


def _order(values: FloatArray, weights: FloatArray) -> IntArray:
    """Indices of one trial's points: the extremes that count, then the others block by block."""
    number = len(values)
    blocks = -(-number // BLOCK)
    spread = np.argsort(np.arange(number) % blocks, kind="stable")
    size = np.abs(values - np.median(values)) * (weights > IDLE * np.max(weights))
    extremes = np.argsort(-size, kind="stable")[:ANCHORS]
    return np.concatenate([extremes, spread[~np.isin(spread, extremes)]])
