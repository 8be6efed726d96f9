"""Expressions to sympy, node by node: no text is ever evaluated. sympy is imported when needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from odevsr.errors import ExpressionError
from odevsr.language.expression import Apply, Constant, Expression, Number, Op, Real, Variable

if TYPE_CHECKING:
    from sympy import Expr

_SYMPY_NAMES = {Op.ABS: "Abs"}


def to_sympy(expression: Expression) -> Expr:
    """The expression over real symbols; each open constant becomes a dummy symbol of its own.

    >>> from odevsr.language.parse import parse
    >>> to_sympy(parse("sin(x)^2 + 1/2", ["x"]))
    sin(x)**2 + 1/2
    """
    import sympy

    match expression:
        case Number(value):
            return _number_to_sympy(value)
        case Variable(name):
            return sympy.Symbol(name, real=True)
        case Constant():
            return sympy.Dummy("C", real=True)
        case Apply(op, args):
            return _applied(op, [to_sympy(arg) for arg in args])
    raise ExpressionError("an expression with a hole is no sympy expression; fill the hole first")


def _number_to_sympy(value: Real) -> Expr:
    import sympy

    if isinstance(value, float):
        return sympy.Float(value)
    return sympy.Rational(value.numerator, value.denominator)


def _applied(op: Op, args: list[Expr]) -> Expr:
    import sympy

    match op:
        case Op.ADD:
            return sympy.Add(*args)
        case Op.MUL:
            return sympy.Mul(*args)
        case Op.SUB:
            return sympy.Add(args[0], sympy.Mul(-1, args[1]))
        case Op.DIV:
            return sympy.Mul(args[0], sympy.Pow(args[1], -1))
        case Op.POW:
            return sympy.Pow(*args)
        case Op.NEG:
            return sympy.Mul(-1, args[0])
    return getattr(sympy, _SYMPY_NAMES.get(op, op.value))(*args)
