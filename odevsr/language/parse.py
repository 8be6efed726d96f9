"""Text to Expression, by a whitelist over Python's syntax tree: names things, runs none."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Collection
from fractions import Fraction
from functools import lru_cache

import numpy as np

from odevsr.errors import ExpressionError, nearest
from odevsr.language.algebra.term import multiplied
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import (
    CONSTANT,
    FUNCTIONS,
    HOLE,
    Apply,
    Expression,
    Number,
    Op,
    Real,
    Variable,
    walk,
)

LONGEST_TEXT = 20_000
DEEPEST_NESTING = 100
LARGEST_EXPONENT = 100
LARGEST_NUMBER = 1e300

_ALLOWED = "numbers, names, + - * / ** and functions of one argument"

_TOKEN = re.compile(
    r"[A-Za-z_]\w*|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])|[-+*/()^ ]", re.ASCII
)
_OPEN_SYMBOLS: dict[str, Expression] = {"C": CONSTANT, "A": HOLE}
_NAMED_NUMBERS: dict[str, Expression] = {"pi": Number(Fraction(repr(math.pi)))}
_NO_NUMBER = "is not a number; write 10, 0.5 or '8/3'"


def parse(text: str, names: Collection[str], *, open_symbols: bool = False) -> Expression:
    """Read infix text over the given variable names.

    `pi` is a number, and with `open_symbols`, `C` is an open constant and `A` a hole, as in the
    paper; a variable of such a name goes first.

    >>> parse("10*(x1 - x0)", ["x0", "x1"]).op
    <Op.MUL: '*'>
    """
    tree = _syntax_tree(text)
    return _convert(tree, text, _leaves(tuple(names), open_symbols), depth=0)


@lru_cache(maxsize=8)
def _leaves(names: tuple[str, ...], open_symbols: bool) -> dict[str, Expression]:
    """What a name stands for; remembered, since the laws of a large system are read one by one."""
    symbols = _NAMED_NUMBERS | (_OPEN_SYMBOLS if open_symbols else {})
    return {**symbols, **{name: Variable(name) for name in names}}


def parse_number(value: object) -> Real:
    """An exact number from what a TOML file, a command line or a caller may give: 0.5 or "8/3".

    >>> parse_number("8/3")
    Fraction(8, 3)
    """
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction | str):
        raise ExpressionError(f"{value!r} {_NO_NUMBER}")
    if isinstance(value, str):
        number = _constant_value(_numbers(value), value)
        return _exact(float(number) if "pi" in value else number, value)
    return _exact(value, repr(value))


def _numbers(text: str) -> Expression:
    """An expression without variables."""
    tree = _syntax_tree(text)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    if names - {*FUNCTIONS, *_NAMED_NUMBERS}:
        raise ExpressionError(f"{_shortened(text)} {_NO_NUMBER}")
    return _convert(tree, text, _NAMED_NUMBERS, depth=0)


def _constant_value(expression: Expression, text: str) -> Real:
    """The exact value of an expression of numbers under multiplication, division and negation."""
    if isinstance(expression, Number):
        return expression.value
    if isinstance(expression, Apply):
        args = [_constant_value(arg, text) for arg in expression.args]
        if expression.op is Op.NEG:
            return -args[0]
        if expression.op is Op.DIV and args[1] != 0:
            return Fraction(args[0]) / Fraction(args[1])
        if expression.op is Op.MUL:
            return math.prod(args)
    raise ExpressionError(f"{_shortened(text)} {_NO_NUMBER}")


def _syntax_tree(text: str) -> ast.expr:
    if len(text) > LONGEST_TEXT:
        raise ExpressionError(
            f"the text has {len(text):,} characters; at most {LONGEST_TEXT:,} are read"
        )
    line = " ".join(text.split())
    if not line:
        raise ExpressionError("the text is empty; write an expression such as 10*(x1 - x0)")
    _check_characters(line)
    try:
        return ast.parse(line.replace("^", "**"), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        deep = isinstance(error, RecursionError | MemoryError) or "too many nested" in str(error)
        what = (
            "is nested too deeply; split it up" if deep else f"is not an expression of {_ALLOWED}"
        )
        raise ExpressionError(f"{_shortened(text)} {what}") from None


def _check_characters(line: str) -> None:
    """Let only names, numbers, operators and parentheses through to Python's parser."""
    position = 0
    while position < len(line):
        token = _TOKEN.match(line, position)
        if token is None:
            raise ExpressionError(
                f"{_shortened(line[position:])} at column {position + 1} cannot be read; "
                f"use {_ALLOWED}"
            )
        position = token.end()


