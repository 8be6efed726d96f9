"""One law for parts that meet: where L becomes M at x = a, it is (L + M + |x - a|*g)/2.

g is M - L over x - a, which leaves no rest where the two meet.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from odevsr.language.algebra.expand import expanded
from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.term import added, factors_of, multiplied, split_power, terms
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Apply, Expression, Number, Op, Variable, variables
from odevsr.vertical.breaks import Breaks
from odevsr.world.box import Box


def joined_law(
    laws: Sequence[Expression], breaks: Breaks, names: Sequence[str], box: Box
) -> Expression | None:
    """The one law that is each of these in its part; None if M - L is a step or no polynomial."""
    name = names[breaks.variable]
    summands = [laws[0], laws[-1]]
    for (before, after), between in zip(pairwise(laws), breaks.between, strict=True):
        more = expanded(Apply(Op.SUB, (after, before)))
        powers = _by_power(more, name)
        if powers is None or len(powers) == 1:
            return None  # g would have x - a below it
        place = _root(more, breaks.variable, between, names, box)
        apart = Apply(Op.ABS, (Apply(Op.SUB, (Variable(name), Number(place))),))
        summands.append(multiplied((apart, _divided(powers, place, Variable(name)))))
    return normal_form(Apply(Op.DIV, (added(summands), Number(2))))


def _by_power(law: Expression, name: str) -> list[Expression] | None:
    """The coefficients of the powers of a variable, from none on; None if it is elsewhere, too."""
    found: dict[int, list[Expression]] = {}
    for term in terms(law):
        power, rest = 0, []
        for factor in factors_of(term):
            base, exponent = split_power(factor)
            if base == Variable(name) and exponent == int(exponent) > 0:
                power = int(exponent)
            elif name in variables(factor):
                return None
            else:
                rest.append(factor)
        found.setdefault(power, []).append(multiplied(rest) if rest else Number(1))
    return [added(found.get(power, [Number(0)])) for power in range(max(found, default=0) + 1)]


def _root(
    more: Expression, index: int, between: tuple[float, float], names: Sequence[str], box: Box
) -> float:
    """Where in between a difference of laws is zero, by the corner of the ranges that tells."""
    corners = np.repeat(box.limits.T, 2, axis=0)
    corners[:, index] = *between, *between
    values = compile_field([more], names)(corners)[:, 0].reshape(-1, 2)
    low, high = values[int(np.argmax(np.abs(values[:, 1] - values[:, 0])))]
    return float(between[0] - low * (between[1] - between[0]) / (high - low))


def _divided(powers: Sequence[Expression], place: float, variable: Expression) -> Expression:
    """A polynomial in the variable over variable - place."""
    quotient = carried = powers[-1]
    for coefficient in reversed(powers[1:-1]):
        carried = added((coefficient, multiplied((Number(place), carried))))
        quotient = added((multiplied((quotient, variable)), carried))
    return quotient
