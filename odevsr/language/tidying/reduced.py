"""Fewer terms for the same sum: fractions joined, remainders chosen anew, squares of waves.

x/(x + K) is found as 1 - K/(x + K), and a product of two such as four terms. Where a number in a
numerator is replaced by what the denominator says of it, K = (x + K) - x, terms cancel again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from math import inf

from odevsr.language.algebra.polynomial import (
    Bases,
    Monomial,
    Polynomial,
    joined,
    plus,
    polynomial_of,
    power,
    product,
    quotient,
    shifted,
)
from odevsr.language.algebra.term import is_sum
from odevsr.language.expression import Apply, Op

MOST_STEPS = 12
PARTNERS = {
    Op.SIN: (Op.COS, -1),
    Op.COS: (Op.SIN, -1),
    Op.SINH: (Op.COSH, 1),
    Op.COSH: (Op.SINH, 1),
}
"""The function whose square, with this sign, is the function's own square but for one."""


def reduced(polynomial: Polynomial, bases: Bases) -> Polynomial:
    """An equal polynomial with as few terms as single replacements lead to.

    Of as many, those whose numbers do not cancel: 3 - 2*x/(x + K) is 1 + 2*K/(x + K).
    """
    for _ in range(MOST_STEPS):
        found = [(*_weight(each, bases), each) for each in _replacements(polynomial, bases)]
        *weight, shortest = min(found, key=lambda each: each[:2], default=(inf, inf, polynomial))
        if tuple(weight) >= _weight(polynomial, bases):
            return polynomial
        polynomial = shortest
    return polynomial


def _weight(polynomial: Polynomial, bases: Bases) -> tuple[float, float]:
    """How many terms it has, and how large the numbers of those are that no sum divides."""
    sums = [index for index, base in enumerate(bases.factors) if is_sum(base)]
    whole = (v for each, v in polynomial.items() if all(each[i] >= 0 for i in sums))
    return len(polynomial), sum(abs(float(value)) for value in whole)


def _replacements(polynomial: Polynomial, bases: Bases) -> Iterator[Polynomial]:
    if len(polynomial) == 1:
        return
    below = _denominators(polynomial, bases)
    for index, denominator in below.items():
        for group in _groups(polynomial, index, denominator):
            for monomial in denominator:
                yield _eliminated(polynomial, group, index, denominator, monomial, bases)
    yield from _joins(polynomial, below, bases)
    yield from _squares(polynomial, bases)


def _denominators(polynomial: Polynomial, bases: Bases) -> dict[int, Polynomial]:
    """Sums that terms are divided by, by their places among the bases."""
    return {
        index: polynomial_of(base, bases)
        for index, base in enumerate(bases.factors)
        if is_sum(base) and any(monomial[index] < 0 for monomial in polynomial)
    }


def _groups(
    polynomial: Polynomial, index: int, denominator: Polynomial
) -> Iterator[list[Monomial]]:
    """Terms over a denominator that may be rewritten together: all, like ones, each."""
    over = [monomial for monomial in polynomial if monomial[index] < 0]
    yield over
    if len(over) == 1:
        return
    inside = {place for each in denominator for place, exponent in enumerate(each) if exponent}
    alike: dict[Monomial, list[Monomial]] = defaultdict(list)
    for monomial in over:
        others = enumerate(monomial)
        alike[tuple(e for place, e in others if place not in inside)].append(monomial)
    if len(alike) > 1:
        yield from alike.values()
    if len(alike) < len(over):
        yield from ([monomial] for monomial in over)


def _eliminated(
    polynomial: Polynomial,
    group: list[Monomial],
    index: int,
    denominator: Polynomial,
    chosen: Monomial,
    bases: Bases,
) -> Polynomial:
    """The group's terms with one monomial of the denominator replaced by all the others.

    c*m = D - rest, so that c*m*f/D is f - rest*f/D.
    """
    coefficient = denominator[chosen]
    rest = {each: -value for each, value in denominator.items() if each != chosen}
    whole = tuple(int(place == index) for place in range(len(chosen)))
    result = {each: value for each, value in polynomial.items() if each not in group}
    for monomial in group:
        if any(a < b for a, b in zip(monomial, chosen, strict=True) if b > 0):
            result = plus(result, {monomial: polynomial[monomial]}, bases)
            continue
        left = tuple(a - b for a, b in zip(monomial, chosen, strict=True))
        share = quotient(polynomial[monomial], coefficient)
        result = plus(result, {joined(left, whole): share}, bases)
        result = plus(result, shifted(rest, left, share), bases)
    return result


def _joins(
    polynomial: Polynomial, below: dict[int, Polynomial], bases: Bases
) -> Iterator[Polynomial]:
    """Terms over one or two denominators brought over their product."""
    for chosen in (*((index,) for index in below), *combinations(below, 2)):
        group = {each: v for each, v in polynomial.items() if any(each[i] < 0 for i in chosen)}
        lowest = [min(each[i] for each in group) for i in chosen]
        if len(group) < 2 or any(exponent != int(exponent) for exponent in lowest):
            continue
        result = {each: value for each, value in polynomial.items() if each not in group}
        for monomial, value in group.items():
            over = list(monomial)
            numerator: Polynomial = {bases.one: value}
            for i, least in zip(chosen, lowest, strict=True):
                over[i] = least
                numerator = product(
                    numerator, power(below[i], int(monomial[i] - least), bases), bases
                )
            result = plus(result, shifted(numerator, tuple(over)), bases)
        yield result


def _squares(polynomial: Polynomial, bases: Bases) -> Iterator[Polynomial]:
    """Squares of a wave replaced by one and the square of the other."""
    for index, base in enumerate(bases.factors):
        if not (isinstance(base, Apply) and base.op in PARTNERS):
            continue
        partner, sign = PARTNERS[base.op]
        if not any(monomial[index] >= 2 for monomial in polynomial):
            continue
        other = bases.factors.index(Apply(partner, base.args))
        one = 1 if base.op is not Op.SINH else -1
        square: Polynomial = {bases.one: one, _power_of_base(other, 2, bases): sign}
        result: Polynomial = {}
        for monomial, value in polynomial.items():
            squares = int(monomial[index] // 2) if monomial[index] >= 2 else 0
            rest = tuple(e - 2 * squares * (i == index) for i, e in enumerate(monomial))
            result = plus(result, shifted(power(square, squares, bases), rest, value), bases)
        yield result


def _power_of_base(index: int, exponent: int, bases: Bases) -> Monomial:
    return tuple(exponent * (place == index) for place in range(len(bases.factors)))
