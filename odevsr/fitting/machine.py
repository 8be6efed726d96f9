"""The compiled stack machine: values of a program and their tangents, over blocks of points.

stack[slot, 0] holds a slot's values at a block of points, stack[slot, 1 + q] their derivatives with
respect to nonlinear constant q. Bit q of owns[slot] says whether the slot depends on that constant.
Each constant occurs once in a program, so the tangents of two operands never meet.
"""

import math

import numpy as np
from numba import boolean, float64, int64, void

from odevsr.fitting.codes import (
    ADD,
    COLUMN,
    CONSTANT,
    MULTIPLY,
    NUMBER,
    POWER,
    POWER_FREE,
    REAL_POWER,
    SCALE,
    SCALE_FREE,
    SHIFT,
    SHIFT_FREE,
    VARIABLE,
    WHOLE_POWER,
)  # fmt: skip
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
    inner,
    kernel,
    whole,
)
from odevsr.fitting.functions import SCRATCH, SLOPES, apply_function, scalar_function
from odevsr.fitting.starts import NEAR
from odevsr.fitting.trials import BLOCK

FINITE = -1
"""Returned by `run` when every value is finite."""
_EMPTY, _ANY_POWER = whole(-1), whole(REAL_POWER)

RUN_SIGNATURE = int64(
    WHOLE_MATRIX, VECTOR, VECTOR, MATRIX, CUBE, WHOLE_CUBE, WHOLES, MATRIX, MATRIX, int64
)


@inner(void(CUBE, int64, int64, int64, int64, int64))
def _carry(stack: Cube, owned: int, source: int, target: int, factor: int, size: int) -> None:
    """Tangents of `target` <- those of `source`, for its own constants, times the slot `factor`."""
    for q in range(1, stack.shape[1]):
        if owned >> (q - 1) & 1:
            for i in range(size):
                stack[target, q, i] = stack[source, q, i] * stack[factor, 0, i]


@inner(void(int64, CUBE, WHOLES, int64, int64))
def _binary(op: int, stack: Cube, owns: Whole, top: int, size: int) -> None:
    """Slot top <- slot top op slot top + 1."""
    right = top + 1
    if op == ADD:
        for q in range(1, stack.shape[1]):
            if owns[right] >> (q - 1) & 1:
                for i in range(size):
                    stack[top, q, i] = stack[right, q, i]
        for i in range(size):
            stack[top, 0, i] += stack[right, 0, i]
    elif op == MULTIPLY:
        _carry(stack, owns[top], top, top, right, size)
        _carry(stack, owns[right], right, top, top, size)
        for i in range(size):
            stack[top, 0, i] *= stack[right, 0, i]
    else:
        for i in range(size):
            stack[SCRATCH, 0, i] = stack[top, 0, i] ** stack[right, 0, i]
            stack[SLOPES, 0, i] = stack[right, 0, i] * stack[SCRATCH, 0, i] / stack[top, 0, i]
        _carry(stack, owns[top], top, top, SLOPES, size)
        for i in range(size):
            stack[SLOPES, 0, i] = stack[SCRATCH, 0, i] * math.log(stack[top, 0, i])
        _carry(stack, owns[right], right, top, SLOPES, size)
        for i in range(size):
            stack[top, 0, i] = stack[SCRATCH, 0, i]
    owns[top] |= owns[right]


@inner(void(int64, CUBE, WHOLE_CUBE, int64, int64, float64, int64))
def _unary(
    op: int, stack: Cube, bits: Whole, owned: int, top: int, number: float, size: int
) -> None:
    """Slot top <- shift, multiple, power or function of it; SCRATCH keeps what a constant met."""
    if op in (SHIFT, SHIFT_FREE):
        for i in range(size):
            stack[top, 0, i] += number
    elif op in (SCALE, SCALE_FREE):
        for i in range(size):
            stack[SLOPES, 0, i] = number
            stack[SCRATCH, 0, i] = stack[top, 0, i]
            stack[top, 0, i] *= number
        _carry(stack, owned, top, top, SLOPES, size)
    elif op == POWER_FREE:
        for i in range(size):
            stack[SCRATCH, 0, i] = math.log(stack[top, 0, i])
            scalar_function(_ANY_POWER, stack, top, i, number)
        _carry(stack, owned, top, top, SLOPES, size)
    else:
        apply_function(op, stack, bits, top, number, size)
        _carry(stack, owned, top, top, SLOPES, size)


