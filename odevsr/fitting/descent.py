"""Levenberg-Marquardt on the nonlinear constants of one program, compiled.

Linear constants are solved for at every step (variable projection), so a descent moves the
nonlinear ones only.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import float64, int64, types

from odevsr.fitting.compiled import (
    CUBE,
    MATRIX,
    VECTOR,
    WHOLE_CUBE,
    WHOLE_MATRIX,
    WHOLES,
    Cube,
    Matrix,
    Vector,
    Whole,
    kernel,
)
from odevsr.fitting.functions import STACK_SLOTS
from odevsr.fitting.machine import FINITE, RUN_SIGNATURE
from odevsr.fitting.solve import damped_step, normal_equations, project, residual_square
from odevsr.fitting.trials import BLOCK

FIRST_DAMPING, LEAST_DAMPING, MOST_DAMPING = 1e-2, 1e-14, 1e12
STALLED_GAIN, STALLED_STEPS = 1e-7, 3

RunProgram = Callable[..., int]
LossOf = Callable[..., float]


class Task(NamedTuple):
    """A program and the trial it is fitted to: points (n, N), target and weights (N,)."""

    code: Whole
    literals: Vector
    owner: Whole
    points: Matrix
    target: Vector
    weights: Vector


class Work(NamedTuple):
    """Scratch arrays for programs with m linear and p nonlinear constants on N points."""

    stack: Cube
    bits: Whole
    owns: Whole
    columns: Matrix
    tangents: Matrix
    basis: Matrix
    upper: Matrix
    coefficients: Vector
    hessian: Matrix
    gradient: Vector
    factor: Matrix
    step: Vector
    moved: Vector
    theta: Vector
    tally: Whole
    """Runs of the program, the operation that failed last."""


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
        factor=np.empty((nonlinear, nonlinear)),
        step=np.zeros(nonlinear),
        moved=np.empty(nonlinear),
        theta=np.empty(nonlinear),
        tally=np.empty(2, np.int64),
    )


_types: Any = types  # numba does not say what its constructors return
TASK = _types.NamedTuple((WHOLE_MATRIX, VECTOR, WHOLES, MATRIX, VECTOR, VECTOR), Task)
WORK = _types.NamedTuple(
    (
        CUBE, WHOLE_CUBE, WHOLES, MATRIX, MATRIX, MATRIX, MATRIX, VECTOR, MATRIX, VECTOR, MATRIX,
        VECTOR, VECTOR, VECTOR, WHOLES,
    ),
    Work,
)  # fmt: skip
RUN = _types.FunctionType(RUN_SIGNATURE)
LOSS_SIGNATURE = float64(RUN, TASK, WORK, VECTOR, int64)
LOSS = _types.FunctionType(LOSS_SIGNATURE)
DESCEND_SIGNATURE = _types.UniTuple(float64, 3)(
    RUN, LOSS, TASK, WORK, float64, int64, float64, float64, VECTOR
)
DESCEND = _types.FunctionType(DESCEND_SIGNATURE)


@kernel(LOSS_SIGNATURE, called=False)
def loss_at(run_program: RunProgram, task: Task, work: Work, theta: Vector, start: int) -> float:
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
    project(
        work.columns, task.target, task.weights, work.basis, work.upper, work.coefficients, size
    )
    return residual_square(work.basis, size)


@kernel(DESCEND_SIGNATURE, called=False)
def descend(  # noqa: C901 - one loop, read from top to bottom
    run_program: RunProgram, loss_of: LossOf, task: Task, work: Work, damping: float, steps: int,
    good: float, best: float, constants: Vector,
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
            work.gradient, task.points.shape[1],
        )  # fmt: skip
    return current, damping, best
