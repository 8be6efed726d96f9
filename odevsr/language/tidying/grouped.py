"""Ways to take something out of a sum: factors, numbers, products of sums, powers, roots."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np

from odevsr.language.algebra.polynomial import (
    Bases,
    Monomial,
    Polynomial,
    content,
    divided,
    is_exact,
    joined,
    magnitude,
    plus,
    power,
    product,
    quotient,
    ratio_of,
    shifted,
)
from odevsr.language.expression import Real

MOST_BASES = 5
"""Bases of which every choice is tried; of more, only single ones and pairs."""
MOST_ROOTS = 6
SIMPLE = 0.1
"""Largest denominator of a root, over one by the root of the tolerance: of larger ones there is
always a fraction as near."""


@dataclass(frozen=True)
class Grouping:
    """A sum as coefficient * monomial * (product of powers of sums) + rest."""

    coefficient: Real
    monomial: Monomial
    sums: tuple[tuple[Polynomial, int], ...]
    rest: Polynomial


def groupings(polynomial: Polynomial, bases: Bases) -> Iterator[Grouping]:
    """All ways known; each is an identity up to the tolerance of the numbers."""
    common = content(polynomial)
    if any(common):
        yield Grouping(1, common, ((divided(polynomial, common), 1),), {})
        return
    yield from _roots(polynomial, bases)
    yield from _powers(polynomial, bases)
    yield from _products(polynomial, bases)
    yield from _by_factor(polynomial, bases)
    yield from _by_number(polynomial, bases)


def _part(polynomial: Polynomial, chosen: Collection[Monomial]) -> Polynomial:
    return {each: value for each, value in polynomial.items() if each not in chosen}


def _by_factor(polynomial: Polynomial, bases: Bases) -> Iterator[Grouping]:
    """Terms that share a base, above or below the fraction bar."""
    seen = set()
    for index in range(len(bases.factors)):
        for sign in (1, -1):
            group = {each: v for each, v in polynomial.items() if sign * each[index] > 0}
            if len(group) < 2 or len(group) == len(polynomial) or frozenset(group) in seen:
                continue
            seen.add(frozenset(group))
            common = content(group)
            yield Grouping(1, common, ((divided(group, common), 1),), _part(polynomial, group))


def _by_number(polynomial: Polynomial, bases: Bases) -> Iterator[Grouping]:
    """Terms whose coefficients are the same but for their signs."""
    left = dict(polynomial)
    while left:
        number = magnitude(next(iter(left.values())))
        group = {each: v for each, v in left.items() if bases.close(magnitude(v), number)}
        left = _part(left, group)
        if len(group) > 1 and number != 1:
            number = next((v for v in map(magnitude, group.values()) if is_exact({(): v})), number)
            signs: Polynomial = {each: 1 if value > 0 else -1 for each, value in group.items()}
            yield Grouping(number, bases.one, ((signs, 1),), _part(polynomial, group))


def _products(polynomial: Polynomial, bases: Bases) -> Iterator[Grouping]:
    """Parts that are a sum times a sum: rows of coefficients that are multiples of each other."""
    if len(polynomial) < 4:
        return
    used = [i for i in range(len(bases.factors)) if any(each[i] for each in polynomial)]
    largest = len(used) - 1 if len(used) <= MOST_BASES else 2
    seen = set()
    for count in range(1, largest + 1):
        for chosen in combinations(used, count):
            for grouping in _rows_alike(polynomial, frozenset(chosen), bases):
                key = frozenset(frozenset(each) for each, _ in grouping.sums)
                if key not in seen:
                    seen.add(key)
                    yield grouping


def _rows_alike(polynomial: Polynomial, chosen: frozenset[int], bases: Bases) -> Iterator[Grouping]:
    """Rows are what stands beside each monomial of the chosen bases."""
    rows: dict[Monomial, Polynomial] = {}
    for monomial, value in polynomial.items():
        own = tuple(e if i in chosen else 0 for i, e in enumerate(monomial))
        beside = tuple(0 if i in chosen else e for i, e in enumerate(monomial))
        rows.setdefault(own, {})[beside] = value
    left = {own: row for own, row in rows.items() if len(row) > 1}
    while len(left) > 1:
        first = max(left, key=lambda own: is_exact(left[own]))
        base = divided(left[first], content(left[first]))
        alike = {own: _multiple(base, row, bases) for own, row in left.items()}
        found = {own: term for own, term in alike.items() if term is not None}
        left = {own: row for own, row in left.items() if own not in found}
        if len(found) > 1:
            other = {joined(own, extra): value for own, (extra, value) in found.items()}
            if len(other) < len(found):
                continue
            group = {joined(own, beside) for own in found for beside in rows[own]}
            yield Grouping(1, bases.one, ((base, 1), (other, 1)), _part(polynomial, group))


def _multiple(base: Polynomial, row: Polynomial, bases: Bases) -> tuple[Monomial, Real] | None:
    """The term that the row is the base times of."""
    common = content(row)
    ratio = ratio_of(base, divided(row, common), bases)
    return None if ratio is None else (common, ratio)


def _powers(polynomial: Polynomial, bases: Bases) -> Iterator[Grouping]:
    """Powers of sums that were multiplied out: c*x**n + n*c*s*x**(n - 1) + ... is c*(x + s)**n."""
    for index in range(len(bases.factors)):
        exponents = [each[index] for each in polynomial]
        highest = max(exponents)
        if not (isinstance(highest, int) and 2 <= highest <= 8 and len(polynomial) > 2):
            continue
        leading = [each for each, e in zip(polynomial, exponents, strict=True) if e == highest]
        for lead in leading:
            yield from _powers_from(polynomial, index, lead, bases)


def _powers_from(
    polynomial: Polynomial, index: int, lead: Monomial, bases: Bases
) -> Iterator[Grouping]:
    """Those of x alone, beside which others stand, or of a product, if its power leads."""
    highest = int(lead[index])
    unit: Monomial = tuple(int(i == index) for i in range(len(lead)))
    whole = all(isinstance(e, int) and e % highest == 0 for e in lead)
    for root in dict.fromkeys((unit, tuple(int(e) // highest for e in lead) if whole else unit)):
        yield from _powers_of(polynomial, index, root, lead, bases)


def _powers_of(
    polynomial: Polynomial, index: int, root: Monomial, lead: Monomial, bases: Bases
) -> Iterator[Grouping]:
    """Powers of sums whose first term is the root."""
    scale, highest = polynomial[lead], int(lead[index])
    beside = tuple(e - highest * r for e, r in zip(lead, root, strict=True))
    others = tuple(-e + r for e, r in zip(lead, root, strict=True))
    offsets = {
        joined(each, others): quotient(value, scale * highest)
        for each, value in polynomial.items()
        if each[index] == highest - 1
    }
    choices = [offsets, *({each: value} for each, value in offsets.items() if len(offsets) > 1)]
    for offset in choices:
        if not offset:
            continue
        base = {root: 1, **offset}
        whole = shifted(power(base, highest, bases), beside, scale)
        rest = plus(polynomial, {each: -value for each, value in whole.items()}, bases)
        if len(rest) <= len(polynomial) - len(whole):
            yield Grouping(scale, beside, ((base, highest),), rest)


def _roots(polynomial: Polynomial, bases: Bases) -> Iterator[Grouping]:
    """A polynomial of one base over its roots, if they are simple numbers."""
    used = [i for i in range(len(bases.factors)) if any(each[i] for each in polynomial)]
    if len(used) != 1 or len(polynomial) < 3:
        return
    (index,) = used
    by_degree = {each[index]: value for each, value in polynomial.items()}
    if not all(isinstance(degree, int) and 0 <= degree <= MOST_ROOTS for degree in by_degree):
        return
    coefficients = [by_degree.get(degree, 0) for degree in range(int(max(by_degree)), -1, -1)]
    largest = max(int(SIMPLE / bases.tolerance**0.5), 1)
    roots = [
        _simple(float(root.real), largest) for root in np.roots([float(c) for c in coefficients])
    ]
    unit: Monomial = tuple(int(i == index) for i in range(len(bases.factors)))
    factors: list[Polynomial] = [{unit: 1, bases.one: -root} for root in roots if root]
    if len(factors) < len(roots):
        return
    whole: Polynomial = {bases.one: coefficients[0]}
    for factor in factors:
        whole = product(whole, factor, bases)
    if whole.keys() == polynomial.keys() and all(
        bases.close(value, polynomial[each]) for each, value in whole.items()
    ):
        yield Grouping(coefficients[0], bases.one, tuple((each, 1) for each in factors), {})


def _simple(root: float, largest: int) -> Real:
    near = Fraction(root).limit_denominator(largest)
    return near.numerator if near.denominator == 1 else near
