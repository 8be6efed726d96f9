"""The order in which a normal form writes its terms and factors."""

from __future__ import annotations

from functools import lru_cache

from odevsr.language.algebra.coefficient import Coefficient
from odevsr.language.algebra.term import CACHED, factors_of, split_power
from odevsr.language.expression import ONE, Apply, Constant, Expression, Number, Op, Real, Variable


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
