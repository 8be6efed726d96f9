"""Normal forms to programs for the stack machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from odevsr.arrays import FloatArray, IntArray
from odevsr.fitting import codes
from odevsr.language.algebra.term import split_coefficient, terms
from odevsr.language.expression import Apply, Constant, Expression, Number, Op, Real, Variable
from odevsr.language.text import to_text

MOST_CONSTANTS = 20
MOST_SLOTS = 16
_FUNCTIONS = {
    Op.SQRT: codes.SQRT,
    Op.SIN: codes.SIN,
    Op.COS: codes.COS,
    Op.TAN: codes.TAN,
    Op.COT: codes.COT,
    Op.SINH: codes.SINH,
    Op.COSH: codes.COSH,
    Op.TANH: codes.TANH,
    Op.ASIN: codes.ASIN,
    Op.ACOS: codes.ACOS,
    Op.ATAN: codes.ATAN,
    Op.EXP: codes.EXP,
    Op.LOG: codes.LOG,
    Op.ABS: codes.ABS,
}


@dataclass(frozen=True, eq=False)
class Program:
    """Postfix code of one normal form.

    `literals` are its numbers. Constants are numbered linear ones first; `owner[q]` is the column
    in which nonlinear constant q stands (-1: the offset), `preorder[k]` the number of the k-th
    constant of the expression in preorder.
    """

    code: IntArray
    literals: FloatArray
    columns: int
    owner: tuple[int, ...]
    preorder: tuple[int, ...]

    @property
    def constants(self) -> int:
        """Number of open constants, linear and nonlinear."""
        return self.columns + len(self.owner)


class TooLargeError(Exception):
    """The expression needs more constants or stack slots than the machine has."""


def compile_program(expression: Expression, names: Sequence[str]) -> Program:
    """The program of a normal form over variables in the order of `names`."""
    writer = _Writer({name: index for index, name in enumerate(names)})
    for term in terms(expression):
        writer.write_term(term)
    linear = sum(kind == "linear" for kind, _ in writer.order)
    preorder = [index if kind == "linear" else linear + index for kind, index in writer.order]
    if len(preorder) > MOST_CONSTANTS or writer.deepest > MOST_SLOTS:
        raise TooLargeError
    return Program(
        code=np.array(writer.code, dtype=np.int64).reshape(-1, 2),
        literals=np.array(writer.literals, dtype=np.float64),
        columns=linear,
        owner=tuple(writer.owner),
        preorder=tuple(preorder),
    )


class _Writer:
    """Emits instructions term by term; a constant operand is fused into what uses it."""

    def __init__(self, columns: Mapping[str, int]) -> None:
        self.code: list[tuple[int, int]] = []
        self.literals: list[float] = []
        self.owner: list[int] = []
        self.order: list[tuple[str, int]] = []
        self.deepest = 0
        self._variables = columns
        self._depth = 0
        self._linear = 0
        self._owner = -1

    def write_term(self, term: Expression) -> None:
        coefficient, rest = split_coefficient(term)
        if isinstance(coefficient, Constant):
            self.order.append(("linear", self._linear))
            self._owner = self._linear
            self._write(rest)
            self._emit(codes.COLUMN, self._linear, -1)
            self._linear += 1
        else:
            self._owner = -1
            self._write(term)
            self._emit(codes.OFFSET, 0, -1)

    def _write(self, node: Expression) -> None:
        match node:
            case Number(value):
                self._emit(codes.NUMBER, self._literal(value), 1)
            case Variable(name):
                self._emit(codes.VARIABLE, self._variables[name], 1)
            case Constant():
                self._emit(codes.CONSTANT, self._constant(), 1)
            case Apply(Op.POW, (base, Number(value))):
                self._write(base)
                whole = value == int(value) and -64 <= value <= 64
                self._emit(codes.WHOLE_POWER if whole else codes.REAL_POWER, self._literal(value))
            case Apply(Op.POW, (base, Constant())):
                self._write(base)
                self._emit(codes.POWER_FREE, self._constant())
            case Apply(Op.POW, (base, exponent)):
                self._write(base)
                self._write(exponent)
                self._emit(codes.POWER, 0, -1)
            case Apply(Op.ADD, args):
                self._fold(args, codes.ADD, codes.SHIFT, codes.SHIFT_FREE)
            case Apply(Op.MUL, args):
                self._fold(args, codes.MULTIPLY, codes.SCALE, codes.SCALE_FREE)
            case Apply(op, (argument,)) if op in _FUNCTIONS:
                self._write(argument)
                self._emit(_FUNCTIONS[op], 0)
            case _:
                raise ValueError(f"{to_text(node)} is not in normal form")

    def _fold(self, args: Sequence[Expression], plain: int, known: int, free: int) -> None:
        """A chain of two-argument operations; numbers and constants come last, fused."""
        fused: list[tuple[int, int]] = []
        operands = 0
        for arg in args:
            match arg:
                case Number(value):
                    fused.append((known, self._literal(value)))
                case Constant():
                    fused.append((free, self._constant()))
                case _:
                    self._write(arg)
                    operands += 1
                    if operands > 1:
                        self._emit(plain, 0, -1)
        for op, argument in fused:
            self._emit(op, argument)

    def _constant(self) -> int:
        """The number of the next nonlinear constant, in preorder of its expression."""
        self.order.append(("nonlinear", len(self.owner)))
        self.owner.append(self._owner)
        return len(self.owner) - 1

    def _literal(self, value: Real) -> int:
        self.literals.append(float(value))
        return len(self.literals) - 1

    def _emit(self, op: int, argument: int, change: int = 0) -> None:
        self.code.append((op, argument))
        self._depth += change
        self.deepest = max(self.deepest, self._depth)
