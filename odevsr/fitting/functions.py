"""The stack machine's functions of one operand: their values, and their slopes beside them."""

import math

from numba import float64, int64, void

from odevsr.fitting.codes import (
    ABS,
    ACOS,
    ASIN,
    COS,
    COSH,
    COT,
    EXP,
    LOG,
    REAL_POWER,
    SIN,
    SINH,
    SQRT,
    TAN,
    TANH,
    WHOLE_POWER,
)  # fmt: skip
from odevsr.fitting.compiled import CUBE, WHOLE_CUBE, Cube, Whole, inner, whole
from odevsr.fitting.elementary import exponential, logarithm, sine_and_cosine
from odevsr.fitting.program import MOST_SLOTS

SLOPES, SCRATCH, STACK_SLOTS = whole(MOST_SLOTS), whole(MOST_SLOTS + 1), MOST_SLOTS + 2
"""Slots behind the stack: the derivatives of a function, and room for its computation."""


@inner(void(CUBE, int64, float64, int64))
def _whole_power(stack: Cube, slot: int, number: float, size: int) -> None:
    times = int(abs(number)) - 1
    for i in range(size):
        u = stack[slot, 0, i]
        low = 1.0
        for _ in range(times):
            low *= u
        high = low * u
        stack[slot, 0, i] = high if number > 0.0 else 1.0 / high
        stack[SLOPES, 0, i] = number * low if number > 0.0 else number / (high * u)


@inner(void(int64, CUBE, int64, int64, float64))
def scalar_function(op: int, stack: Cube, slot: int, i: int, number: float) -> None:
    """Slot <- f(slot), SLOPES <- f'(slot) at point i of the block."""
    u = stack[slot, 0, i]
    if op == REAL_POWER:
        f = u**number
        slope = number * f / u
    elif op == SQRT:
        f = math.sqrt(u)
        slope = 0.5 / f
    elif op == ABS:
        f = abs(u)
        slope = 1.0 if u >= 0.0 else -1.0
    elif op == TAN:
        f = math.tan(u)
        slope = 1.0 + f * f
    elif op == COT:
        f = 1.0 / math.tan(u)
        slope = -1.0 - f * f
    elif op == SINH:
        f = math.sinh(u)
        slope = math.cosh(u)
    elif op == COSH:
        f = math.cosh(u)
        slope = math.sinh(u)
    elif op == TANH:
        f = math.tanh(u)
        slope = 1.0 - f * f
    elif op == ASIN:
        f = math.asin(u)
        slope = 1.0 / math.sqrt(1.0 - u * u)
    elif op == ACOS:
        f = math.acos(u)
        slope = -1.0 / math.sqrt(1.0 - u * u)
    else:
        f = math.atan(u)
        slope = 1.0 / (1.0 + u * u)
    stack[slot, 0, i] = f
    stack[SLOPES, 0, i] = slope


@inner(void(int64, CUBE, WHOLE_CUBE, int64, float64, int64))
def apply_function(op: int, stack: Cube, bits: Whole, slot: int, number: float, size: int) -> None:
    """Slot <- f(slot), SLOPES <- f'(slot); `number` is the exponent of powers."""
    if op == WHOLE_POWER:
        _whole_power(stack, slot, number, size)
    elif op in (SIN, COS):
        for i in range(size):
            stack[SCRATCH, 0, i] = stack[slot, 0, i]
        if op == SIN:
            sine_and_cosine(stack, SCRATCH, slot, SLOPES, size)
        else:
            sine_and_cosine(stack, SCRATCH, SLOPES, slot, size)
            for i in range(size):
                stack[SLOPES, 0, i] = -stack[SLOPES, 0, i]
    elif op == EXP:
        exponential(stack, bits, slot, SCRATCH, size)
        for i in range(size):
            stack[SLOPES, 0, i] = stack[slot, 0, i]
    elif op == LOG:
        for i in range(size):
            stack[SLOPES, 0, i] = 1.0 / stack[slot, 0, i]
        logarithm(stack, bits, slot, SCRATCH, size)
    else:
        for i in range(size):
            scalar_function(op, stack, slot, i, number)
