"""Reading normal forms: terms, coefficients, powers, and the order these are written in."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TypeGuard

from odevsr.language.coefficient import Coefficient
from odevsr.language.expression import (
    CONSTANT,
    ONE,
    Apply,
    Constant,
    Expression,
    Number,
    Op,
    Real,
    Variable,
    walk,
)

HALF = Fraction(1, 2)
CACHED = 30_000
"""Terms whose properties are remembered; enough for a batch of candidates and their parts."""


def terms(expression: Expression) -> tuple[Expression, ...]:
    """The summands of a normal form."""
    return expression.args if is_sum(expression) else (expression,)


@lru_cache(maxsize=CACHED)
def split_coefficient(term: Expression) -> tuple[Coefficient, Expression]:
    """A term as its coefficient (a number or an open constant) and what it multiplies."""
    match term:
        case Number(value):
            return value, ONE
        case Constant():
            return CONSTANT, ONE
        case Apply(Op.MUL, (Number(value), *rest)):
            return value, multiplied(rest)
        case Apply(Op.MUL, (Constant(), *rest)):
            return CONSTANT, multiplied(rest)
    return 1, term


def is_sum(expression: Expression) -> TypeGuard[Apply]:
    """True if the outermost operation is an addition."""
    return isinstance(expression, Apply) and expression.op is Op.ADD


def multiplied(factors: Sequence[Expression]) -> Expression:
    """One factor itself, several as a product."""
    return factors[0] if len(factors) == 1 else Apply(Op.MUL, tuple(factors))


def added(summands: Sequence[Expression]) -> Expression:
    """One summand itself, several as a sum."""
    return summands[0] if len(summands) == 1 else Apply(Op.ADD, tuple(summands))


def factors_of(term: Expression) -> tuple[Expression, ...]:
    """The factors of a product, else the term itself."""
    return term.args if isinstance(term, Apply) and term.op is Op.MUL else (term,)


@lru_cache(maxsize=CACHED)
def is_open(expression: Expression) -> bool:
    """True if it holds an open constant: two such parts may look alike and differ in value."""
    return any(isinstance(node, Constant) for node in walk(expression))


@lru_cache(maxsize=CACHED)
def split_power(factor: Expression) -> tuple[Expression, Real]:
    """A factor as base and exponent."""
    match factor:
        case Apply(Op.POW, (base, Number(exponent))):
            return base, exponent
        case Apply(Op.SQRT, (base,)):
            return base, HALF
    return factor, 1


def split_fraction(factors: Sequence[Expression]) -> tuple[list[Expression], list[Expression]]:
    """Factors above and below the fraction bar; those of negative power go below, turned over."""
    above: list[Expression] = []
    below: list[Expression] = []
    for factor in factors:
        match factor:
            case Apply(Op.POW, (base, Number(-1))):
                below.append(base)
            case Apply(Op.POW, (base, Number(exponent))) if exponent < 0:
                below.append(Apply(Op.POW, (base, Number(-exponent))))
            case _:
                above.append(factor)
    return above, below


def term_order(item: tuple[Expression, Coefficient]) -> tuple[bool, Real, str, Real, bool]:
    """Highest degree first, plain constants last; of terms that look alike, the largest first.

    So the leading term still leads when a sum is divided by its coefficient.
    """
    rest, coefficient = item
    value = 0 if isinstance(coefficient, Constant) else coefficient
    return (*_rest_order(rest), min(value, -value), value < 0)


@lru_cache(maxsize=CACHED)
def _rest_order(rest: Expression) -> tuple[bool, Real, str]:
    powers = [split_power(factor) for factor in factors_of(rest)]
    degree = sum(exponent for base, exponent in powers if isinstance(base, Variable))
    return rest == ONE, -degree, _spelling(rest)


@lru_cache(maxsize=CACHED)
def factor_order(factor: Expression) -> tuple[bool, str]:
    """Variables first."""
    return not isinstance(split_power(factor)[0], Variable), _spelling(factor)


@lru_cache(maxsize=CACHED)
def _spelling(expression: Expression) -> str:
    """A text to sort by, put together from those of the parts."""
    match expression:
        case Number(value):
            return str(value)
        case Variable(name):
            return name
        case Apply(op, args):
            spellings = [_spelling(arg) for arg in args]
            return f"{op.value}({spellings[0]})" if len(args) == 1 else _infix(op, spellings)
    return type(expression).__name__


def _infix(op: Op, spellings: list[str]) -> str:
    joined = op.value.join(spellings)
    return f"({joined})" if op is Op.ADD else joined
