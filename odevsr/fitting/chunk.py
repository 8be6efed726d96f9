"""The compiled fit of a chunk of programs of one shape to K trials, from several starts each.

Each start is the best of several draws at the first block of points. All starts get a few probing
steps, the best of them go on. A later trial goes on from the constants of the one before and falls
back to the starts where that does not do.
"""

from typing import Any

import numba
import numpy as np
from numba import float64, int32, int64, types, void
from numpy.typing import NDArray

from odevsr.fitting.descent import (
    DESCEND,
    FIRST_DAMPING,
    LOSS,
    RUN,
    TASK,
    WORK,
    FloatArray,
    Task,
    Work,
    descend,
    loss_at,
)
from odevsr.fitting.machine import INNER_OPTIONS, OPTIONS, run
from odevsr.fitting.solve import determined
from odevsr.fitting.trials import ANCHORS

AS_GOOD_AS_BEFORE = 100.0

_vector, _matrix, _cube = float64[::1], float64[:, ::1], float64[:, :, ::1]
_counts: Any = types.UniTuple(int64, 4)
_data: Any = types.Tuple((_cube, _matrix, _matrix))
_code: Any = int32[:, ::1]
Data = tuple[FloatArray, FloatArray, FloatArray]


@numba.njit(void(_vector, _vector, int64), **INNER_OPTIONS)
def _copy(source: FloatArray, destination: FloatArray, first: int) -> None:
    """Fill the destination from source[first:]."""
    for i in range(destination.shape[0]):
        destination[i] = source[first + i]


@numba.njit(void(RUN, LOSS, TASK, WORK, _matrix, int64, int64), **INNER_OPTIONS)
def _draw(
    run_program: Any,
    loss_of: Any,
    task: Task,
    work: Work,
    draws: FloatArray,
    first: int,
    every: int,
) -> None:
    """Work.theta <- the best of the start values in rows first, first + every, ... of `draws`."""
    lowest = np.inf
    for row in range(first, draws.shape[0], every):
        for q in range(work.theta.shape[0]):
            work.moved[q] = draws[row, q]
        loss = loss_of(run_program, task, work, work.moved, 1 + row % ANCHORS)
        if loss < lowest or row == first:
            lowest = loss
            _copy(work.moved, work.theta, 0)


@numba.njit(
    float64(
        RUN,
        LOSS,
        DESCEND,
        TASK,
        TASK,
        WORK,
        _matrix,
        _counts,
        float64,
        float64,
        _vector,
    ),
    **INNER_OPTIONS,
)
def _best_of_starts(
    run_program: Any, loss_of: Any, descend_from: Any, task: Task, near: Task, work: Work, draws: FloatArray,
    counts: tuple[int, int, int, int], good: float, best: float, constants: FloatArray,
) -> float:  # fmt: skip
    """Probe every start, then follow the best few; returns the best loss.

    Every other start is drawn and probed at the near points first, where oscillations are few and
    poles perhaps absent, so that valleys are wide.
    """
    starts, probing, kept, most = counts
    thetas = np.empty((starts, work.theta.shape[0]))
    losses = np.full(starts, np.inf)
    dampings = np.full(starts, FIRST_DAMPING)
    for turn in range(starts + kept):
        if best <= good:
            break
        chosen, steps = turn, probing
        if turn >= starts:
            chosen, steps = np.argmin(losses), most
            if losses[chosen] == np.inf:
                break
            for q in range(thetas.shape[1]):
                work.theta[q] = thetas[chosen, q]
        elif turn % 2 == 0:
            _draw(run_program, loss_of, task, work, draws, turn, starts)
        else:
            _draw(run_program, loss_of, near, work, draws, turn, starts)
            descend_from(
                run_program,
                loss_of,
                near,
                work,
                FIRST_DAMPING,
                probing,
                0.0,
                -1.0,
                constants,
            )
        loss, dampings[chosen], best = descend_from(
            run_program,
            loss_of,
            task,
            work,
            dampings[chosen],
            steps,
            good,
            best,
            constants,
        )
        for q in range(thetas.shape[1]):
            thetas[chosen, q] = work.theta[q]
        losses[chosen] = loss if turn < starts else np.inf
    return best


