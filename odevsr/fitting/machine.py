"""The compiled stack machine: values of a program and their tangents, over blocks of points.

Each nonlinear constant occurs once in a program, so a stack slot carries tangents for its own constants
alone, and those of two operands never meet.
"""

import math

import numba
import numpy as np
from numba import float64, int32, int64

from odevsr.fitting.codes import (
    ABS, ACOS, ADD, ASIN, COLUMN, CONSTANT, COS, COSH, COT, EXP, LOG, MULTIPLY, NUMBER, OFFSET, POWER,
    POWER_FREE, REAL_POWER, SCALE, SCALE_FREE, SHIFT, SHIFT_FREE, SIN, SINH, SQRT, TAN, TANH, VARIABLE,
    WHOLE_POWER,
)
from odevsr.fitting.elementary import exponential, logarithm, sine_and_cosine

BLOCK = 64
MOST_SLOTS = 16
OPTIONS = {"nogil": True, "fastmath": {"reassoc", "contract", "nsz"}, "error_model": "numpy"}

_jit = numba.njit(**OPTIONS)
_vector, _matrix, _cube = float64[::1], float64[:, ::1], float64[:, :, ::1]
RUN_SIGNATURE = int64(
    int32[:, ::1], _vector, _vector, _matrix, _cube, _vector, int64[::1], int64[::1], _matrix, _matrix, int64
)


@_jit
def _function(op, value, slope, bits, scratch, number, size):
    """value <- f(value) and slope <- f'(value) over a block; `number` is the exponent of powers."""
    if op == WHOLE_POWER:
        times = int(abs(number)) - 1
        for i in range(size):
            u = value[i]
            low = 1.0
            for _ in range(times):
                low *= u
            high = low * u
            value[i] = high if number > 0.0 else 1.0 / high
            slope[i] = number * low if number > 0.0 else number / (high * u)
    elif op == SIN:
        sine_and_cosine(value, value, slope, size)
    elif op == COS:
        sine_and_cosine(value, slope, value, size)
        for i in range(size):
            slope[i] = -slope[i]
    elif op == EXP:
        exponential(value, bits, scratch, size)
        for i in range(size):
            slope[i] = value[i]
    elif op == LOG:
        for i in range(size):
            slope[i] = 1.0 / value[i]
        logarithm(value, bits, scratch, size)
    elif op == REAL_POWER:
        for i in range(size):
            scratch[i] = value[i] ** number
            slope[i] = number * scratch[i] / value[i]
        for i in range(size):
            value[i] = scratch[i]
    elif op == SQRT:
        for i in range(size):
            value[i] = math.sqrt(value[i])
            slope[i] = 0.5 / value[i]
    elif op == ABS:
        for i in range(size):
            slope[i] = 1.0 if value[i] >= 0.0 else -1.0
            value[i] = abs(value[i])
    else:
        _rare_function(op, value, slope, size)


@_jit
def _rare_function(op, value, slope, size):
    for i in range(size):
        u = value[i]
        if op == TAN:
            value[i] = math.tan(u)
            slope[i] = 1.0 + value[i] * value[i]
        elif op == COT:
            value[i] = 1.0 / math.tan(u)
            slope[i] = -1.0 - value[i] * value[i]
        elif op == SINH:
            value[i] = math.sinh(u)
            slope[i] = math.cosh(u)
        elif op == COSH:
            value[i] = math.cosh(u)
            slope[i] = math.sinh(u)
        elif op == TANH:
            value[i] = math.tanh(u)
            slope[i] = 1.0 - value[i] * value[i]
        elif op == ASIN:
            value[i] = math.asin(u)
            slope[i] = 1.0 / math.sqrt(1.0 - u * u)
        elif op == ACOS:
            value[i] = math.acos(u)
            slope[i] = -1.0 / math.sqrt(1.0 - u * u)
        else:
            value[i] = math.atan(u)
            slope[i] = 1.0 / (1.0 + u * u)


@_jit
def _is_finite(stack, slot, size):
    total = 0.0
    for i in range(size):
        total += abs(stack[slot, 0, i])
    return total < np.inf


@_jit
def _magnitude(stack, slot, size):
    total = 0.0
    for i in range(size):
        total += stack[slot, 0, i] ** 2
    return math.sqrt(total / size) + 1e-12


