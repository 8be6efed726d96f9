"""How well constants are determined: values, Jacobian and standard errors of a fitted program."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from odevsr.fitting.descent import workspace
from odevsr.fitting.fit import Trials
from odevsr.fitting.machine import run
from odevsr.fitting.program import Program

FloatArray = NDArray[np.float64]


def value_and_jacobian(
    program: Program, constants: FloatArray, points: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Values (N,) and derivatives (N, constants) at points (n, N), constants in preorder.

    Both are nan where the program has no finite value.
    """
    order = np.array(program.preorder, dtype=np.int64)
    numbers = np.empty(program.constants)
    numbers[order] = constants
    linear, theta = numbers[: program.columns], numbers[program.columns :].copy()
    work = workspace(points.shape[1], program.columns, len(theta))
    failure = run(
        program.code, program.literals, theta, np.ascontiguousarray(points), work.stack,
        work.bits, work.owns, work.columns, work.tangents, 0,
    )  # fmt: skip
    if failure >= 0:
        return np.full(points.shape[1], np.nan), np.full((points.shape[1], len(numbers)), np.nan)
    values = work.columns[-1] + linear @ work.columns[:-1]
    factors = np.array([linear[column] if column >= 0 else 1.0 for column in program.owner])
    jacobian = np.concatenate([work.columns[:-1], factors[:, None] * work.tangents])
    return values, jacobian[order].T


def standard_errors(program: Program, constants: FloatArray, trials: Trials) -> FloatArray:
    """Standard error of each constant in each trial, (K, constants); inf where undetermined."""
    return (
        np.array(
            [
                _errors_of_trial(program, values, trials.points[trial], trials.weights[trial])
                for trial, values in enumerate(constants)
            ]
        ).reshape(len(constants), program.constants)
        * trials.unit
    )


def _errors_of_trial(
    program: Program, constants: FloatArray, points: FloatArray, weights: FloatArray
) -> FloatArray:
    _, jacobian = value_and_jacobian(program, constants, points)
    weighted = jacobian * weights[:, None]
    scale = np.linalg.norm(weighted, axis=0)
    if not np.all(np.isfinite(scale)) or np.any(scale == 0.0):
        return np.full(len(constants), np.inf)
    _, singular, right = np.linalg.svd(weighted / scale, full_matrices=False)
    if singular.size and singular[-1] < 1e-12 * singular[0]:
        return np.full(len(constants), np.inf)
    errors: FloatArray = np.sqrt(np.sum((right / singular[:, None]) ** 2, axis=0)) / scale
    return errors
