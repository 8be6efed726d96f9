"""The compiled flow: motion by a tape from the start of each segment, with its sensitivities.

The method is Dormand and Prince's of order 5 with adaptive steps; samples within a step are read
off its continuous extension, of order 4. Steps end at samples where they must be more precise than
that is, and where inputs may change suddenly. Column 0 of a state (m, 1 + q) is the state itself,
the others are its derivatives by the constants and by the start of the segment, which obey the
variational equations.
"""

import math

import numpy as np
from numba import float64, int64, void

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
)  # fmt: skip
from odevsr.fitting.dormand_prince import BETWEEN, ERRORS, NODES, STAGES, TABLE
from odevsr.fitting.tape_kernel import play, play_back

_ROUGH = 1e-6
"""Tolerance from which on samples may lie within steps."""
_MOST_STEPS, _FEW_STEPS = 60, 6
"""Steps a sample, on average, that a motion may take; and where samples may lie within them."""
_FAR = 1e3
"""A state so many times its usual size has blown up."""


@inner(void(WHOLE_MATRIX, VECTOR, VECTOR, WHOLES, int64, int64, MATRIX, MATRIX))
def _rates(
    steps: Whole, slots: Vector, slopes: Vector, outputs: Whole, first: int, variables: int,
    state: Matrix, rates: Matrix,
) -> None:  # fmt: skip
    """Rates (m, 1 + q) of a state and its sensitivities; inputs are in their slots already."""
    size = state.shape[0]
    others = state.shape[1] - 1
    for i in range(size):
        slots[i] = state[i, 0]
    play(steps, slots, first)
    for i in range(size):
        rates[i, 0] = slots[outputs[i]]
        if others > 0:
            play_back(steps, slots, slopes, first, outputs[i])
            for c in range(others):
                total = slopes[variables + c] if c < others - size else 0.0
                for j in range(size):
                    total += slopes[j] * state[j, 1 + c]
                rates[i, 1 + c] = total


@inner(void(VECTOR, CUBE, VECTOR, int64, float64, int64))
def _set_inputs(
    slots: Vector, inputs: Cube, times: Vector, j: int, time: float, first: int
) -> None:
    """Inputs at a time, not before that of sample j, by Hermite's quintic between samples."""
    while times[j + 1] < time and j + 2 < times.shape[0]:
        j += 1
    step = times[j + 1] - times[j]
    s = (time - times[j]) / step
    r = 1.0 - s
    for k in range(inputs.shape[1]):
        low = inputs[j, k, 0] + step * s * (3.0 * inputs[j, k, 0] / step + inputs[j, k, 1])
        low += (
            s
            * s
            * (
                6.0 * inputs[j, k, 0]
                + step * (3.0 * inputs[j, k, 1] + 0.5 * step * inputs[j, k, 2])
            )
        )
        high = inputs[j + 1, k, 0] + step * r * (
            3.0 * inputs[j + 1, k, 0] / step - inputs[j + 1, k, 1]
        )
        high += (
            r
            * r
            * (
                6.0 * inputs[j + 1, k, 0]
                - step * (3.0 * inputs[j + 1, k, 1] - 0.5 * step * inputs[j + 1, k, 2])
            )
        )
        slots[first + k] = r * r * r * low + s * s * s * high


@inner(float64(CUBE, MATRIX, VECTOR, float64, float64))
def _error(stages: Cube, state: Matrix, scale: Vector, step: float, tolerance: float) -> float:
    """The estimated error of a step over what is allowed."""
    worst = 0.0
    for i in range(state.shape[0]):
        error = 0.0
        for s in range(STAGES):
            error += ERRORS[s] * stages[s, i, 0]
        allowed = tolerance * max(abs(state[i, 0]), scale[i])
        share = abs(error * step) / allowed
        if not share <= worst:
            worst = share
    return worst


@inner(
    void(
        WHOLE_MATRIX, VECTOR, VECTOR, WHOLES, int64, int64, CUBE, VECTOR, int64, float64, float64,
        MATRIX, MATRIX, CUBE,
    )
)  # fmt: skip
def _stages(
    steps: Whole, slots: Vector, slopes: Vector, outputs: Whole, first: int, variables: int,
    inputs: Cube, times: Vector, j: int, now: float, taken: float,
    state: Matrix, trial: Matrix, stages: Cube,
) -> None:  # fmt: skip
    """The rates at all stages of a step but the first; `trial` is left as the state after it."""
    for s in range(1, STAGES):
        for i in range(state.shape[0]):
            for c in range(state.shape[1]):
                value = state[i, c]
                for r in range(s):
                    value += taken * TABLE[s, r] * stages[r, i, c]
                trial[i, c] = value
        _set_inputs(slots, inputs, times, j, now + NODES[s] * taken, state.shape[0])
        _rates(steps, slots, slopes, outputs, first, variables, trial, stages[s])