@inner(void(int64, CUBE, int64, int64, int64))
def _own_tangent(op: int, stack: Cube, top: int, argument: int, size: int) -> None:
    """The derivative of slot top with respect to the constant that just entered it."""
    for i in range(size):
        tangent = 1.0
        if op == SCALE_FREE:
            tangent = stack[SCRATCH, 0, i]
        elif op == POWER_FREE:
            tangent = stack[SCRATCH, 0, i] * stack[top, 0, i]
        stack[top, 1 + argument, i] = tangent


@inner(float64(int64, CUBE, int64, float64, int64, int64))
def _start_value(
    op: int, stack: Cube, top: int, multiplier: float, anchor: int, size: int
) -> float:
    """A start value in the scale of what the constant is added to or multiplied with."""
    if op != SHIFT_FREE and op != SCALE_FREE:
        return multiplier
    total = 0.0
    for i in range(size):
        total += stack[top, 0, i] * stack[top, 0, i]
    scale = math.sqrt(total / size) + 1e-12
    if op == SCALE_FREE:
        return multiplier / scale
    near = stack[top, 0, min(anchor, size - 1)] if abs(multiplier) < NEAR else 0.0
    return multiplier * scale - near


@inner(void(CUBE, int64, int64, MATRIX, int64, MATRIX, int64, int64))
def _pop(
    stack: Cube,
    owned: int,
    top: int,
    columns: Matrix,
    row: int,
    tangents: Matrix,
    first: int,
    size: int,
) -> None:
    """Add slot top to a row of columns, and take its tangents out."""
    for q in range(tangents.shape[0]):
        if owned >> q & 1:
            for i in range(size):
                tangents[q, first + i] = stack[top, 1 + q, i]
    for i in range(size):
        columns[row, first + i] += stack[top, 0, i]


@inner(boolean(CUBE, int64, int64))
def _is_finite(stack: Cube, slot: int, size: int) -> bool:
    total = 0.0
    for i in range(size):
        total += abs(stack[slot, 0, i])
    return total < np.inf


@kernel(RUN_SIGNATURE)
def run(  # noqa: C901 - the interpreter's loop
    code: Whole, literals: Vector, theta: Vector, points: Matrix, stack: Cube, bits: Whole,
    owns: Whole, columns: Matrix, tangents: Matrix, start: int,
) -> int:  # fmt: skip
    """Run a program on points (n, N): fill columns (m + 1, N) and tangents (p, N).

    The last column is what has no linear constant; `bits` is the stack as whole numbers.
    With `start` > 0, only values at the first block are computed; theta comes as multipliers and
    leaves as start values, point `start` - 1 the anchor. Returns FINITE, or the operation whose
    result is not finite.
    """
    for first in range(0, points.shape[1] if start == 0 else 1, BLOCK):
        size = min(BLOCK, points.shape[1] - first)
        for row in range(columns.shape[0]):
            for i in range(first, first + size):
                columns[row, i] = 0.0
        top = _EMPTY
        for position in range(code.shape[0]):
            op: int = code[position, 0]
            argument: int = code[position, 1]
            number, own = 0.0, 0
            if op == CONSTANT or SHIFT_FREE <= op <= POWER_FREE:
                if start > 0:
                    theta[argument] = _start_value(op, stack, top, theta[argument], start - 1, size)
                else:
                    own = 1 << argument
                number = theta[argument]
            elif op in (NUMBER, SHIFT, SCALE) or WHOLE_POWER <= op <= REAL_POWER:
                number = literals[argument]
            if op <= CONSTANT:
                top += 1
                owns[top] = 0
                for i in range(size):
                    stack[top, 0, i] = points[argument, first + i] if op == VARIABLE else number
            elif op <= POWER:
                top -= 1
                _binary(op, stack, owns, top, size)
            elif op < COLUMN:
                _unary(op, stack, bits, owns[top], top, number, size)
            else:
                row = argument if op == COLUMN else columns.shape[0] - 1
                _pop(stack, owns[top], top, columns, row, tangents, first, size)
            if own > 0:
                owns[top] |= own
                _own_tangent(op, stack, top, argument, size)
            if (op >= POWER_FREE or op == POWER) and not _is_finite(stack, top, size):
                return op
            if op >= COLUMN:
                top -= 1
    return FINITE