@numba.njit(RUN_SIGNATURE, cache=True, **OPTIONS)
def run(code, literals, theta, points, stack, scratch, bits, owns, columns, tangents, starting):
    """Run a program on points (n, N): fill columns (m + 1, N; the last is the offset) and tangents (p, N).

    stack[slot, 0] holds a slot's values, stack[slot, 1 + q] its tangents; `scratch` has two blocks and `bits`
    is its int64 view. With `starting`, theta comes as multipliers and leaves as start values in the scale of
    what each constant is added to or multiplied with. Returns -1, or the operation whose result is not finite.
    """
    number_of_constants = theta.shape[0]
    last = columns.shape[0] - 1
    slopes = scratch[BLOCK:]
    for first in range(0, points.shape[1], BLOCK):
        size = min(BLOCK, points.shape[1] - first)
        top = -1
        for i in range(first, first + size):
            columns[last, i] = 0.0
        for position in range(code.shape[0]):
            op = code[position, 0]
            argument = code[position, 1]
            failed = False
            if op == VARIABLE:
                top += 1
                owns[top] = 0
                for i in range(size):
                    stack[top, 0, i] = points[argument, first + i]
            elif op <= CONSTANT:
                top += 1
                number = literals[argument] if op == NUMBER else theta[argument]
                owns[top] = 0 if op == NUMBER else 1 << argument
                for i in range(size):
                    stack[top, 0, i] = number
                if op == CONSTANT:
                    for i in range(size):
                        stack[top, 1 + argument, i] = 1.0
            elif op == ADD:
                top -= 1
                for i in range(size):
                    stack[top, 0, i] += stack[top + 1, 0, i]
                for q in range(number_of_constants):
                    if owns[top + 1] >> q & 1:
                        for i in range(size):
                            stack[top, 1 + q, i] = stack[top + 1, 1 + q, i]
                owns[top] |= owns[top + 1]
            elif op == MULTIPLY:
                top -= 1
                for q in range(number_of_constants):
                    if owns[top] >> q & 1:
                        for i in range(size):
                            stack[top, 1 + q, i] *= stack[top + 1, 0, i]
                    elif owns[top + 1] >> q & 1:
                        for i in range(size):
                            stack[top, 1 + q, i] = stack[top + 1, 1 + q, i] * stack[top, 0, i]
                for i in range(size):
                    stack[top, 0, i] *= stack[top + 1, 0, i]
                owns[top] |= owns[top + 1]
            elif op == POWER:
                top -= 1
                for i in range(size):
                    scratch[i] = stack[top, 0, i] ** stack[top + 1, 0, i]
                for q in range(number_of_constants):
                    if owns[top] >> q & 1:
                        for i in range(size):
                            slope = stack[top + 1, 0, i] * scratch[i] / stack[top, 0, i]
                            stack[top, 1 + q, i] *= slope
                    elif owns[top + 1] >> q & 1:
                        for i in range(size):
                            slope = scratch[i] * math.log(stack[top, 0, i])
                            stack[top, 1 + q, i] = stack[top + 1, 1 + q, i] * slope
                for i in range(size):
                    stack[top, 0, i] = scratch[i]
                owns[top] |= owns[top + 1]
                failed = not _is_finite(stack, top, size)
            elif op == SHIFT or op == SHIFT_FREE:
                if op == SHIFT_FREE:
                    if starting:
                        theta[argument] *= _magnitude(stack, top, size)
                    owns[top] |= 1 << argument
                    for i in range(size):
                        stack[top, 1 + argument, i] = 1.0
                number = literals[argument] if op == SHIFT else theta[argument]
                for i in range(size):
                    stack[top, 0, i] += number
            elif op == SCALE or op == SCALE_FREE:
                if op == SCALE_FREE and starting:
                    theta[argument] /= _magnitude(stack, top, size)
                number = literals[argument] if op == SCALE else theta[argument]
                for q in range(number_of_constants):
                    if owns[top] >> q & 1:
                        for i in range(size):
                            stack[top, 1 + q, i] *= number
                if op == SCALE_FREE:
                    owns[top] |= 1 << argument
                    for i in range(size):
                        stack[top, 1 + argument, i] = stack[top, 0, i]
                for i in range(size):
                    stack[top, 0, i] *= number
            elif op == COLUMN or op == OFFSET:
                for q in range(number_of_constants):
                    if owns[top] >> q & 1:
                        for i in range(size):
                            tangents[q, first + i] = stack[top, 1 + q, i]
                if op == COLUMN:
                    for i in range(size):
                        columns[argument, first + i] = stack[top, 0, i]
                else:
                    for i in range(size):
                        columns[last, first + i] += stack[top, 0, i]
                failed = not _is_finite(stack, top, size)
                top -= 1
            else:
                number = 0.0
                function = op
                if op == POWER_FREE:
                    number = theta[argument]
                    function = REAL_POWER
                    for i in range(size):
                        stack[top, 1 + argument, i] = math.log(stack[top, 0, i])
                elif op == WHOLE_POWER or op == REAL_POWER:
                    number = literals[argument]
                _function(function, stack[top, 0], slopes, bits, scratch, number, size)
                for q in range(number_of_constants):
                    if owns[top] >> q & 1:
                        for i in range(size):
                            stack[top, 1 + q, i] *= slopes[i]
                if op == POWER_FREE:
                    owns[top] |= 1 << argument
                    for i in range(size):
                        stack[top, 1 + argument, i] *= stack[top, 0, i]
                failed = not _is_finite(stack, top, size)
            if failed:
                return op
        if starting:
            break
    return -1