@inner(int64(MATRIX, VECTOR))
def _has_blown_up(state: Matrix, scale: Vector) -> int:
    for i in range(state.shape[0]):
        if not abs(state[i, 0]) < _FAR * scale[i]:
            return 1
    return 0


@inner(
    int64(
        WHOLE_MATRIX, VECTOR, VECTOR, WHOLES, int64, int64, CUBE, VECTOR, int64, float64, VECTOR,
        float64, VECTOR, MATRIX, MATRIX, CUBE,
    )
)  # fmt: skip
def _leap(
    steps: Whole, slots: Vector, slopes: Vector, outputs: Whole, first: int, variables: int,
    inputs: Cube, times: Vector, j: int, target: float, scale: Vector, tolerance: float,
    pace: Vector, state: Matrix, trial: Matrix, stages: Cube,
) -> int:  # fmt: skip
    """Make one step towards the target, into `trial`; 0 if the motion cannot be followed.

    `pace` is the step to try first, how many may still be tried, the time, and the step taken.
    """
    now = pace[2]
    while pace[1] > 0.0:
        pace[1] -= 1.0
        last = now + 1.001 * pace[0] >= target
        taken = target - now if last else pace[0]
        _stages(
            steps, slots, slopes, outputs, first, variables, inputs, times, j, now, taken,
            state, trial, stages,
        )  # fmt: skip
        error = _error(stages, state, scale, taken, tolerance)
        if not error < math.inf:
            if taken < 1e-6 * (times[j + 1] - times[j]):
                return 0
            pace[0] = 0.1 * taken
            continue
        factor = 0.9 * (max(error, 1e-6)) ** -0.2
        if error > 1.0:
            pace[0] = taken * max(factor, 0.2)
            continue
        pace[2] = target if last else now + taken
        pace[3] = taken
        longer = taken * min(max(factor, 0.2), 5.0)
        pace[0] = longer if not last or factor < 1.0 else max(pace[0], longer)
        return 1 - _has_blown_up(trial, scale)
    return 0


@inner(void(MATRIX, CUBE, float64, float64, MATRIX))
def _within(state: Matrix, stages: Cube, share: float, taken: float, shown: Matrix) -> None:
    """Fill `shown` with the state when a share of the step taken from `state` is over."""
    shares = np.zeros(STAGES)
    for s in range(STAGES):
        for power in range(3, -1, -1):
            shares[s] = share * (shares[s] + BETWEEN[s, power])
    for i in range(state.shape[0]):
        for c in range(state.shape[1]):
            value = 0.0
            for s in range(STAGES):
                value += shares[s] * stages[s, i, c]
            shown[i, c] = state[i, c] + taken * value


@inner(float64(MATRIX, VECTOR, VECTOR, WHOLES, MATRIX, VECTOR))
def _gather(
    state: Matrix, sample: Vector, weights: Vector, places: Whole, normal: Matrix, gradient: Vector
) -> float:
    """What a sample adds to the sum of squares; its share of the normal matrix is added there."""
    total = 0.0
    for i in range(state.shape[0]):
        if weights[i] == 0.0:
            continue
        residual = weights[i] * (state[i, 0] - sample[i])
        total += residual * residual
        for c in range(state.shape[1] - 1):
            slope = weights[i] * state[i, 1 + c]
            gradient[places[c]] += slope * residual
            for d in range(c + 1):
                normal[places[c], places[d]] += slope * weights[i] * state[i, 1 + d]
    return total


@inner(void(MATRIX, VECTOR, WHOLES, int64, int64))
def _begin(state: Matrix, start: Vector, places: Whole, constants: int, segment: int) -> None:
    """Set a state, its sensitivities and their places to those of the start of a segment."""
    size = state.shape[0]
    state[:, :] = 0.0
    for i in range(size):
        state[i, 0] = start[i]
        places[constants + i] = constants + segment * size + i
        if state.shape[1] > 1:
            state[i, 1 + constants + i] = 1.0


