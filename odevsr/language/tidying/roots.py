"""Factors of a root brought under it: what cancels there is seen to, and signs do not matter."""

from __future__ import annotations

from odevsr.language.algebra.expand import expanded
from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.term import (
    HALF,
    added,
    factors_of,
    is_sum,
    multiplied,
    power_of,
    split_power,
    terms,
)
from odevsr.language.expression import Apply, Expression, Number, Real
from odevsr.language.tidying.identities import changed


def under_roots(expression: Expression) -> Expression:
    """An expression of the same value wherever factors of roots are positive.

    >>> from odevsr.language.parse import parse
    >>> from odevsr.language.text import to_text
    >>> to_text(under_roots(parse("2*y*sqrt(x**2 + 1/y**2) - x", ["x", "y"])))
    '-x + 2*sqrt(x**2*y**2 + 1)'
    """
    return normal_form(changed(normal_form(expression), _under_root))


def _under_root(product: Expression) -> Expression:
    """A product whose root of a sum, if there is one, holds all of it but its number."""
    factors = factors_of(product) if isinstance(product, Apply) else ()
    root = next((each for each in factors if _is_root(each)), None)
    if root is None:
        return product
    base, exponent = split_power(root)
    others = [each for each in factors if each != root]
    squares = [power_of(*_raised(each, 1 / exponent)) for each in others if not _is_number(each)]
    inside = expanded(added([multiplied([term, *squares]) for term in terms(base)]))
    return multiplied([*filter(_is_number, others), power_of(inside, exponent)])


def _is_root(factor: Expression) -> bool:
    base, exponent = split_power(factor)
    return abs(exponent) == HALF and is_sum(base)


def _is_number(factor: Expression) -> bool:
    return isinstance(factor, Number)


def _raised(factor: Expression, times: Real) -> tuple[Expression, Real]:
    """Base and exponent of a power of the factor."""
    base, exponent = split_power(factor)
    raised = exponent * times
    return base, int(raised) if float(raised).is_integer() else raised
