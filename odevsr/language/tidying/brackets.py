"""Products of numbers, monomials and sums in brackets, and how they look on paper."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product as choices

from odevsr.language.algebra.coefficient import Coefficient, raised, times
from odevsr.language.algebra.order import factor_order, term_order
from odevsr.language.algebra.polynomial import (
    Monomial,
    Polynomial,
    magnitude,
    monomial_expression,
    quotient,
    short,
)
from odevsr.language.algebra.term import (
    added,
    factors_of,
    is_sum,
    multiplied,
    power_of,
    scaled,
    split_coefficient,
)
from odevsr.language.expression import ONE, Apply, Constant, Expression, Number, Op, Real
from odevsr.language.size import length

MOST_SCALES = 4


@dataclass(frozen=True, eq=False)
class Bracket:
    """A sum as a factor: what it is, how it is written, and its power."""

    polynomial: Polynomial
    products: tuple[Product, ...]
    power: int


@dataclass(frozen=True, eq=False)
class Product:
    """A term: a number, a monomial and sums."""

    coefficient: Real
    monomial: Monomial
    brackets: tuple[Bracket, ...] = ()


def whole_power(value: Real, power: int) -> Real:
    """A number to a whole power, exact if it is."""
    result = raised(value, power)
    assert not isinstance(result, Constant)
    return result


def sum_expression(products: Sequence[Product], shown: Sequence[Expression]) -> Expression:
    """A sum as a tree; a number is taken out of it if that is shorter."""
    if len(products) == 1:
        return _product_expression(products[0], shown)
    whole = Product(1, (0,) * len(shown), (Bracket({}, tuple(products), 1),))
    return min(_plain_sum(products, shown), _product_expression(whole, shown), key=length)


def _plain_sum(products: Sequence[Product], shown: Sequence[Expression]) -> Expression:
    written = [_product_expression(each, shown) for each in products]
    parts = [part for each in written for part in _without_bracket(each)]
    pieces = sorted(
        ((rest, value) for value, rest in map(split_coefficient, parts)), key=term_order
    )
    first = next((i for i, (_, value) in enumerate(pieces) if _is_positive(value)), 0)
    ordered = [pieces[first], *pieces[:first], *pieces[first + 1 :]]
    return added([scaled(value, rest) for rest, value in ordered])


def _is_positive(value: Coefficient) -> bool:
    return not isinstance(value, Constant) and value > 0


def _without_bracket(summand: Expression) -> tuple[Expression, ...]:
    """A summand that is a sum but for its sign as the terms it has."""
    match summand:
        case Apply(Op.ADD, args):
            return args
        case Apply(Op.MUL, (Number(-1), Apply(Op.ADD, args))):
            parts = [split_coefficient(arg) for arg in args]
            return tuple(scaled(times(-1, value), rest) for value, rest in parts)
    return (summand,)


def _product_expression(product: Product, shown: Sequence[Expression]) -> Expression:
    """A product as a tree, with the numbers before its sums that make it shortest."""
    scales = [scales_of(bracket.products) for bracket in product.brackets]
    written = [_scaled_product(product, chosen, shown) for chosen in choices(*scales)]
    return min(written, key=length)


def scales_of(products: Sequence[Product]) -> list[Real]:
    """Numbers that may be taken out of a sum; its sign goes with them."""
    values = [each.coefficient for each in products]
    sizes: list[Real] = [*dict.fromkeys(magnitude(value) for value in values)][:MOST_SCALES]
    sizes += [1] * (1 not in sizes)
    return [-each for each in sizes] if all(v < 0 for v in values) else sizes


def _scaled_product(
    product: Product, scales: Sequence[Real], shown: Sequence[Expression]
) -> Expression:
    coefficient = product.coefficient
    for scale, bracket in zip(scales, product.brackets, strict=True):
        coefficient = short(coefficient * whole_power(scale, bracket.power))
    signs = [1] * len(scales)
    if coefficient < 0:
        for index, bracket in enumerate(product.brackets):
            values = {each.coefficient > 0 for each in bracket.products}
            if len(values) == 2 and bracket.power % 2:
                signs[index], coefficient = -1, -coefficient
                break
    factors = [
        power_of(_over(bracket.products, sign * scale, shown), bracket.power)
        for bracket, scale, sign in zip(product.brackets, scales, signs, strict=True)
    ]
    monomial = monomial_expression(product.monomial, shown)
    inner = [factor for factor in factors_of(monomial) if factor != ONE]
    if len(factors) == 1 and not inner and coefficient == 1:
        return factors[0]
    inner += [part for factor in factors for part in factors_of(factor)]
    numbers = [each.value for each in inner if isinstance(each, Number)]
    inner = [each for each in inner if not isinstance(each, Number)]
    coefficient = short(coefficient * math.prod(numbers))
    return scaled(coefficient, multiplied(sorted(inner, key=_paper_order) or [ONE]))


def _over(products: Sequence[Product], scale: Real, shown: Sequence[Expression]) -> Expression:
    divided_ones = [
        replace(each, coefficient=quotient(each.coefficient, scale)) for each in products
    ]
    return _plain_sum(divided_ones, shown)


def _paper_order(factor: Expression) -> tuple[bool, bool, str]:
    """Variables and functions, then sums."""
    return (is_sum(factor), *factor_order(factor))