@inner(
    float64(
        WHOLE_MATRIX, VECTOR, VECTOR, WHOLES, int64, int64, CUBE, VECTOR, int64, int64, VECTOR,
        float64, int64, VECTOR, MATRIX, MATRIX, CUBE, MATRIX, MATRIX, WHOLES, MATRIX, VECTOR,
        MATRIX,
    )
)  # fmt: skip
def _along(
    steps: Whole, slots: Vector, slopes: Vector, outputs: Whole, first: int, variables: int,
    inputs: Cube, times: Vector, j: int, end: int, scale: Vector, tolerance: float, is_rough: int,
    pace: Vector, state: Matrix, trial: Matrix, stages: Cube, samples: Matrix, weights: Matrix,
    places: Whole, normal: Matrix, gradient: Vector, path: Matrix,
) -> float:  # fmt: skip
    """What a segment of the samples j to end adds to the sum; inf if it cannot be followed."""
    path[j] = state[:, 0]
    total = _gather(state, samples[j], weights[j], places, normal, gradient)
    if j == end:
        return total
    shown = np.zeros_like(state)
    pace[0] = times[j + 1] - times[j]
    pace[2] = times[j]
    _set_inputs(slots, inputs, times, j, times[j], state.shape[0])
    _rates(steps, slots, slopes, outputs, first, variables, state, stages[0])
    while j < end:
        target = times[end] if is_rough == 1 else times[j + 1]
        if _leap(
            steps, slots, slopes, outputs, first, variables, inputs, times, j, target, scale,
            tolerance, pace, state, trial, stages,
        ) == 0:  # fmt: skip
            return math.inf
        while j < end and times[j + 1] <= pace[2]:
            j += 1
            _within(state, stages, (times[j] - pace[2]) / pace[3] + 1.0, pace[3], shown)
            path[j] = shown[:, 0]
            total += _gather(shown, samples[j], weights[j], places, normal, gradient)
        state[:, :] = trial
        stages[0] = stages[STAGES - 1]
    return total


@kernel(
    float64(
        WHOLE_MATRIX, VECTOR, WHOLES, VECTOR, MATRIX, WHOLES, VECTOR, MATRIX, MATRIX, CUBE,
        VECTOR, float64, int64, MATRIX, VECTOR, MATRIX, WHOLES,
    )
)  # fmt: skip
def follow(
    steps: Whole, numbers: Vector, outputs: Whole, theta: Vector, starts: Matrix, bounds: Whole,
    times: Vector, samples: Matrix, weights: Matrix, inputs: Cube,
    scale: Vector, tolerance: float, is_smooth: int, normal: Matrix, gradient: Vector,
    path: Matrix, effort: Whole,
) -> float:  # fmt: skip
    """The sum of squared weighted residuals over all segments; inf if one cannot be followed.

    Segment s holds the samples bounds[s]:bounds[s + 1] and begins at starts[s]. `path` (N, m) is
    filled with the motion; with a `normal` matrix (P, P) of any size, it and the `gradient` (P,) of
    half the sum are filled too, constants first, then the starts. Steps may go over samples if
    inputs are smooth and little precision is asked for. `effort` (2,) is how many numbers were
    followed, those of a state for each step and each sample: before and now together, and now.
    """
    size = starts.shape[1]
    constants = theta.shape[0]
    variables = size + inputs.shape[1]
    first = variables + constants + numbers.shape[0]
    slots = np.zeros(first + steps.shape[0])
    slopes = np.zeros(first + steps.shape[0])
    slots[variables : variables + constants] = theta
    slots[variables + constants : first] = numbers
    wide = 1 + constants + size if normal.shape[0] > 0 else 1
    state = np.zeros((size, wide))
    trial = np.zeros((size, wide))
    stages = np.zeros((STAGES, size, wide))
    normal[:, :] = 0.0
    gradient[:] = 0.0
    places = np.arange(constants + size)
    is_rough = 1 if tolerance >= _ROUGH and is_smooth == 1 else 0
    most = (_FEW_STEPS if is_rough == 1 else _MOST_STEPS) * times.shape[0]
    pace = np.array([0.0, float(most), 0.0, 0.0])
    total = 0.0
    for segment in range(starts.shape[0]):
        _begin(state, starts[segment], places, constants, segment)
        total += _along(
            steps, slots, slopes, outputs, first, variables, inputs, times, bounds[segment],
            bounds[segment + 1] - 1, scale, tolerance, is_rough, pace, state, trial, stages,
            samples, weights, places, normal, gradient, path,
        )  # fmt: skip
        if total == math.inf:
            break
    effort[1] = (times.shape[0] + most - int(pace[1])) * state.size
    effort[0] += effort[1]
    for c in range(normal.shape[0]):
        normal[:c, c] = normal[c, :c]
    return total
