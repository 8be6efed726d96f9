"""Constants and starts of a motion, moved to where it leaves least: the compiled descent."""

import math

import numpy as np
from numba import boolean, float64, int64

from odevsr.fitting.compiled import (
    CUBE,
    MATRIX,
    VECTOR,
    WHOLE_MATRIX,
    WHOLES,
    Cube,
    Matrix,
    Vector,
    Whole,
    inner,
    kernel,
)
from odevsr.fitting.flow_kernel import follow
from odevsr.fitting.solve import damped_step

_FIRST_DAMPING, _LARGEST_DAMPING = 1e-3, 1e8
_SETTLED = 1e-3
"""A step that lowers the sum of squares by less than this, or would, has arrived."""


@inner(boolean(MATRIX, VECTOR))
def _is_finite(normal: Matrix, gradient: Vector) -> bool:
    total = 0.0
    for i in range(gradient.shape[0]):
        total += abs(gradient[i])
        for j in range(gradient.shape[0]):
            total += abs(normal[i, j])
    return total < math.inf


@kernel(
    float64(
        WHOLE_MATRIX, VECTOR, WHOLES, VECTOR, MATRIX, WHOLES, VECTOR, MATRIX, MATRIX, CUBE,
        VECTOR, float64, int64, int64, MATRIX, VECTOR, MATRIX, WHOLES,
    )
)  # fmt: skip
def descend(
    steps: Whole, numbers: Vector, outputs: Whole, theta: Vector, starts: Matrix, bounds: Whole,
    times: Vector, samples: Matrix, weights: Matrix, inputs: Cube, scale: Vector, tolerance: float,
    is_smooth: int, most: int, normal: Matrix, gradient: Vector, path: Matrix, effort: Whole,
) -> float:  # fmt: skip
    """Move constants and starts, in place, by at most so many of Levenberg and Marquardt's steps.

    The sum of squares that is left comes back; `normal`, `gradient`, `path` and `effort` are filled
    as by `follow`.
    """
    constants = theta.shape[0]
    factor, step = np.zeros(normal.shape), np.zeros(gradient.shape[0])
    next_normal, next_gradient = np.zeros(normal.shape), np.zeros(gradient.shape[0])
    next_path = np.zeros(path.shape)
    damping = _FIRST_DAMPING
    chi2 = follow(
        steps, numbers, outputs, theta, starts, bounds, times, samples, weights, inputs, scale,
        tolerance, is_smooth, normal, gradient, path, effort,
    )  # fmt: skip
    if not (chi2 < math.inf and _is_finite(normal, gradient)):
        return math.inf
    for _ in range(most):
        if damping > _LARGEST_DAMPING:
            break
        if not damped_step(normal, gradient, damping, factor, step):
            damping *= 6
            continue
        settled = _SETTLED * max(1.0, 1e-6 * chi2)
        if np.sum(step * gradient) < settled:
            break
        next_theta = theta - step[:constants]
        next_starts = starts - step[constants:].reshape(starts.shape)
        trial = follow(
            steps, numbers, outputs, next_theta, next_starts, bounds, times, samples, weights,
            inputs, scale, tolerance, is_smooth, next_normal, next_gradient, next_path, effort,
        )  # fmt: skip
        if not (trial < chi2 and _is_finite(next_normal, next_gradient)):
            damping *= 6
            continue
        has_arrived = chi2 - trial < settled
        chi2, damping = trial, damping / 8
        theta[:], starts[:, :] = next_theta, next_starts
        normal[:, :], gradient[:], path[:, :] = next_normal, next_gradient, next_path
        if has_arrived:
            break
    return chi2
