"""Expressions to a numpy function: a tape of array operations, common parts computed once.

A single state, as solvers ask for it, goes through the same tape in Python's own numbers, which is
ten times as fast; where these raise an error, numpy's say what the value is.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.expression import (
    Apply,
    Constant,
    Expression,
    Number,
    Op,
    Variable,
    count,
    rebuild,
)

Field = Callable[[FloatArray], FloatArray]
OpenField = Callable[[FloatArray, FloatArray], FloatArray]
"""The same of states and the values (p,) of open constants."""


def _cot(argument: FloatArray) -> FloatArray:
    return 1.0 / np.tan(argument)


_NUMPY: dict[Op, Callable[..., FloatArray]] = {
    Op.ADD: np.add,
    Op.SUB: np.subtract,
    Op.MUL: np.multiply,
    Op.DIV: np.divide,
    Op.POW: np.power,
    Op.NEG: np.negative,
    Op.SIN: np.sin,
    Op.COS: np.cos,
    Op.TAN: np.tan,
    Op.COT: _cot,
    Op.SINH: np.sinh,
    Op.COSH: np.cosh,
    Op.TANH: np.tanh,
    Op.ASIN: np.arcsin,
    Op.ACOS: np.arccos,
    Op.ATAN: np.arctan,
    Op.EXP: np.exp,
    Op.LOG: np.log,
    Op.SQRT: np.sqrt,
    Op.ABS: np.abs,
}
_PYTHON: dict[Callable[..., FloatArray], Callable[..., float]] = {
    np.add: operator.add,
    np.subtract: operator.sub,
    np.multiply: operator.mul,
    np.divide: operator.truediv,
    np.power: math.pow,
    np.negative: operator.neg,
    np.sin: math.sin,
    np.cos: math.cos,
    np.tan: math.tan,
    _cot: lambda argument: 1.0 / math.tan(argument),
    np.sinh: math.sinh,
    np.cosh: math.cosh,
    np.tanh: math.tanh,
    np.arcsin: math.asin,
    np.arccos: math.acos,
    np.arctan: math.atan,
    np.exp: math.exp,
    np.log: math.log,
    np.sqrt: math.sqrt,
    np.abs: abs,
}


def compile_field(expressions: Sequence[Expression], names: Sequence[str]) -> Field:
    """A function from states (..., n) to values (..., len(expressions)), vectorised.

    Outside an operator's domain values are nan or inf, silently; callers test for finiteness.
    """
    tape = _Tape(names)
    outputs = [tape.slot(expression) for expression in expressions]
    steps, numbers, width = tuple(_unrolled(tape)), tuple(tape.numbers), len(tape.slots)
    single = _single(tape, outputs)

    def field(states: FloatArray) -> FloatArray:
        if states.ndim == 1:
            try:
                return np.array(single(states), dtype=np.float64)
            except (ArithmeticError, ValueError):
                pass  # outside a domain, or an overflow
        values: list[FloatArray] = [np.empty(0)] * width
        for slot, column in tape.columns:
            values[slot] = states[..., column]
        for slot, number in numbers:
            values[slot] = number
        with np.errstate(all="ignore"):
            for slot, function, first, second in steps:
                if second is None:
                    values[slot] = function(values[first])
                else:
                    values[slot] = function(values[first], values[second])
        result = np.empty((*states.shape[:-1], len(outputs)))
        for index, slot in enumerate(outputs):
            result[..., index] = values[slot]
        return result

    return field


def _unrolled(
    tape: _Tape,
) -> list[tuple[int, Callable[..., FloatArray], int, int | None]]:
    """Steps with their one or two arguments, which are quicker to take singly than as a list."""
    return [
        (slot, function, args[0], args[1] if len(args) > 1 else None)
        for slot, function, args in tape.steps
    ]


def compile_open(expressions: Sequence[Expression], names: Sequence[str]) -> OpenField:
    """A function of states and constants; each expression's open ones are the first of these.

    >>> from odevsr.language.parse import parse
    >>> forms = [parse(each, ["x"], open_symbols=True) for each in ("C*x + C", "C^2")]
    >>> compile_open(forms, ["x"])(np.array([[1.0], [2.0]]), np.array([3.0, 0.5])).tolist()
    [[3.5, 9.0], [6.5, 9.0]]
    """
    places = [f"#{k}" for k in range(max(count(each, Constant) for each in expressions))]
    labelled = [rebuild(each, iter(map(Variable, places)), Constant) for each in expressions]
    field = compile_field(labelled, [*names, *places])

    def open_field(states: FloatArray, constants: FloatArray) -> FloatArray:
        beside = np.broadcast_to(constants, (*states.shape[:-1], len(constants)))
        return field(np.concatenate([states, beside], axis=-1))

    return open_field


def at_constants(field: OpenField, constants: Sequence[float] | FloatArray) -> Field:
    """The function of states alone that it is at these constants."""
    values = np.asarray(constants)
    return lambda states: field(states, values)


def _single(tape: _Tape, outputs: Sequence[int]) -> Callable[[FloatArray], list[float]]:
    """The values at one state (n,); an error where a step has none."""
    steps = [
        (slot, _PYTHON[function], first, second)
        for slot, function, first, second in _unrolled(tape)
    ]
    blank = [0.0] * len(tape.slots)
    for slot, number in tape.numbers:
        blank[slot] = float(number)

    def values_at(state: FloatArray) -> list[float]:
        values, entries = blank.copy(), state.tolist()
        for slot, column in tape.columns:
            values[slot] = entries[column]
        for slot, function, first, second in steps:
            if second is None:
                values[slot] = function(values[first])
            else:
                values[slot] = function(values[first], values[second])
        return [values[slot] for slot in outputs]

    return values_at


class _Tape:
    """Collects each distinct sub-expression once, in an order in which it can be computed."""

    def __init__(self, names: Sequence[str]) -> None:
        self.slots: dict[object, int] = {}
        self.columns: list[tuple[int, int]] = []
        self.numbers: list[tuple[int, FloatArray]] = []
        self.steps: list[tuple[int, Callable[..., FloatArray], tuple[int, ...]]] = []
        self._column = {name: index for index, name in enumerate(names)}

    def slot(self, expression: Expression) -> int:
        match expression:
            case Number(value):
                return self._new(
                    expression, lambda s: self.numbers.append((s, np.array(float(value))))
                )
            case Variable(name):
                column = self._column[name]
                return self._new(expression, lambda s: self.columns.append((s, column)))
            case Apply(Op.POW, (base, Number(value))) if value in (2, 3, 4):
                return self._fold(Op.MUL, (self.slot(base),) * int(value))
            case Apply(op, args):
                return self._fold(op, tuple(self.slot(arg) for arg in args))
        raise ValueError(f"open constants and holes have no value: {expression!r}")

    def _fold(self, op: Op, args: tuple[int, ...]) -> int:
        """Sums and products of many arguments become chains of two."""
        slot = self._operation(_NUMPY[op], args[: op.arity])
        for arg in args[op.arity :]:
            slot = self._operation(_NUMPY[op], (slot, arg))
        return slot

    def _operation(self, function: Callable[..., FloatArray], args: tuple[int, ...]) -> int:
        return self._new((function, args), lambda slot: self.steps.append((slot, function, args)))

    def _new(self, key: object, record: Callable[[int], None]) -> int:
        if key not in self.slots:
            self.slots[key] = len(self.slots)
            record(self.slots[key])
        return self.slots[key]
