"""Rules with constants of their own, so that a policy composes functions as sciences write them.

A bare exp(A) needs three more rules before it has a rate. Here every function carries the constants
it is hardly ever met without, and may stand inside any other: exp(C*sin(C*x + C)) is three rules.
"""

from __future__ import annotations

from collections.abc import Sequence

from odevsr.language.algebra.term import added, multiplied
from odevsr.language.drawing.grammar import Grammar, make_grammar
from odevsr.language.expression import (
    CONSTANT,
    FUNCTIONS,
    HOLE,
    TRIGONOMETRIC,
    Apply,
    Expression,
    Number,
    Op,
    Variable,
    walk,
)
from odevsr.language.parse import parse

# What an operator brings. A function's own rule is a special case of them and left out.
_WAVES = TRIGONOMETRIC | {Op.ASIN, Op.ACOS, Op.ATAN}
RULES_OF = {
    "/": ("1/(A + C)",),
    "^": ("A^C", "sqrt(A + C)"),
    "sin": ("sin(C*A + C)",),
    "cos": ("sin(C*A + C)",),
    "exp": ("exp(C*A)", "tanh(C*A + C)"),
    "log": ("log(A + C)",),
}


def composing_grammar(
    variable: str, operators: Sequence[str], learnt: Sequence[Expression], longest: int
) -> Grammar:
    """The grammar for functions of one variable, from the operators that the user allows.

    It starts at C*A + C*x + C: coefficients cost a fit next to nothing, and an idle term is dropped
    from what is found.
    """
    texts = dict.fromkeys(text for name in operators for text in RULES_OF.get(name, ()))
    return make_grammar(
        [variable],
        operators=[name for name in operators if name not in RULES_OF or name not in FUNCTIONS],
        start=_start(variable) if {"+", "*"} <= set(operators) else HOLE,
        templates=[parse(text, (), open_symbols=True) for text in texts],
        learnt=learnt,
        longest=longest,
        nested_functions=True,
    )


def is_allowed(expression: Expression, operators: Sequence[str]) -> bool:
    """True if the expression can be made of the operators: tanh of exp, a root of powers.

    >>> is_allowed(parse("tanh(x)/x", ["x"]), ["/", "exp"])
    True
    >>> is_allowed(parse("sin(x)", ["x"]), ["+", "*", "exp"])
    False
    """
    return all(
        any(name in operators for name in names)
        for node in walk(expression)
        if isinstance(node, Apply)
        for names in _made_of(node)
    )


def _made_of(node: Apply) -> list[tuple[str, ...]]:
    """Operators a node needs, of each tuple any one."""
    match node:
        case Apply(Op.POW, (_, Number(int() as power))):
            return [("*", "^")] if power > 0 else [("/", "^")]
        case Apply(Op.POW | Op.SQRT | Op.ABS as op):
            return [("^", op.value)]
        case Apply(op) if op in _WAVES:
            return [("sin", "cos", op.value)]
        case Apply(Op.SINH | Op.COSH | Op.TANH as op):
            return [("exp", op.value)]
        case Apply(op) if op.is_function:
            return [(op.value,)]
    return []


def _start(variable: str) -> Expression:
    line = [multiplied((CONSTANT, Variable(variable))), CONSTANT]
    return added([Apply(Op.MUL, (CONSTANT, HOLE)), *line])
