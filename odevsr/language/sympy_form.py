"""Expressions to sympy and back, and the simplest of several writings of a final law.

Trees are converted node by node; no text is ever evaluated. sympy is imported when it is needed.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from odevsr.errors import ExpressionError
from odevsr.language.expression import (
    CONSTANT,
    FUNCTIONS,
    Apply,
    Constant,
    Expression,
    Number,
    Op,
    Real,
    Variable,
    complexity,
)
from odevsr.language.normal import is_invalid, normal_form

if TYPE_CHECKING:
    from sympy import Expr

LARGEST_COMPLEXITY = 80
"""Expressions above this are left in normal form: rewriting them could take minutes."""
LONGEST_FRACTION = 10**6
"""A fraction with a larger denominator came from a float and goes back to one."""
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


def from_sympy(expression: Expr) -> Expression:
    """The tree of a sympy expression; dummy symbols become open constants, symbols variables."""
    import sympy

    match expression:
        case sympy.Rational():
            return Number(_as_typed(Fraction(int(expression.p), int(expression.q))))
        case sympy.Float() | sympy.NumberSymbol():
            return Number(float(expression))
        case sympy.Dummy():
            return CONSTANT
        case sympy.Symbol():
            return Variable(expression.name)
        case sympy.Add():
            return Apply(Op.ADD, tuple(from_sympy(arg) for arg in expression.args))
        case sympy.Mul():
            return Apply(Op.MUL, tuple(from_sympy(arg) for arg in expression.args))
        case sympy.Pow():
            return Apply(Op.POW, (from_sympy(expression.base), from_sympy(expression.exp)))
        case sympy.Function() if expression.func.__name__.lower() in FUNCTIONS:
            op = FUNCTIONS[expression.func.__name__.lower()]
            return Apply(op, (from_sympy(expression.args[0]),))
    raise ExpressionError(f"{expression} is not in our language; use {', '.join(FUNCTIONS)}")


def _as_typed(value: Fraction) -> Real:
    if value.denominator > LONGEST_FRACTION:
        return float(value)
    return value.numerator if value.denominator == 1 else value


def final_form(expression: Expression) -> Expression:
    """The simplest of the writings of an expression without open constants that sympy knows.

    The normal form itself, multiplied out, brought to one fraction, or with sines and cosines
    gathered; floats are treated as the exact numbers they are.
    """
    import sympy

    normal = normal_form(expression)
    if is_invalid(normal) or complexity(normal) > LARGEST_COMPLEXITY:
        return normal
    exact = to_sympy(_with_exact_numbers(normal))
    writings = [normal]
    for rewrite in (sympy.expand, sympy.cancel, sympy.trigsimp):
        try:
            writings.append(normal_form(from_sympy(rewrite(exact))))
        except (ExpressionError, sympy.PolynomialError, NotImplementedError):
            continue  # sympy has no such writing of it, or only one outside our language
    return min((each for each in writings if not is_invalid(each)), key=complexity)


def _with_exact_numbers(expression: Expression) -> Expression:
    if isinstance(expression, Number):
        return Number(Fraction(expression.value))
    if isinstance(expression, Apply):
        return Apply(expression.op, tuple(_with_exact_numbers(arg) for arg in expression.args))
    return expression