@numba.njit(TASK(_code, _code, _code, _vector, _data, int64, int64), **INNER_OPTIONS)
def _task(
    code: Any,
    spans: Any,
    owners: Any,
    literals: FloatArray,
    data: Data,
    b: int,
    trial: int,
) -> Task:
    return Task(
        code[spans[b, 0] : spans[b, 1]], literals[spans[b, 2] : spans[b, 3]], owners[b],
        data[0][trial], data[1][trial], data[2][trial],
    )  # fmt: skip


_FIT_SIGNATURE: Any = void(
    RUN, LOSS, DESCEND, WORK, _code, _code, _code, _vector, _data, _data, _vector, _matrix, _counts,
    types.UniTuple(float64, 2), _cube, _matrix, int64[:, ::1],
)  # fmt: skip


@numba.njit(_FIT_SIGNATURE, cache=True, **OPTIONS)
def _fit_chunk(
    run_program: Any, loss_of: Any, descend_from: Any, work: Work, code: Any, spans: Any, owners: Any,
    literals: FloatArray, data: Data, near: Data, variances: FloatArray, draws: FloatArray,
    counts: tuple[int, int, int, int], limits: tuple[float, float], constants: FloatArray,
    losses: FloatArray, reports: NDArray[np.int64],
) -> None:  # fmt: skip
    linear, nonlinear = work.coefficients.shape[0], work.theta.shape[0]
    for b in range(spans.shape[0]):
        work.tally[0], work.tally[1], work.tally[2] = 0, -1, linear
        fitted, rank, before = 0, nonlinear, np.inf
        for trial in range(variances.shape[0]):
            task = _task(code, spans, owners, literals, data, b, trial)
            good = limits[0] * variances[trial]
            best = np.inf
            if nonlinear == 0 or trial > 0:
                _copy(constants[b, max(trial - 1, 0)], work.theta, linear)
                best = descend_from(
                    run_program,
                    loss_of,
                    task,
                    work,
                    FIRST_DAMPING,
                    counts[3],
                    good,
                    best,
                    constants[b, trial],
                )[2]
            if nonlinear > 0 and not best < AS_GOOD_AS_BEFORE * before * variances[trial]:
                best = _best_of_starts(
                    run_program, loss_of, descend_from, task,
                    _task(code, spans, owners, literals, near, b, trial),
                    work, draws, counts, good, best, constants[b, trial],
                )  # fmt: skip
            if best == np.inf:
                break
            if nonlinear > 0 and trial == 0:
                _copy(constants[b, trial], work.theta, linear)
                descend_from(
                    run_program,
                    loss_of,
                    task,
                    work,
                    FIRST_DAMPING,
                    0,
                    -1.0,
                    -1.0,
                    constants[b, trial],
                )
                rank = determined(work.hessian, work.lengths, work.factor)
            before = best / variances[trial]
            losses[b, trial] = before
            fitted += 1
            if before > limits[1]:
                break
        reports[b, 0] = work.tally[1] if fitted == 0 else -1
        reports[b, 1] = work.tally[2] + rank
        reports[b, 2] = work.tally[0]
        reports[b, 3] = fitted


def fit_chunk(work: Work, *arguments: object) -> None:
    """Fit programs of one shape to K trials, each trial with constants of its own.

    Arguments: code (total, 2); spans (B, 4): first and last instruction, first and last literal;
    owners (B, p); literals; points (K, n, N), targets and weights (K, N); the same of points near
    the middle; variances (K,), which normalise the losses; draws (S*M, p), multipliers of natural
    scales, of which start s takes rows s, s + S, ...; counts: starts S, probing steps, starts
    followed, most steps; limits: loss that is good enough, loss above which no further trial is
    fitted. Filled: constants (B, K, m + p), linear ones first; losses (B, K), nan where not fitted;
    reports (B, 4): failing operation or -1, rank of all constants, runs of the program, trials
    fitted.
    """
    _fit_chunk(run, loss_at, descend, work, *arguments)
