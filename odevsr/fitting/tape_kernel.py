"""The compiled tape: values of all slots at one state, and slopes of an output by all slots."""

import math

from numba import float64, int64, void

from odevsr.fitting.codes import (
    ABS,
    ACOS,
    ADD,
    ASIN,
    ATAN,
    COS,
    COSH,
    COT,
    EXP,
    LOG,
    MULTIPLY,
    POWER,
    REAL_POWER,
    SIN,
    SINH,
    SQRT,
    TAN,
    TANH,
    WHOLE_POWER,
)  # fmt: skip
from odevsr.fitting.compiled import VECTOR, WHOLE_MATRIX, Vector, Whole, inner


@inner(void(WHOLE_MATRIX, VECTOR, int64))
def play(steps: Whole, slots: Vector, first: int) -> None:
    """Fill the slots from `first` on."""
    for k in range(steps.shape[0]):
        op = steps[k, 0]
        u = slots[steps[k, 1]]
        if op == ADD:
            value = u + slots[steps[k, 2]]
        elif op == MULTIPLY:
            value = u * slots[steps[k, 2]]
        elif op in (POWER, WHOLE_POWER, REAL_POWER):
            value = u ** slots[steps[k, 2]]
        else:
            value = _function(op, u)
        slots[first + k] = value


@inner(void(WHOLE_MATRIX, VECTOR, VECTOR, int64, int64))
def play_back(steps: Whole, slots: Vector, slopes: Vector, first: int, output: int) -> None:
    """Fill the slopes of one output by all slots, which have been played."""
    for k in range(slopes.shape[0]):
        slopes[k] = 0.0
    slopes[output] = 1.0
    for k in range(steps.shape[0] - 1, -1, -1):
        slope = slopes[first + k]
        if slope == 0.0:
            continue
        op = steps[k, 0]
        left = steps[k, 1]
        right = steps[k, 2]
        u = slots[left]
        w = slots[right]
        value = slots[first + k]
        if op == ADD:
            slopes[left] += slope
            slopes[right] += slope
        elif op == MULTIPLY:
            slopes[left] += slope * w
            slopes[right] += slope * u
        elif op in (POWER, WHOLE_POWER, REAL_POWER):
            slopes[left] += slope * w * u ** (w - 1.0)
            if op == POWER and u > 0.0:
                slopes[right] += slope * value * math.log(u)
        else:
            slopes[left] += slope * _slope(op, u, value)


@inner(float64(int64, float64))
def _function(op: int, u: float) -> float:  # noqa: C901 - a case an operation
    if op == SIN:
        return math.sin(u)
    if op == COS:
        return math.cos(u)
    if op == EXP:
        return math.exp(min(u, 700.0))
    if op == LOG:
        return math.log(u) if u > 0.0 else math.nan
    if op == SQRT:
        return math.sqrt(u) if u >= 0.0 else math.nan
    if op == TAN:
        return math.tan(u)
    if op == COT:
        return 1.0 / math.tan(u)
    if op == TANH:
        return math.tanh(u)
    if op == SINH:
        return math.sinh(u)
    if op == COSH:
        return math.cosh(u)
    if op == ATAN:
        return math.atan(u)
    if op == ABS:
        return abs(u)
    if abs(u) > 1.0:
        return math.nan
    return math.asin(u) if op == ASIN else math.acos(u)


@inner(float64(int64, float64, float64))
def _slope(op: int, u: float, value: float) -> float:  # noqa: C901 - a case an operation
    if op == SIN:
        return math.cos(u)
    if op == COS:
        return -math.sin(u)
    if op == EXP:
        return value
    if op == LOG:
        return 1.0 / u
    if op == SQRT:
        return 0.5 / value
    if op == TAN:
        return 1.0 + value * value
    if op == COT:
        return -1.0 - value * value
    if op == TANH:
        return 1.0 - value * value
    if op == SINH:
        return math.cosh(u)
    if op == COSH:
        return math.sinh(u)
    if op == ATAN:
        return 1.0 / (1.0 + u * u)
    if op == ABS:
        return 1.0 if u >= 0.0 else -1.0
    slope = 1.0 / math.sqrt(1.0 - u * u)
    return slope if op == ASIN else (-slope if op == ACOS else math.nan)
