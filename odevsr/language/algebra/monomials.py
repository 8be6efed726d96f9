"""Products of variables up to a degree."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement

from odevsr.language.algebra.normal import normal_form
from odevsr.language.expression import ONE, Apply, Expression, Op, Variable


def monomials(names: Sequence[str], degree: int) -> list[Expression]:
    """All of them in normal form, lowest degree first.

    >>> from odevsr.language.text import to_text
    >>> [to_text(each) for each in monomials(["x", "y"], 2)]
    ['1', 'x', 'y', 'x**2', 'x*y', 'y**2']
    """
    return [
        monomial(chosen)
        for total in range(degree + 1)
        for chosen in combinations_with_replacement(names, total)
    ]


def few_monomials(names: Sequence[str], degree: int, most: int) -> list[Expression]:
    """All up to the highest degree, no higher than this, that has no more than `most` of them."""
    found = monomials(names, degree)
    return found if len(found) <= most or degree == 1 else few_monomials(names, degree - 1, most)


def monomial(names: Sequence[str]) -> Expression:
    """The product of these variables in normal form; one that is named twice is squared."""
    return normal_form(Apply(Op.MUL, (ONE, ONE, *map(Variable, names))))
