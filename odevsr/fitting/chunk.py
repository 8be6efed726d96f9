"""The compiled fit of a chunk of programs of one shape to K trials, from several starts each.

Each start is the best of several draws at the first block of points. All starts get a few probing
steps, the best of them go on. A later trial goes on from the constants of the one before and falls
back to the starts where that does not do.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import float64, int64, types, void

from odevsr.fitting.compiled import (
    CUBE,
    MATRIX,
    VECTOR,
    WHOLE_MATRIX,
    Cube,
    Matrix,
    Vector,
    Whole,
    inner,
    kernel,
)
from odevsr.fitting.descent import (
    DESCEND,
    FIRST_DAMPING,
    LOSS,
    RUN,
    TASK,
    WORK,
    LossOf,
    RunProgram,
    Task,
    Work,
)
from odevsr.fitting.machine import FINITE
from odevsr.fitting.trials import ANCHORS

AS_GOOD_AS_BEFORE = 100.0
"""A later trial is settled when its loss is at most this many times that of the one before."""

Descend = Callable[..., tuple[float, float, float]]
Data = tuple[Cube, Matrix, Matrix]
Counts = tuple[int, int, int, int]

_types: Any = types  # numba does not say what its constructors return
_COUNTS = _types.UniTuple(int64, 4)
_LIMITS = _types.UniTuple(float64, 2)
_DATA = _types.Tuple((CUBE, MATRIX, MATRIX))


@inner(void(VECTOR, VECTOR, int64))
def _copy(source: Vector, destination: Vector, first: int) -> None:
    """Fill the destination from source[first:]."""
    for i in range(destination.shape[0]):
        destination[i] = source[first + i]


@inner(void(RUN, LOSS, TASK, WORK, MATRIX, int64, int64))
def _draw(
    run_program: RunProgram, loss_of: LossOf, task: Task, work: Work, draws: Matrix, first: int,
    every: int,
) -> None:  # fmt: skip
    """Work.theta <- the best of the start values in rows first, first + every, ... of `draws`."""
    lowest = np.inf
    for row in range(first, draws.shape[0], every):
        for q in range(work.theta.shape[0]):
            work.moved[q] = draws[row, q]
        loss = loss_of(run_program, task, work, work.moved, 1 + row % ANCHORS)
        if loss < lowest or row == first:
            lowest = loss
            _copy(work.moved, work.theta, 0)


@inner(int64(VECTOR))
def _lowest(values: Vector) -> int:
    lowest = 0
    for i in range(values.shape[0]):
        if values[i] < values[lowest]:
            lowest = i
    return lowest


@inner(float64(RUN, LOSS, DESCEND, TASK, TASK, WORK, MATRIX, _COUNTS, float64, float64, VECTOR))
def _best_of_starts(
    run_program: RunProgram, loss_of: LossOf, descend_from: Descend, task: Task, near: Task,
    work: Work, draws: Matrix, counts: Counts, good: float, best: float, constants: Vector,
) -> float:  # fmt: skip
    """Probe every start, then follow the best few; returns the best loss.

    Every other start is drawn and probed at the near points first, where oscillations are few and
    poles perhaps absent, so that valleys are wide.
    """
    starts, probing, kept, most = counts
    thetas = np.empty((starts, work.theta.shape[0]))
    losses, dampings = np.empty(starts), np.empty(starts)
    for turn in range(starts + kept):
        if best <= good:
            break
        chosen, steps = turn, probing
        if turn < starts:
            dampings[turn] = FIRST_DAMPING
            looks_near = turn % 2 == 1
            first = near if looks_near else task
            _draw(run_program, loss_of, first, work, draws, turn, starts)
            if looks_near:
                descend_from(
                    run_program, loss_of, near, work, FIRST_DAMPING, probing, 0.0, -1.0, constants
                )
        else:
            chosen, steps = _lowest(losses), most
            if losses[chosen] == np.inf:
                break
            for q in range(thetas.shape[1]):
                work.theta[q] = thetas[chosen, q]
        loss, dampings[chosen], best = descend_from(
            run_program, loss_of, task, work, dampings[chosen], steps, good, best, constants
        )
        for q in range(thetas.shape[1]):
            thetas[chosen, q] = work.theta[q]
        losses[chosen] = loss if turn < starts else np.inf
    return best


@inner(TASK(WHOLE_MATRIX, WHOLE_MATRIX, WHOLE_MATRIX, VECTOR, _DATA, int64, int64))
def _task(
    code: Whole, spans: Whole, owners: Whole, literals: Vector, data: Data, b: int, trial: int
) -> Task:
    """Program b beside a trial of the data."""
    return Task(
        code[spans[b, 0] : spans[b, 1]],
        literals[spans[b, 2] : spans[b, 3]],
        owners[b],
        data[0][trial],
        data[1][trial],
        data[2][trial],
    )


_FIT_SIGNATURE = void(
    RUN, LOSS, DESCEND, WORK, WHOLE_MATRIX, WHOLE_MATRIX, WHOLE_MATRIX, VECTOR, _DATA, _DATA,
    VECTOR, MATRIX, _COUNTS, _LIMITS, CUBE, MATRIX, WHOLE_MATRIX,
)  # fmt: skip


@kernel(_FIT_SIGNATURE)
def fit_chunk(
    run_program: RunProgram, loss_of: LossOf, descend_from: Descend, work: Work, code: Whole,
    spans: Whole, owners: Whole, literals: Vector, data: Data, near: Data, variances: Vector,
    draws: Matrix, counts: Counts, limits: tuple[float, float], constants: Cube, losses: Matrix,
    reports: Whole,
) -> None:  # fmt: skip
    """Fit programs of one shape to K trials, each trial with constants of its own.

    code (total, 2); spans (B, 4): first and last instruction and literal of each; owners (B, p);
    data: points (K, n, N), targets and weights (K, N); near: the same of points about the middle;
    variances (K,) normalise the losses; draws (S*M, p): multipliers of natural scales, of which
    start s takes rows s, s + S, ...; counts: starts S, probing steps, starts followed, most steps;
    limits: loss that is good enough, loss above which no further trial is fitted.

    Filled: constants (B, K, m + p), linear ones first; losses (B, K), nan where not fitted; reports
    (B, 2): operation that failed or FINITE, runs.
    """
    linear, nonlinear = work.coefficients.shape[0], work.theta.shape[0]
    _, _, _, most = counts
    for b in range(spans.shape[0]):
        work.tally[0], work.tally[1] = 0, FINITE
        before = np.inf
        for trial in range(variances.shape[0]):
            task = _task(code, spans, owners, literals, data, b, trial)
            values = constants[b, trial]
            good = limits[0] * variances[trial]
            best = np.inf
            if nonlinear == 0 or trial > 0:
                _copy(constants[b, trial - 1 if trial > 0 else 0], work.theta, linear)
                _, _, best = descend_from(
                    run_program, loss_of, task, work, FIRST_DAMPING, most, good, best, values
                )
            if nonlinear > 0 and not best < AS_GOOD_AS_BEFORE * before * variances[trial]:
                best = _best_of_starts(
                    run_program, loss_of, descend_from, task,
                    _task(code, spans, owners, literals, near, b, trial),
                    work, draws, counts, good, best, values,
                )  # fmt: skip
            if best == np.inf:
                break
            before = best / variances[trial]
            losses[b, trial] = before
            if before > limits[1]:
                break
        reports[b, 0] = work.tally[1] if before == np.inf else FINITE
        reports[b, 1] = work.tally[0]
