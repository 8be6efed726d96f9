"""The shortest writing of a sum that taking things out of it leads to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from odevsr.language.algebra.coefficient import NoValueError
from odevsr.language.algebra.normal import is_invalid, normal_form
from odevsr.language.algebra.polynomial import (
    Bases,
    Monomial,
    Polynomial,
    bases_of,
    content,
    joined,
    monomial_expression,
    polynomial_of,
    quotient,
    ratio_of,
    short,
)
from odevsr.language.algebra.term import is_sum
from odevsr.language.expression import Apply, Expression, Op, Real, variables
from odevsr.language.size import PART, digits, size
from odevsr.language.tidying.brackets import (
    Bracket,
    Product,
    scales_of,
    sum_expression,
    whole_power,
)
from odevsr.language.tidying.grouped import Grouping, groupings
from odevsr.language.tidying.reduced import PARTNERS, reduced

MOST_TERMS = 40
MOST_SUMS = 250
"""Sums looked at before the shortest writing so far is taken."""
SAME_AGAIN = 2 * PART
"""What it costs to the eye if a variable stands before a bracket and in it."""


def factored(expression: Expression, tolerance: float) -> Expression:
    """A short writing of the same value.

    Numbers that are not exact and differ by less than `tolerance`, relatively, may become one.

    >>> from odevsr.language.parse import parse
    >>> from odevsr.language.text import to_text
    >>> to_text(factored(parse("2 - 0.8/(x + 0.4) - 3*y + 1.2*y/(x + 0.4)", ["x", "y"]), 1e-9))
    'x*(2 - 3*y)/(x + 0.4)'
    """
    normal = normal_form(expression)
    if is_invalid(normal):
        return expression
    try:
        return _written(normal, tolerance)
    except NoValueError:
        return expression


def _written(normal: Expression, tolerance: float) -> Expression:
    if not isinstance(normal, Apply):
        return normal
    bases = bases_of(normal, tolerance)
    bases = replace(bases, factors=tuple(dict.fromkeys(_with_partners(bases.factors))))
    polynomial = polynomial_of(normal, bases)
    if len(polynomial) <= MOST_TERMS:
        polynomial = reduced(polynomial, bases)
        polynomial, bases = _turned_over(polynomial, bases)
    shown = tuple(_base_written(base, tolerance) for base in bases.factors)
    names = tuple(variables(base) for base in shown)
    search = _Search(bases, tuple(size(base) for base in shown), names)
    if len(polynomial) > MOST_TERMS:
        return sum_expression(_flat(polynomial), shown)
    return sum_expression(search.shortest(polynomial), shown)


def _with_partners(factors: Iterable[Expression]) -> Iterator[Expression]:
    for factor in factors:
        yield factor
        if isinstance(factor, Apply) and factor.op in PARTNERS:
            yield Apply(PARTNERS[factor.op][0], factor.args)


def _base_written(base: Expression, tolerance: float) -> Expression:
    match base:
        case Apply(Op.EXP, _):
            return base
        case Apply(Op.ADD, _):
            return _written(base, tolerance)
        case Apply(op, args):
            return Apply(op, tuple(_written(arg, tolerance) for arg in args))
    return base


def _turned_over(polynomial: Polynomial, bases: Bases) -> tuple[Polynomial, Bases]:
    """exp(u)/(exp(u) + K) as 1/(1 + K*exp(-u))."""
    for index, base in enumerate(bases.factors):
        over = [each for each in polynomial if each[index] < 0]
        if not is_sum(base) or not over or any(each[index] > 0 for each in polynomial):
            continue
        for monomial in polynomial_of(base, bases):
            waves = [i for i, e in enumerate(monomial) if e]
            if not waves or not all(_is_exponential(bases.factors[i]) for i in waves):
                continue
            if all(each[i] == -each[index] * monomial[i] for each in over for i in waves):
                inverse = tuple(-e for e in monomial)
                below = normal_form(
                    Apply(Op.MUL, (base, monomial_expression(inverse, bases.factors)))
                )
                moved = {
                    tuple(0 if i in waves and each[index] < 0 else e for i, e in enumerate(each)): v
                    for each, v in polynomial.items()
                }
                if len(moved) < len(polynomial):
                    continue
                factors = (*bases.factors[:index], below, *bases.factors[index + 1 :])
                return moved, replace(bases, factors=factors)
    return polynomial, bases


def _is_exponential(base: Expression) -> bool:
    return isinstance(base, Apply) and base.op is Op.EXP


def _flat(polynomial: Polynomial) -> tuple[Product, ...]:
    return tuple(Product(value, monomial) for monomial, value in polynomial.items())


# The search


@dataclass(frozen=True)
class _Search:
    """Sums over the same bases; remembers the shortest writing of each."""

    bases: Bases
    sizes: tuple[int, ...]
    names: tuple[frozenset[str], ...]
    known: dict[frozenset[tuple[Monomial, Real]], tuple[Product, ...]] = field(default_factory=dict)

    def shortest(self, polynomial: Polynomial) -> tuple[Product, ...]:
        """The writing of a polynomial as a sum of products."""
        key = frozenset(polynomial.items())
        if key not in self.known:
            self.known[key] = best = _flat(polynomial)
            if len(polynomial) > 1 and len(self.known) <= MOST_SUMS:
                written = (self._grouped(each) for each in groupings(polynomial, self.bases))
                best = min((best, *written), key=self.cost)
            self.known[key] = best
        return self.known[key]

    def _grouped(self, grouping: Grouping) -> tuple[Product, ...]:
        """The writing of a grouping: its sums and its rest each at their shortest."""
        first = Product(grouping.coefficient, grouping.monomial)
        for polynomial, power in grouping.sums:
            first = self._times(first, polynomial, power)
        rest = self.shortest(grouping.rest) if grouping.rest else ()
        return self._gathered((*_opened(first), *rest))

    def _times(self, product: Product, polynomial: Polynomial, power: int) -> Product:
        products = self.shortest(polynomial)
        if len(products) > 1:
            bracket = Bracket(polynomial, products, power)
            return replace(product, brackets=(*product.brackets, bracket))
        (single,) = products
        return Product(
            short(product.coefficient * whole_power(single.coefficient, power)),
            joined(product.monomial, tuple(power * e for e in single.monomial)),
            (*product.brackets, *(replace(b, power=b.power * power) for b in single.brackets)),
        )

    def _gathered(self, products: tuple[Product, ...]) -> tuple[Product, ...]:
        """Products that share a sum put together: (x + y)**2 + 3*(x + y) is (x + y)*(x + y + 3)."""
        for index, product in enumerate(products):
            for bracket in product.brackets:
                others = [_without(each, bracket, self.bases) for each in products[index:]]
                inner = tuple(each for each in others if each is not None)
                if len(inner) < 2:
                    continue
                outer = [
                    each
                    for each, other in zip(products[index:], others, strict=True)
                    if other is None
                ]
                one = replace(bracket, power=1)
                whole = self._bracketed(inner, one)
                return self._gathered((*products[:index], whole, *outer))
        return products

    def _bracketed(self, inner: tuple[Product, ...], bracket: Bracket) -> Product:
        """A sum of products times a bracket, with what the products have in common taken out."""
        common = content({each.monomial: 1 for each in inner})
        inverse = tuple(-e for e in common)
        inner = tuple(replace(each, monomial=joined(each.monomial, inverse)) for each in inner)
        inner = tuple(part for each in self._gathered(inner) for part in _opened(each))
        if len(inner) == 1:
            return replace(
                inner[0],
                monomial=joined(inner[0].monomial, common),
                brackets=(*inner[0].brackets, bracket),
            )
        return Product(1, common, (Bracket({}, inner, 1), bracket))

    def cost(self, products: Sequence[Product]) -> int:
        """About the length on paper."""
        rests = [self._rest(each) for each in products]
        numbers = [_number_cost(value, alone=not rest) for rest, value in rests]
        return sum(rest for rest, _ in rests) + sum(numbers) + PART * (len(products) - 1)

    def _rest(self, product: Product) -> tuple[int, Real]:
        """The cost of a product but for the number before it, and that number."""
        parts = [self._power_cost(i, e) for i, e in enumerate(product.monomial) if e]
        number = product.coefficient
        for bracket in product.brackets:
            inner = [self._rest(each) for each in bracket.products]
            numbers = [(value, not rest) for rest, value in inner]
            scale = min(scales_of(bracket.products), key=lambda s: _scaled_cost(number, numbers, s))
            number = short(number * whole_power(scale, bracket.power))
            own = sum(rest for rest, _ in inner) + PART * (len(inner) - 1)
            own += sum(_number_cost(quotient(value, scale), alone=a) for value, a in numbers)
            parts.append(own + 2 * PART * (bracket.power != 1))
            if self._variables(product) & self._variables(*bracket.products):
                parts[-1] += SAME_AGAIN
        return sum(parts) + PART * max(len(parts) - 1, 0), number

    def _variables(self, *products: Product) -> frozenset[str]:
        """Names in the monomials of products, and for more than one product in their brackets."""
        names: frozenset[str] = frozenset()
        for product in products:
            for index, exponent in enumerate(product.monomial):
                names |= self.names[index] if exponent else frozenset()
            if len(products) > 1:
                for bracket in product.brackets:
                    names |= self._variables(*bracket.products)
        return names

    def _power_cost(self, index: int, exponent: Real) -> int:
        own = PART * self.sizes[index]
        if _is_exponential(self.bases.factors[index]):
            return own + (0 if exponent == 1 else 2 * PART)
        return own + PART * (0 if exponent in (1, -1) else 1 if exponent == 0.5 else 2)


def _number_cost(value: Real, *, alone: bool) -> int:
    """The length of a number, with the sign of multiplication behind it unless it is alone."""
    if alone:
        return PART + digits(value)
    return 0 if value in (1, -1) else 2 * PART + digits(value)


def _scaled_cost(before: Real, inside: Sequence[tuple[Real, bool]], scale: Real) -> int:
    """The length of the numbers of a sum divided by a scale, and of that before it."""
    inner = [_number_cost(quotient(value, scale), alone=alone) for value, alone in inside]
    return _number_cost(short(before * scale), alone=False) + sum(inner)


def _opened(product: Product) -> tuple[Product, ...]:
    """A sum with nothing but its sign before it as the terms it has."""
    if any(product.monomial) or len(product.brackets) != 1 or product.coefficient not in (1, -1):
        return (product,)
    (bracket,) = product.brackets
    if bracket.power != 1:
        return (product,)
    sign = product.coefficient
    return tuple(replace(each, coefficient=sign * each.coefficient) for each in bracket.products)


def _without(product: Product, bracket: Bracket, bases: Bases) -> Product | None:
    """The product over a sum that it is a multiple of; None if it is none."""
    for index, own in enumerate(product.brackets):
        ratio = ratio_of(bracket.polynomial, own.polynomial, bases) if own.polynomial else None
        if ratio is not None:
            others = product.brackets[:index] + product.brackets[index + 1 :]
            if own.power > 1:
                others = (*others, replace(own, power=own.power - 1))
            return Product(short(product.coefficient * ratio), product.monomial, others)
    return None
