"""How well constants are determined: values, Jacobian, covariance and standard errors of a fit."""

from __future__ import annotations

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.fitting.descent import workspace
from odevsr.fitting.machine import FINITE, run
from odevsr.fitting.program import Program
from odevsr.fitting.trials import Trials

UNDETERMINED = 1e-12
"""Singular values of the scaled Jacobian below this, relative to the largest, count as nought."""


@np.errstate(over="ignore", invalid="ignore")
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
    outcome = run(
        program.code,
        program.literals,
        theta,
        np.ascontiguousarray(points),
        work.stack,
        work.bits,
        work.owns,
        work.columns,
        work.tangents,
        0,
    )
    if outcome != FINITE:
        return np.full(points.shape[1], np.nan), np.full((points.shape[1], len(numbers)), np.nan)
    values = work.columns[-1] + linear @ work.columns[:-1]
    factors = np.array([linear[column] if column >= 0 else 1.0 for column in program.owner])
    jacobian = np.concatenate([work.columns[:-1], factors[:, None] * work.tangents])
    return values, jacobian[order].T


@np.errstate(over="ignore", invalid="ignore")
def covariance(
    program: Program, constants: FloatArray, points: FloatArray, errors: FloatArray
) -> FloatArray:
    """Covariance (m, m) of the fitted constants of one trial, in preorder, inf if undetermined.

    The trial has points (n, N), and errors (N,) of its values.
    """
    _, jacobian = value_and_jacobian(program, constants, points)
    weighted = jacobian / errors[:, None]
    scale = np.linalg.norm(weighted, axis=0)
    unknown = np.full((len(constants), len(constants)), np.inf)
    if not np.all((scale > 0) & (scale < np.inf)):
        return unknown
    _, singular, right = np.linalg.svd(weighted / scale, full_matrices=False)
    if np.sum(singular > UNDETERMINED * np.max(singular, initial=0.0)) < len(constants):
        return unknown
    half = right.T / singular / scale[:, None]
    return np.asarray(half @ half.T)


def standard_errors(program: Program, constants: FloatArray, trials: Trials) -> FloatArray:
    """Standard error of each constant in each trial, (K, constants); inf where undetermined."""
    errors = trials.unit / trials.weights
    rows = [
        np.sqrt(np.diag(covariance(program, values, trials.points[trial], errors[trial])))
        for trial, values in enumerate(constants)
    ]
    return np.array(rows).reshape(len(constants), program.constants)
