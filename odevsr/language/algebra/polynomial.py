"""Sums of products of powers, for algebra with numbers that are known up to an error.

A polynomial maps monomials to coefficients. A monomial holds the exponents, of any sign and not
always whole, of the bases that a law is made of: variables, functions, denominators.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from odevsr.language.algebra.coefficient import NoValueError
from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.order import factor_order
from odevsr.language.algebra.term import (
    factors_of,
    is_sum,
    multiplied,
    power_of,
    split_coefficient,
    split_power,
    terms,
)
from odevsr.language.expression import ONE, Apply, Constant, Expression, Number, Op, Real

Monomial = tuple[Real, ...]
Polynomial = dict[Monomial, Real]
LONGEST_EXACT = 64


@dataclass(frozen=True)
class Bases:
    """What monomials hold the exponents of, and how far numbers may differ, relatively."""

    factors: tuple[Expression, ...]
    tolerance: float

    @property
    def one(self) -> Monomial:
        """The monomial of a plain number."""
        return (0,) * len(self.factors)

    def close(self, first: Real, second: Real) -> bool:
        """True if two numbers may be the same: exact ones only if they are."""
        if isinstance(first, float) or isinstance(second, float):
            first, second = float(first), float(second)
            return abs(first - second) <= self.tolerance * max(abs(first), abs(second))
        return first == second


def bases_of(expression: Expression, tolerance: float) -> Bases:
    """The bases of a normal form, with those inside of its sums."""
    found: dict[Expression, None] = {}
    for term in terms(expression):
        for base in _bases(split_coefficient(term)[1]):
            found[base] = None
            if is_sum(base):
                found.update(dict.fromkeys(bases_of(base, tolerance).factors))
    return Bases(tuple(found), tolerance)


def _bases(rest: Expression) -> Iterable[Expression]:
    return (base for factor in factors_of(rest) for base, _ in _powers(factor))


def _powers(factor: Expression) -> list[tuple[Expression, Real]]:
    """A factor as bases and exponents; exp(2*x + y) is exp(x)**2 times exp(y)."""
    match factor:
        case Number():
            return []
        case Apply(Op.EXP, (rate,)):
            parts = [split_coefficient(term) for term in terms(rate)]
            return [(Apply(Op.EXP, (rest,)), _number(value)) for value, rest in parts]
    return [split_power(factor)]


def _number(value: Real | Constant) -> Real:
    if isinstance(value, Constant):
        raise NoValueError("an open constant has no value")
    return value


def polynomial_of(expression: Expression, bases: Bases) -> Polynomial:
    """A normal form over its bases; of one with open constants there is none."""
    index = {base: position for position, base in enumerate(bases.factors)}
    result: Polynomial = {}
    for term in terms(expression):
        coefficient, rest = split_coefficient(term)
        exponents: list[Real] = [0] * len(bases.factors)
        for factor in factors_of(rest):
            for base, exponent in _powers(factor):
                exponents[index[base]] += exponent
        result[tuple(exponents)] = _number(coefficient)
    return result


def plus(first: Polynomial, second: Polynomial, bases: Bases) -> Polynomial:
    """The sum, without terms that cancel up to the error of the numbers."""
    result = dict(first)
    for monomial, coefficient in second.items():
        before = result.get(monomial, 0)
        if before and bases.close(before, -coefficient):
            del result[monomial]
        else:
            result[monomial] = short(before + coefficient)
    return result


def product(first: Polynomial, second: Polynomial, bases: Bases) -> Polynomial:
    """The product, multiplied out."""
    result: Polynomial = {}
    for monomial, coefficient in first.items():
        result = plus(result, shifted(second, monomial, coefficient), bases)
    return result


def power(base: Polynomial, exponent: int, bases: Bases) -> Polynomial:
    """A whole power, multiplied out."""
    result: Polynomial = {bases.one: 1}
    for _ in range(exponent):
        result = product(result, base, bases)
    return result


def shifted(polynomial: Polynomial, monomial: Monomial, coefficient: Real = 1) -> Polynomial:
    """The polynomial times a term."""
    return {
        joined(monomial, each): short(value * coefficient) for each, value in polynomial.items()
    }


def divided(polynomial: Polynomial, monomial: Monomial, coefficient: Real = 1) -> Polynomial:
    """The polynomial over a term; equal numbers have the quotient one."""
    inverse = tuple(-exponent for exponent in monomial)
    return {
        joined(inverse, each): quotient(value, coefficient) for each, value in polynomial.items()
    }


def joined(first: Monomial, second: Monomial) -> Monomial:
    """The product of two monomials."""
    return tuple(a + b for a, b in zip(first, second, strict=True))


def quotient(above: Real, below: Real) -> Real:
    """A number over another, exact if both are."""
    if isinstance(above, float) or isinstance(below, float):
        return 1 if above == below else -1 if above == -below else float(above) / float(below)
    return short(Fraction(above) / Fraction(below))


def magnitude(value: Real) -> Real:
    """The number without its sign."""
    return -value if value < 0 else value


def short(value: Real) -> Real:
    """The number as whole number if it is one, as float if it has become long."""
    if isinstance(value, float | int):
        return value
    if value.denominator == 1:
        return value.numerator
    return value if value.denominator.bit_length() <= LONGEST_EXACT else float(value)


def content(polynomial: Polynomial) -> Monomial:
    """The monomial that all terms have in common, above or below the fraction bar."""
    return tuple(_common(exponents) for exponents in zip(*polynomial, strict=True))


def _common(exponents: Sequence[Real]) -> Real:
    lowest, highest = min(exponents), max(exponents)
    return lowest if lowest > 0 else min(highest, 0)


def ratio_of(first: Polynomial, second: Polynomial, bases: Bases) -> Real | None:
    """The number that the second is the first times of; None if it is no multiple."""
    if first.keys() != second.keys():
        return None
    pairs = [(value, second[monomial]) for monomial, value in first.items()]
    above, below = next(((b, a) for a, b in pairs if _exact(a, b)), (pairs[0][1], pairs[0][0]))
    factor = quotient(above, below)
    return factor if all(bases.close(a * factor, b) for a, b in pairs) else None


def _exact(*values: Real) -> bool:
    return not any(isinstance(value, float) for value in values)


def is_exact(polynomial: Polynomial) -> bool:
    """True if all coefficients are exact."""
    return _exact(*polynomial.values())


def monomial_expression(monomial: Monomial, factors: Sequence[Expression]) -> Expression:
    """A product of powers; exponentials are gathered into one."""
    rates: list[Expression] = []
    powers: list[Expression] = []
    for factor, exponent in zip(factors, monomial, strict=True):
        match factor:
            case _ if exponent == 0:
                continue
            case Apply(Op.EXP, (rate,)):
                rates.append(multiplied([Number(exponent), rate]))
            case _:
                powers.append(power_of(factor, exponent))
    if rates:
        rate = normal_form(Apply(Op.ADD, (*rates, Number(0))))
        powers.append(Apply(Op.EXP, (rate,)))
    return multiplied(sorted(powers, key=factor_order)) if powers else ONE
