"""The compiled fit of a chunk of programs: several starts a program, Levenberg-Marquardt from each.

Linear constants are solved for at every step (variable projection), so a descent moves the nonlinear
ones only. All starts get a few probing steps, the best of them go on; a later trial goes on from the
constants of the one before and falls back to the starts where that does not do.
"""

from typing import NamedTuple

import numba
import numpy as np
from numba import float64, int32, int64, types
from numpy.typing import NDArray

from odevsr.fitting.machine import BLOCK, MOST_SLOTS, OPTIONS, RUN_SIGNATURE, run
from odevsr.fitting.solve import damped_step, dot, normal_equations, project

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

FIRST_DAMPING, LEAST_DAMPING, MOST_DAMPING = 1e-2, 1e-14, 1e12
STALLED_GAIN, STALLED_STEPS = 1e-7, 3
AS_GOOD_AS_BEFORE = 100.0

_jit = numba.njit(**OPTIONS)
_vector, _matrix, _cube, _whole = float64[::1], float64[:, ::1], float64[:, :, ::1], int64[::1]


class Work(NamedTuple):
    """Scratch arrays for programs with m linear and p nonlinear constants on N points."""

    stack: FloatArray
    scratch: FloatArray
    bits: IntArray
    owns: IntArray
    columns: FloatArray
    tangents: FloatArray
    basis: FloatArray
    residual: FloatArray
    upper: FloatArray
    coefficients: FloatArray
    hessian: FloatArray
    gradient: FloatArray
    factor: FloatArray
    step: FloatArray
    moved: FloatArray
    theta: FloatArray
    tally: IntArray  # runs of the program, failing operation or -1, lowest rank of the columns


def workspace(points: int, linear: int, nonlinear: int) -> Work:
    """Scratch arrays for programs of one shape."""
    scratch = np.empty(2 * BLOCK)
    return Work(
        stack=np.empty((MOST_SLOTS, 1 + nonlinear, BLOCK)),
        scratch=scratch,
        bits=scratch.view(np.int64),
        owns=np.zeros(MOST_SLOTS, np.int64),
        columns=np.empty((linear + 1, points)),
        tangents=np.empty((nonlinear, points)),
        basis=np.empty((linear, points)),
        residual=np.empty(points),
        upper=np.empty((linear, linear)),
        coefficients=np.empty(linear),
        hessian=np.empty((nonlinear, nonlinear)),
        gradient=np.empty(nonlinear),
        factor=np.empty((nonlinear, nonlinear)),
        step=np.zeros(nonlinear),
        moved=np.empty(nonlinear),
        theta=np.empty(nonlinear),
        tally=np.empty(3, np.int64),
    )


_WORK = types.NamedTuple(
    (
        _cube, _vector, _whole, _whole, _matrix, _matrix, _matrix, _vector, _matrix, _vector,
        _matrix, _vector, _matrix, _vector, _vector, _vector, _whole,
    ),
    Work,
)  # fmt: skip
_RUN = types.FunctionType(RUN_SIGNATURE)
_DESCEND_SIGNATURE = types.UniTuple(float64, 3)(
    _RUN, int32[:, ::1], _vector, int32[::1], _matrix, _vector, _vector, _WORK,
    float64, int64, float64, float64, _vector,
)  # fmt: skip


@_jit
def _loss_at_moved(run_program, code, literals, owner, points, target, weights, work):
    """Sum of squares at work.moved with the best linear constants; inf where it has no value."""
    work.tally[0] += 1
    failure = run_program(
        code, literals, work.moved, points, work.stack, work.scratch, work.bits, work.owns,
        work.columns, work.tangents, 0,
    )
    if failure >= 0:
        work.tally[1] = failure
        return np.inf
    rank = project(
        work.columns, target, weights, work.basis, work.upper, work.coefficients, work.residual
    )
    work.tally[2] = min(work.tally[2], rank)
    return dot(work.residual, work.residual)


@numba.njit(_DESCEND_SIGNATURE, cache=True, **OPTIONS)
def _descend(
    run_program, code, literals, owner, points, target, weights, work, damping, steps, good, best, constants
):
    """Levenberg-Marquardt from work.theta; returns the loss reached, the damping and the best loss so far.

    Whenever the loss falls below `best`, `constants` are replaced.
    """
    nonlinear = work.theta.shape[0]
    linear = work.coefficients.shape[0]
    current = np.inf
    stalled = 0
    for step in range(steps + 1):
        if step > 0:
            if not damped_step(work.hessian, work.gradient, damping, work.factor, work.step):
                damping *= 10.0
                continue
        for q in range(nonlinear):
            work.moved[q] = work.theta[q] + (work.step[q] if step > 0 else 0.0)
        loss = _loss_at_moved(run_program, code, literals, owner, points, target, weights, work)
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
            work.tangents, owner, work.coefficients, weights, work.basis, work.residual,
            work.hessian, work.gradient,
        )
    return current, damping, best


