"""Derivatives of recorded samples at even times, by finite differences."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from odevsr.arrays import FloatArray
from odevsr.errors import UsageError


def differentiate(states: FloatArray, step: float, *, order: int = 6) -> FloatArray:
    """The time derivative (m, n) of states (m, n) sampled every `step`.

    Each row uses the order + 1 nearest samples: central inside, one-sided at the ends, so the
    error is of the given (even) order everywhere. Fewer samples give a lower order; a single one
    has no difference, and its row is nan.

    >>> differentiate(np.array([[1.0], [4.0], [9.0], [16.0]]), 1.0).ravel().round(12).tolist()
    [2.0, 4.0, 6.0, 8.0]
    """
    if order < 2 or order % 2:
        raise UsageError(f"the order of a central difference is 2, 4, 6, ..., not {order}")
    if not (math.isfinite(step) and step > 0):
        raise UsageError(f"the time step between samples must be positive, not {step}")
    rows = len(states)
    if rows < 2:
        return np.full_like(states, np.nan, dtype=np.float64)
    width = min(order + 1, rows)
    windows = sliding_window_view(states, width, axis=0)
    left = width // 2
    result = np.empty(states.shape)
    result[left : left + len(windows)] = windows @ stencil(width, left)
    for row in range(left):
        result[row] = windows[0] @ stencil(width, row)
    for row in range(left + len(windows), rows):
        result[row] = windows[-1] @ stencil(width, row - (rows - width))
    return result / step


def stencil(width: int, position: int) -> FloatArray:
    """Weights (width,) that give the derivative at sample `position` of `width` even samples.

    >>> (12 * stencil(5, 2)).round(12).tolist()
    [1.0, -8.0, 0.0, 8.0, -1.0]
    """
    others = [place for place in range(width) if place != position]
    weights = np.zeros(width)
    for place in others:
        rest = [other for other in others if other != place]
        weights[place] = _product(position, rest) / _product(place, [*rest, position])
    weights[position] = 0.0 - math.fsum(weights)
    return weights


def _product(place: int, others: Sequence[int]) -> int:
    return math.prod(place - other for other in others)