def _convert(node: ast.expr, text: str, leaves: dict[str, Expression], depth: int) -> Expression:
    if depth > DEEPEST_NESTING:
        raise ExpressionError(
            f"{_shortened(text)} is nested more than {DEEPEST_NESTING} levels deep; split it up"
        )
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return Number(_exact(value, text))
        case ast.Name(id=name):
            return _named(name, leaves)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _negative(_convert(operand, text, leaves, depth + 1))
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _convert(operand, text, leaves, depth + 1)
        case ast.BinOp(op=ast.Add() | ast.Sub()):
            return _sum(node, text, leaves, depth)
        case ast.BinOp(op=ast.Mult() | ast.Div()):
            return _product(node, text, leaves, depth)
        case ast.BinOp(left=base, op=ast.Pow(), right=exponent):
            return _power(*(_convert(part, text, leaves, depth + 1) for part in (base, exponent)))
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in FUNCTIONS:
            return Apply(FUNCTIONS[name], (_convert(argument, text, leaves, depth + 1),))
    raise ExpressionError(_refusal(node, text))


def _chain(node: ast.expr, signs: tuple[type[ast.operator], ...]) -> list[tuple[bool, ast.expr]]:
    """The operands of a + b - c, each with whether the second sign stands before it.

    Walked in a loop: a long sum leans to the left in Python's tree, and must not count as deep.
    """
    operands: list[tuple[bool, ast.expr]] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, signs):
        operands.append((isinstance(node.op, signs[1]), node.right))
        node = node.left
    return [(False, node), *reversed(operands)]


def _sum(node: ast.expr, text: str, leaves: dict[str, Expression], depth: int) -> Expression:
    """Two terms make a sum or a difference, more make one flat sum, negated where subtracted."""
    signed = [
        (minus, _convert(operand, text, leaves, depth + 1))
        for minus, operand in _chain(node, (ast.Add, ast.Sub))
    ]
    if len(signed) == 2 and signed[1][0]:
        return Apply(Op.SUB, (signed[0][1], signed[1][1]))
    return Apply(Op.ADD, tuple(_negative(term) if minus else term for minus, term in signed))


def _product(node: ast.expr, text: str, leaves: dict[str, Expression], depth: int) -> Expression:
    """Factors side by side make one flat product; each division encloses what stands before it."""
    operands = _chain(node, (ast.Mult, ast.Div))
    inside = depth + 1 + sum(divides for divides, _ in operands)
    factors: list[Expression] = []
    for divides, operand in operands:
        factor = _convert(operand, text, leaves, inside)
        factors = [Apply(Op.DIV, (multiplied(factors), factor))] if divides else [*factors, factor]
    return multiplied(factors)


def _power(base: Expression, exponent: Expression) -> Expression:
    """A power, unless it is so large that exact arithmetic on it would never end."""
    power = Apply(Op.POW, (base, exponent))
    for part, largest in ((exponent, LARGEST_EXPONENT), (power, LARGEST_NUMBER)):
        if _is_constant(part) and not abs(_float_value(part)) <= largest:
            raise ExpressionError(
                f"there is a power above {LARGEST_EXPONENT} or without a finite value; "
                "write a smaller one"
            )
    return power


def _is_constant(expression: Expression) -> bool:
    return all(isinstance(node, Number | Apply) for node in walk(expression))


def _float_value(expression: Expression) -> float:
    return float(compile_field([expression], ())(np.empty(0))[0])


def _named(name: str, leaves: dict[str, Expression]) -> Expression:
    if name in leaves:
        return leaves[name]
    if name in FUNCTIONS:
        raise ExpressionError(f"{name} is a function and needs an argument: {name}(...)")
    raise ExpressionError(f"unknown symbol {_shortened(name)}; {nearest(name, leaves)}")


def _negative(operand: Expression) -> Expression:
    if isinstance(operand, Number):
        return Number(-operand.value)
    return Apply(Op.NEG, (operand,))


def _exact(value: Real, text: str) -> Real:
    """The number as typed: 0.1 is one tenth, not the nearest double."""
    if not -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
        raise ExpressionError(
            f"{_shortened(text)} holds a number that is not finite or above 1e300"
        )
    exact = Fraction(repr(float(value))) if isinstance(value, float) else Fraction(value)
    return exact.numerator if exact.denominator == 1 else exact


def _refusal(node: ast.expr, text: str) -> str:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        name, known = _shortened(node.func.id), ", ".join(FUNCTIONS)
        return f"{name} is not a function of one argument known here; known: {known}"
    return f"{_shortened(text)} is more than {_ALLOWED}; write it with these"


def _shortened(text: str) -> str:
    text = " ".join(text.split())
    return repr(text if len(text) <= 60 else text[:57] + "...")
