"""Text to Expression, by a whitelist over Python's syntax tree: a text can name things, never run them."""

from __future__ import annotations

import ast
from collections.abc import Collection
from fractions import Fraction

from odevsr.errors import ExpressionError
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
)

LONGEST_TEXT = 20_000
DEEPEST_NESTING = 100
LARGEST_EXPONENT = 100

_BINARY = {
    ast.Add: Op.ADD,
    ast.Sub: Op.SUB,
    ast.Mult: Op.MUL,
    ast.Div: Op.DIV,
    ast.Pow: Op.POW,
}
_OPEN_SYMBOLS: dict[str, Expression] = {"C": CONSTANT, "A": HOLE}


def parse(text: str, names: Collection[str], *, open_symbols: bool = False) -> Expression:
    """Read infix text over the given variable names.

    With `open_symbols`, `C` is an open constant and `A` a hole, as in the paper.

    >>> parse("10*(x1 - x0)", ["x0", "x1"]).op
    <Op.MUL: '*'>
    """
    tree = _syntax_tree(text)
    leaves: dict[str, Expression] = dict(_OPEN_SYMBOLS) if open_symbols else {}
    leaves.update({name: Variable(name) for name in names})
    return _convert(tree, text, leaves, depth=0)


def parse_number(value: object) -> Real:
    """An exact number from what a TOML file or a command line may hold: 10, 0.5 or "8/3".

    >>> parse_number("8/3")
    Fraction(8, 3)
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ExpressionError(f"{value!r} is not a number; write 10, 0.5 or '8/3'")
    if isinstance(value, str):
        return _constant_value(parse(value, ()), value)
    return _exact(value, repr(value))


def _constant_value(expression: Expression, text: str) -> Real:
    """The value of an expression of numbers under the four operations and negation."""
    if isinstance(expression, Number):
        return expression.value
    if isinstance(expression, Apply):
        args = [_constant_value(arg, text) for arg in expression.args]
        if expression.op is Op.NEG:
            return -args[0]
        if expression.op is Op.DIV and args[1] != 0:
            return Fraction(args[0]) / Fraction(args[1])
        if expression.op is Op.MUL:
            return args[0] * args[1]
    raise ExpressionError(f"{_shortened(text)} is not a number; write 10, 0.5 or '8/3'")


def _syntax_tree(text: str) -> ast.expr:
    if len(text) > LONGEST_TEXT:
        raise ExpressionError(
            f"the text has {len(text):,} characters; at most {LONGEST_TEXT:,} are read"
        )
    if not text.strip():
        raise ExpressionError("the text is empty; write an expression such as 10*(x1 - x0)")
    if not text.isascii():
        raise ExpressionError(f"{_shortened(text)} has characters that are not ASCII")
    try:
        return ast.parse(text.strip().replace("^", "**"), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else "nested too deeply"
        raise ExpressionError(f"{_shortened(text)} is not an expression: {reason}") from None


def _convert(node: ast.expr, text: str, leaves: dict[str, Expression], depth: int) -> Expression:
    if depth > DEEPEST_NESTING:
        raise ExpressionError(
            f"{_shortened(text)} is nested more than {DEEPEST_NESTING} levels deep"
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
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _BINARY:
            return _binary(node, text, leaves, depth)
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in FUNCTIONS:
            return Apply(FUNCTIONS[name], (_convert(argument, text, leaves, depth + 1),))
    raise ExpressionError(_refusal(node))


def _binary(
    node: ast.BinOp, text: str, leaves: dict[str, Expression], depth: int
) -> Expression:
    """A chain such as a + b + c + ... is walked along its left spine, so its length costs no depth."""
    spine = [node]
    while isinstance(spine[-1].left, ast.BinOp) and type(spine[-1].left.op) in _BINARY:
        spine.append(spine[-1].left)
    result = _convert(spine[-1].left, text, leaves, depth + 1)
    for link in reversed(spine):
        right = _convert(link.right, text, leaves, depth + 1)
        if isinstance(link.op, ast.Pow) and _is_huge(right):
            raise ExpressionError(
                f"{_shortened(text)} has a power above {LARGEST_EXPONENT}; write a smaller one"
            )
        result = Apply(_BINARY[type(link.op)], (result, right))
    return result


def _named(name: str, leaves: dict[str, Expression]) -> Expression:
    if name in leaves:
        return leaves[name]
    if name in FUNCTIONS:
        raise ExpressionError(f"{name} is a function and needs an argument: {name}(...)")
    known = ", ".join(sorted(leaves)) or "none"
    raise ExpressionError(f"unknown symbol {name}; known ones here: {known}")


def _negative(operand: Expression) -> Expression:
    if isinstance(operand, Number):
        return Number(-operand.value)
    return Apply(Op.NEG, (operand,))


def _is_huge(exponent: Expression) -> bool:
    return isinstance(exponent, Number) and abs(exponent.value) > LARGEST_EXPONENT


def _exact(value: int | float, text: str) -> Real:
    """The number as typed: 0.1 is one tenth, not the nearest double."""
    if abs(value) > 1e300 or value != value:
        raise ExpressionError(f"{_shortened(text)} holds a number too large to compute with")
    exact = Fraction(repr(value))
    return exact.numerator if exact.denominator == 1 else exact


def _refusal(node: ast.expr) -> str:
    what = {
        ast.Attribute: "attribute access",
        ast.Lambda: "lambda",
        ast.JoinedStr: "an f-string",
        ast.Subscript: "indexing",
        ast.Compare: "a comparison",
        ast.BoolOp: "and/or",
        ast.IfExp: "if/else",
    }.get(type(node), type(node).__name__)
    if isinstance(node, ast.Call):
        name = node.func.id if isinstance(node.func, ast.Name) else "this call"
        known = ", ".join(FUNCTIONS)
        return f"{name} is not a function of one argument known here; known: {known}"
    if isinstance(node, ast.Constant):
        what = f"the literal {_shortened(repr(node.value))}"
    return f"{what} is not allowed; use numbers, names, + - * / ** and functions"


def _shortened(text: str) -> str:
    text = " ".join(text.split())
    return repr(text if len(text) <= 60 else text[:57] + "...")
