"""Expression to infix text that any tool can read: `**` for powers, numbers in full precision."""

from __future__ import annotations

from collections.abc import Sequence

from odevsr.language.algebra.term import split_fraction
from odevsr.language.expression import Apply, Constant, Expression, Hole, Number, Op, Real, Variable
from odevsr.language.number import number_text

_SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(1, 6)


def to_text(expression: Expression) -> str:
    """Infix text; `parse` reads it back to an expression of the same value.

    >>> from odevsr.language.parse import parse
    >>> to_text(parse("x0*(28 - x2) - x1", ["x0", "x1", "x2"]))
    'x0*(28 - x2) - x1'
    """
    return _written(expression)[0]


def _written(expression: Expression) -> tuple[str, int]:
    """The text and how tightly its outermost operator binds."""
    match expression:
        case Number(value):
            return _number_written(value)
        case Variable(name):
            return name, _ATOM
        case Constant():
            return "C", _ATOM
        case Hole():
            return "A", _ATOM
        case Apply():
            return _operation_written(expression)
    raise AssertionError(expression)


def _operation_written(operation: Apply) -> tuple[str, int]:
    match operation:
        case Apply(Op.ADD, args):
            return _sum_text(args), _SUM
        case Apply(Op.MUL, (Number(-1), argument)) | Apply(Op.NEG, (argument,)):
            return _negative_written(argument)
        case Apply(Op.MUL, (Number(-1), *rest)):
            return _negative_written(Apply(Op.MUL, tuple(rest)))
        case Apply(Op.MUL, args):
            return _product_text(args), _PRODUCT
        case Apply(Op.POW, (_, Number(value))) if value < 0:
            return _product_text((operation,)), _PRODUCT
        case Apply(Op.POW, (base, exponent)):
            return f"{_bracketed(base, _ATOM)}**{_bracketed(exponent, _ATOM)}", _POWER
        case Apply(Op.SUB, (left, right)):
            return f"{_bracketed(left, _SUM)} - {_bracketed(right, _PRODUCT)}", _SUM
        case Apply(Op.DIV, (left, right)):
            return f"{_bracketed(left, _PRODUCT)}/{_bracketed(right, _SIGN)}", _PRODUCT
        case Apply(op, (argument,)):
            return f"{op.value}({to_text(argument)})", _ATOM
    raise AssertionError(operation)


def _product_text(factors: Sequence[Expression]) -> str:
    """Factors of negative power are written behind the fraction bar."""
    above, below = split_fraction(factors)
    first = _bracketed(above[0], _PRODUCT) if above else "1"
    text = "*".join([first, *(_bracketed(factor, _POWER) for factor in above[1:])])
    return "/".join([text, *(_bracketed(factor, _POWER) for factor in below)])


def _number_written(value: Real) -> tuple[str, int]:
    text = number_text(value)
    if "/" in text:
        return text, _PRODUCT
    return text, _SIGN if text.startswith("-") else _ATOM


def _negative_written(argument: Expression) -> tuple[str, int]:
    """The sign stands before the first factor of a product, where it needs no brackets."""
    text, level = _written(argument)
    if level == _PRODUCT and not text.startswith("-"):
        return f"-{text}", _PRODUCT
    return f"-{text if level >= _POWER else f'({text})'}", _SIGN


def _sum_text(args: tuple[Expression, ...]) -> str:
    text = _bracketed(args[0], _SUM)
    for arg in args[1:]:
        term = _bracketed(arg, _PRODUCT)
        text += f" - {term[1:]}" if term.startswith("-") else f" + {term}"
    return text


def _bracketed(expression: Expression, least: int) -> str:
    text, level = _written(expression)
    return text if level >= least else f"({text})"
