"""Laws as a person might write them: candidates, for data to choose among."""

from __future__ import annotations

from odevsr.language.expression import Expression
from odevsr.language.size import length
from odevsr.language.tidying.factored import factored
from odevsr.language.tidying.identities import (
    changed,
    readings,
    with_one_below,
    with_simple_denominators,
)

TOLERANCE = 1e-8


def writings(expression: Expression, tolerance: float = TOLERANCE) -> list[Expression]:
    """Writings of the same value, the shortest first; none is longer than the law as it is.

    Numbers that are not exact may be off by a share of `tolerance`: those that may be equal become
    one. Terms inside the law that weigh next to nothing may be left out.

    >>> from odevsr.language.parse import parse
    >>> from odevsr.language.text import to_text
    >>> [to_text(each) for each in writings(parse("10*y - 10*x", ["x", "y"]))]
    ['10*(y - x)']
    """
    short = [factored(each, tolerance) for each in readings(expression, tolerance)]
    found = [changed(each, with_simple_denominators) for each in short]
    found += [changed(each, with_one_below) for each in found]
    longest = length(expression)
    shorter = [each for each in dict.fromkeys(found) if length(each) <= longest]
    return sorted((each for each in shorter if each != expression), key=length)
