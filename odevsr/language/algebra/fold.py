"""Numbers put together where they meet, and nothing else: brackets stay where they are."""

from __future__ import annotations

from collections.abc import Sequence

from odevsr.language.algebra.coefficient import Coefficient, NoValueError, plus, times
from odevsr.language.algebra.normal import INVALID, combine
from odevsr.language.algebra.term import added, factors_of, multiplied, scaled, terms
from odevsr.language.expression import ONE, ZERO, Apply, Expression, Number, Op


def folded(expression: Expression) -> Expression:
    """The tree without factors 1, terms 0 and powers 1, and with one number a sum or product.

    >>> from odevsr.language.parse import parse
    >>> from odevsr.language.text import to_text
    >>> to_text(folded(parse("2*(x + 0)*3*(1*y + 4)", ["x", "y"])))
    '6*x*(y + 4)'
    """
    try:
        return _folded(expression)
    except NoValueError:
        return INVALID


def _folded(expression: Expression) -> Expression:
    if not isinstance(expression, Apply):
        return expression
    args = tuple(_folded(arg) for arg in expression.args)
    match expression.op, args:
        case Op.ADD, _:
            return _sum([part for arg in args for part in terms(arg)])
        case Op.MUL, _:
            return _product([part for arg in args for part in factors_of(arg)])
        case Op.POW, (base, Number(1)):
            return base
        case op, _ if all(isinstance(arg, Number) for arg in args):
            return combine(op, args)
    return Apply(expression.op, args)


def _sum(parts: Sequence[Expression]) -> Expression:
    """The terms in their order, one number where the first stood."""
    numbers = [part for part in parts if isinstance(part, Number)]
    if len(numbers) > 1 or ZERO in numbers:
        total: Coefficient = 0
        for number in numbers:
            total = plus(total, number.value)
        first = parts.index(numbers[0])
        rest = [part for part in parts if not isinstance(part, Number)]
        parts = [*rest[:first], *([scaled(total, ONE)] if total else []), *rest[first:]]
    return added(parts) if parts else ZERO


def _product(parts: Sequence[Expression]) -> Expression:
    coefficient: Coefficient = 1
    for part in parts:
        if isinstance(part, Number):
            coefficient = times(coefficient, part.value)
    rest = [part for part in parts if not isinstance(part, Number)]
    return ZERO if coefficient == 0 else scaled(coefficient, multiplied(rest or [ONE]))
