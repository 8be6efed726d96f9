"""Levenberg-Marquardt on the nonlinear constants of one program, compiled.

Linear constants are solved for at every step (variable projection), so a descent moves the
nonlinear ones only.
"""

from typing import Any, NamedTuple

import numba
import numpy as np
from numba import float64, int32, int64, types
from numpy.typing import NDArray

from odevsr.fitting.machine import FINITE, OPTIONS, RUN_SIGNATURE, STACK_SLOTS
from odevsr.fitting.solve import damped_step, normal_equations, project, residual_square
from odevsr.fitting.trials import BLOCK

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

FIRST_DAMPING, LEAST_DAMPING, MOST_DAMPING = 1e-2, 1e-14, 1e12
STALLED_GAIN, STALLED_STEPS = 1e-7, 3

_vector, _matrix, _cube, _whole = (
    float64[::1],
    float64[:, ::1],
    float64[:, :, ::1],
    int64[::1],
)


class Task(NamedTuple):
    """A program and the trial it is fitted to: points (n, N), target and weights (N,)."""

    code: NDArray[np.int32]
    literals: FloatArray
    owner: NDArray[np.int32]
    points: FloatArray
    target: FloatArray
    weights: FloatArray


class Work(NamedTuple):
    """Scratch arrays for programs with m linear and p nonlinear constants on N points."""

    stack: FloatArray
    bits: IntArray
    owns: IntArray
    columns: FloatArray
    tangents: FloatArray
    basis: FloatArray
    upper: FloatArray
    coefficients: FloatArray
    hessian: FloatArray
    gradient: FloatArray
    lengths: FloatArray
    factor: FloatArray
    step: FloatArray
    moved: FloatArray
    theta: FloatArray
    tally: IntArray  # runs of the program, failing operation or -1, lowest rank of the columns


def workspace(points: int, linear: int, nonlinear: int) -> Work:
    """Scratch arrays for programs of one shape."""
    stack = np.empty((STACK_SLOTS, 1 + nonlinear, BLOCK))
    return Work(
        stack=stack,
        bits=stack.view(np.int64),
        owns=np.zeros(STACK_SLOTS, np.int64),
        columns=np.empty((linear + 1, points)),
        tangents=np.empty((nonlinear, points)),
        basis=np.empty((linear + 1, points)),
        upper=np.empty((linear, linear)),
        coefficients=np.empty(linear),
        hessian=np.empty((nonlinear, nonlinear)),
        gradient=np.empty(nonlinear),
        lengths=np.empty(nonlinear),
        factor=np.empty((nonlinear, nonlinear)),
        step=np.zeros(nonlinear),
        moved=np.empty(nonlinear),
        theta=np.empty(nonlinear),
        tally=np.empty(3, np.int64),
    )


TASK: Any = types.NamedTuple((int32[:, ::1], _vector, int32[::1], _matrix, _vector, _vector), Task)
WORK: Any = types.NamedTuple(
    (
        _cube, int64[:, :, ::1], _whole, _matrix, _matrix, _matrix, _matrix, _vector, _matrix,
        _vector, _vector, _matrix, _vector, _vector, _vector, _whole,
    ),
    Work,
)  # fmt: skip
RUN: Any = types.FunctionType(RUN_SIGNATURE)
LOSS_SIGNATURE: Any = float64(RUN, TASK, WORK, _vector, int64)
LOSS: Any = types.FunctionType(LOSS_SIGNATURE)
DESCEND_SIGNATURE: Any = types.UniTuple(float64, 3)(
    RUN, LOSS, TASK, WORK, float64, int64, float64, float64, _vector
)
DESCEND: Any = types.FunctionType(DESCEND_SIGNATURE)


@numba.njit(LOSS_SIGNATURE, cache=True, **OPTIONS)
def loss_at(run_program: Any, task: Task, work: Work, theta: FloatArray, start: int) -> float:
    """Sum of squares with the best linear constants; inf where it has no value.

    With `start` > 0, at the first block only, and theta as `run` takes it then.
    """
    work.tally[0] += 1
    failure = run_program(
        task.code, task.literals, theta, task.points, work.stack, work.bits, work.owns,
        work.columns, work.tangents, start,
    )  # fmt: skip
    if failure != FINITE:
        work.tally[1] = failure
        return np.inf
    size = task.points.shape[1] if start == 0 else min(BLOCK, task.points.shape[1])
    rank = project(
        work.columns,
        task.target,
        task.weights,
        work.basis,
        work.upper,
        work.coefficients,
        size,
    )
    if start == 0:
        work.tally[2] = min(work.tally[2], rank)
    return residual_square(work.basis, size)


@numba.njit(DESCEND_SIGNATURE, cache=True, **OPTIONS)
def descend(
    run_program: Any, loss_of: Any, task: Task, work: Work, damping: float, steps: int, good: float,
    best: float, constants: FloatArray,
) -> tuple[float, float, float]:  # fmt: skip
    """Descend from work.theta; returns the loss reached, the damping and the best loss so far.

    Whenever the loss falls below `best`, `constants` are replaced. The functions called are passed
    as values: each is compiled once, not once more inside its caller.
    """
    nonlinear, linear = work.theta.shape[0], work.coefficients.shape[0]
    current = np.inf
    stalled = 0
    for step in range(steps + 1):
        for q in range(nonlinear):
            work.moved[q] = work.theta[q]
        if step > 0:
            if not damped_step(work.hessian, work.gradient, damping, work.factor, work.step):
                damping *= 10.0
                continue
            for q in range(nonlinear):
                work.moved[q] += work.step[q]
        loss = loss_of(run_program, task, work, work.moved, 0)
        if not loss < current:
            damping *= 8.0
            if step == 0 or damping > MOST_DAMPING:
                break
            continue
        stalled = stalled + 1 if current - loss < STALLED_GAIN * current else 0
        current = loss
        if step > 0:
            damping = max(damping * 0.2, LEAST_DAMPING)
        for q in range(nonlinear):
            work.theta[q] = work.moved[q]
        if loss < best:
            best = loss
            for j in range(linear):
                constants[j] = work.coefficients[j]
            for q in range(nonlinear):
                constants[linear + q] = work.theta[q]
        if nonlinear == 0 or loss <= good or stalled >= STALLED_STEPS:
            break
        normal_equations(
            work.tangents, task.owner, work.coefficients, task.weights, work.basis, work.hessian,
            work.gradient, work.lengths, task.points.shape[1],
        )  # fmt: skip
    return current, damping, best
