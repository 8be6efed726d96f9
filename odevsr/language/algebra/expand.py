"""Powers of sums multiplied out, so that what cancels is seen to."""

from __future__ import annotations

from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.term import added, factors_of, is_sum, multiplied, terms
from odevsr.language.expression import Apply, Expression, Number, Op

HIGHEST = 8


def expanded(expression: Expression) -> Expression:
    """The sum with whole powers of sums in its terms multiplied out.

    >>> from odevsr.language.parse import parse
    >>> from odevsr.language.text import to_text
    >>> to_text(expanded(parse("(x + y)**2 - 2*x*y - x**2", ["x", "y"])))
    'y**2'
    """
    return normal_form(added([_opened(term) for term in terms(normal_form(expression))]))


def _opened(term: Expression) -> Expression:
    product: Expression = Number(1)
    for factor in factors_of(term):
        match factor:
            case Apply(Op.POW, (base, Number(int() as power))) if (
                is_sum(base) and 1 < power <= HIGHEST
            ):
                for _ in range(power):
                    product = _times(product, base)
            case _:
                product = _times(product, factor)
    return product


def _times(product: Expression, factor: Expression) -> Expression:
    """Term by term: a product of equal sums would become a power again."""
    pieces = [multiplied((term, other)) for term in terms(product) for other in terms(factor)]
    return normal_form(added(pieces))