@_jit
def _copy(source, destination):
    for i in range(min(source.shape[0], destination.shape[0])):
        destination[i] = source[i]


@_jit
def _lowest(values):
    lowest = 0
    for i in range(values.shape[0]):
        if values[i] < values[lowest]:
            lowest = i
    return lowest


@_jit
def _best_of_starts(
    run_program, descend, code, literals, owner, points, target, weights, work, starts, counts, good, best, constants
):
    """Probe every start, then follow the best few; returns the best loss."""
    nonlinear = work.theta.shape[0]
    probe, kept, most = counts
    thetas = np.empty((starts.shape[0], nonlinear))
    losses = np.empty(starts.shape[0])
    dampings = np.empty(starts.shape[0])
    for turn in range(starts.shape[0] + kept):
        if best <= good:
            break
        probing = turn < starts.shape[0]
        chosen = turn if probing else _lowest(losses)
        if probing:
            losses[chosen] = np.inf
            dampings[chosen] = FIRST_DAMPING
            _copy(starts[chosen], work.theta)
            failure = run_program(
                code, literals, work.theta, points, work.stack, work.scratch, work.bits, work.owns,
                work.columns, work.tangents, 1,
            )
            if failure >= 0:
                work.tally[1] = failure
                continue
        elif losses[chosen] == np.inf:
            break
        else:
            _copy(thetas[chosen], work.theta)
        loss, dampings[chosen], best = descend(
            run_program, code, literals, owner, points, target, weights, work,
            dampings[chosen], probe if probing else most, good, best, constants,
        )
        _copy(work.theta, thetas[chosen])
        losses[chosen] = loss if probing else np.inf
    return best


_FIT_SIGNATURE = int64(
    _RUN, types.FunctionType(_DESCEND_SIGNATURE), _WORK,
    int32[:, ::1], int32[:, ::1], int32[:, ::1], _vector, _cube, _matrix, _matrix, _vector,
    _matrix, types.UniTuple(int64, 3), types.UniTuple(float64, 2), _cube, _matrix, int64[:, ::1],
)  # fmt: skip


@numba.njit(_FIT_SIGNATURE, cache=True, **OPTIONS)
def _fit_chunk(
    run_program, descend, work, code, spans, owners, literals, points, targets, weights, variances,
    starts, counts, limits, constants, losses, reports,
):  # fmt: skip
    linear, nonlinear = work.coefficients.shape[0], work.theta.shape[0]
    for b in range(spans.shape[0]):
        program = code[spans[b, 0] : spans[b, 1]]
        numbers = literals[spans[b, 2] : spans[b, 3]]
        work.tally[0], work.tally[1], work.tally[2] = 0, -1, linear
        fitted = 0
        for trial in range(points.shape[0]):
            good = limits[0] * variances[trial]
            best = np.inf
            settled = False
            if nonlinear == 0 or trial > 0:
                if trial > 0:
                    _copy(constants[b, trial - 1, linear:], work.theta)
                _, _, best = descend(
                    run_program, program, numbers, owners[b], points[trial], targets[trial],
                    weights[trial], work, FIRST_DAMPING, counts[2], good, best, constants[b, trial],
                )  # fmt: skip
                before = losses[b, trial - 1] if trial > 0 else np.inf
                settled = nonlinear == 0 or best <= AS_GOOD_AS_BEFORE * before * variances[trial]
            if not settled:
                best = _best_of_starts(
                    run_program, descend, program, numbers, owners[b], points[trial],
                    targets[trial], weights[trial], work, starts, counts, good, best,
                    constants[b, trial],
                )  # fmt: skip
            if best == np.inf:
                break
            losses[b, trial] = best / variances[trial]
            fitted += 1
            if losses[b, trial] > limits[1]:
                break
        reports[b, 0] = work.tally[1] if fitted == 0 else -1
        reports[b, 1] = work.tally[2]
        reports[b, 2] = work.tally[0]
        reports[b, 3] = fitted
    return 0


def fit_chunk(work: Work, *arguments: object) -> None:
    """Fit programs of one shape to K trials, each trial with constants of its own.

    Arguments: code (total, 2); spans (B, 4): first and last instruction, first and last literal;
    owners (B, p); literals; points (K, n, N); targets, weights (K, N); variances (K,), which normalise
    the losses; starts (S, p), multipliers of natural scales; counts: probing steps, starts followed,
    most steps; limits: loss that is good enough, loss above which no further trial is fitted.
    Filled: constants (B, K, m + p), linear ones first; losses (B, K), nan where not fitted; reports
    (B, 4): failing operation or -1, lowest rank of the columns, runs of the program, trials fitted.
    """
    _fit_chunk(run, _descend, work, *arguments)
