"""What constants of a system cost less that seem not to be free.

What leaves one variable often enters another: two laws have the same term, with the same constants
but for the sign. And many constants are 1. Of such laws less is to be told than their length says:
if samples agree, their score is about what it would be with these constants bound. This is for the
choice among laws that samples do not tell apart; it makes no law identified.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.term import split_coefficient, terms
from odevsr.language.expression import ONE, Constant, Expression, count
from odevsr.recorded.score import constants_cost, prior

ONE_OF_MANY = 3.0
"""What it costs to say that a constant is 1: twice the logarithm of about four."""
KNOWN = 1e-6
"""Share of its variance that is left of what others bind already."""
REMEMBERED = 10_000
"""Laws whose terms are kept: those of a system are fitted many times."""


@dataclass(frozen=True)
class Part:
    """A term of a law: what its open coefficient multiplies, and the places of its constants."""

    law: int
    rest: Expression
    places: range


@dataclass(frozen=True, eq=False)
class Known:
    """What is known of constants (p,) of which some are bound, and what that has saved."""

    theta: FloatArray
    covariance: FloatArray
    free: FloatArray
    """The covariance with none bound."""
    most: float
    """What a constant costs, and so what it can save."""
    saved: float = 0.0

    def bound(self, sums: Sequence[FloatArray], value: float, spared: float) -> Known:
        """With sums of constants (p,) bound to a value, if that saves anything.

        A constant saves no more than what is known of it. `spared` is what else is not to be told.
        """
        theta, covariance = self.theta, self.covariance
        for each in sums:
            along = covariance @ each
            variance, size = float(each @ along), float(np.max(np.abs(theta[each != 0])))
            if not KNOWN * float(each @ self.free @ each) < variance < size**2:
                return self
            off = float(each @ theta) - value
            spared += min(self.most, math.log(size**2 / variance)) - off**2 / variance
            theta = theta - along * (off / variance)
            covariance = covariance - np.outer(along, along / variance)
        if spared <= 0:
            return self
        return Known(theta, covariance, self.free, self.most, self.saved + spared)


def saved(
    laws: Sequence[Expression],
    theta: FloatArray,
    covariance: FloatArray,
    samples: int,
    variables: int,
) -> float:
    """What laws of so many variables, with these constants, need not pay for."""
    parts = list(_parts(laws))
    known = Known(theta, covariance, covariance, constants_cost(1, samples))
    unit = np.eye(len(theta))
    for part, twin in _twins(parts):
        sign = math.copysign(1.0, theta[part.places[0]] * theta[twin.places[0]])
        signs = [sign, *[1.0] * (len(part.places) - 1)]
        sums = [
            unit[own] - factor * unit[other]
            for own, other, factor in zip(part.places, twin.places, signs, strict=True)
        ]
        others = sum(each.law != part.law for each in parts)
        known = known.bound(sums, 0.0, prior(part.rest, variables) - 2 * math.log(others))
    for part in parts:
        first = part.places[0]
        known = known.bound([unit[first]], math.copysign(1.0, theta[first]), -ONE_OF_MANY)
    return known.saved


def _parts(laws: Sequence[Expression]) -> Iterator[Part]:
    """The terms of laws that have an open coefficient, one behind the other."""
    place = 0
    for number, law in enumerate(laws):
        for rest, constants in _terms(law):
            if rest is not None:
                yield Part(number, rest, range(place, place + constants))
            place += constants


@lru_cache(maxsize=REMEMBERED)
def _terms(law: Expression) -> tuple[tuple[Expression | None, int], ...]:
    """What the open coefficient of each term multiplies, if it has one, and its constants."""
    found: list[tuple[Expression | None, int]] = []
    for term in terms(law):
        coefficient, rest = split_coefficient(term)
        constants = count(term, Constant)
        plain = normal_form(rest) if constants == 1 else rest
        found.append((plain if isinstance(coefficient, Constant) else None, constants))
    return tuple(found)


def _twins(parts: Sequence[Part]) -> Iterator[tuple[Part, Part]]:
    """Each term that a law before has, too, with its first."""
    first: dict[Expression, Part] = {}
    for part in parts:
        twin = first.setdefault(part.rest, part)
        if twin.law != part.law and part.rest != ONE:
            yield part, twin
