"""Laws to a tape of scalar operations, whose slopes by every variable and constant are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from odevsr.arrays import FloatArray, IntArray
from odevsr.fitting import codes
from odevsr.language.expression import Apply, Constant, Expression, Number, Op, Variable

_BINARY = {Op.ADD: codes.ADD, Op.MUL: codes.MULTIPLY, Op.POW: codes.POWER}
_UNARY = {
    op: getattr(codes, op.name)
    for op in (
        Op.SQRT, Op.SIN, Op.COS, Op.TAN, Op.COT, Op.SINH, Op.COSH, Op.TANH,
        Op.ASIN, Op.ACOS, Op.ATAN, Op.EXP, Op.LOG, Op.ABS,
    )
}  # fmt: skip
MOST_MULTIPLIED = 6
"""Whole powers up to this one are products."""


@dataclass(frozen=True, eq=False)
class Tape:
    """Operations (K, 3) on slots, and the slots (m,) in which the values of the laws end.

    The first slots hold the variables, the next the open constants, the next `numbers`; operation k
    fills the slot behind these and those of the operations before it.
    """

    steps: IntArray
    numbers: FloatArray
    outputs: IntArray
    variables: int
    constants: int


def record_tape(laws: Sequence[Expression], names: Sequence[str]) -> Tape:
    """The tape of laws over the named variables; constants are numbered through, in preorder."""
    writer = _Writer({name: index for index, name in enumerate(names)})
    found = [writer.place(law) for law in laws]
    numbers = list(writer.numbers)
    first = {"variable": 0, "constant": len(names), "number": len(names) + writer.constants}
    first["step"] = first["number"] + len(numbers)

    def slot(place: tuple[str, int]) -> int:
        return first[place[0]] + place[1]

    steps = [(op, slot(left), slot(right)) for op, left, right in writer.steps]
    return Tape(
        steps=np.array(steps, dtype=np.int64).reshape(-1, 3),
        numbers=np.array(numbers, dtype=np.float64),
        outputs=np.array([slot(place) for place in found], dtype=np.int64),
        variables=len(names),
        constants=writer.constants,
    )


_Place = tuple[str, int]


class _Writer:
    """Writes each distinct operation once."""

    def __init__(self, columns: dict[str, int]) -> None:
        self.constants = 0
        self.numbers: dict[float, int] = {}
        self.steps: dict[tuple[int, _Place, _Place], int] = {}
        self._columns = columns

    def place(self, node: Expression) -> _Place:
        match node:
            case Variable(name):
                return "variable", self._columns[name]
            case Constant():
                self.constants += 1
                return "constant", self.constants - 1
            case Number(value):
                return "number", self.numbers.setdefault(float(value), len(self.numbers))
            case Apply(Op.NEG, (argument,)):
                return self._step(codes.MULTIPLY, self.place(Number(-1)), self.place(argument))
            case Apply(Op.SUB, (left, right)):
                first = self.place(left)
                return self._step(codes.ADD, first, self.place(Apply(Op.NEG, (right,))))
            case Apply(Op.DIV, (above, below)):
                first = self.place(above)
                return self._step(codes.MULTIPLY, first, self._power(self.place(below), -1.0))
            case Apply(Op.POW, (base, Number(value))):
                return self._power(self.place(base), float(value))
            case Apply(op, args) if op in _BINARY:
                place = self.place(args[0])
                for arg in args[1:]:
                    place = self._step(_BINARY[op], place, self.place(arg))
                return place
            case Apply(op, (argument,)):
                inside = self.place(argument)
                return self._step(_UNARY[op], inside, inside)
        raise ValueError(f"a hole has no value: {node!r}")

    def _power(self, base: _Place, exponent: float) -> _Place:
        if exponent == int(exponent) and 1 <= exponent <= MOST_MULTIPLIED:
            place = base
            for _ in range(int(exponent) - 1):
                place = self._step(codes.MULTIPLY, place, base)
            return place
        whole = exponent == int(exponent)
        number = self.place(Number(exponent))
        return self._step(codes.WHOLE_POWER if whole else codes.REAL_POWER, base, number)

    def _step(self, op: int, left: _Place, right: _Place) -> _Place:
        return "step", self.steps.setdefault((op, left, right), len(self.steps))
