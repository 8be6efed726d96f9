"""Powers of products of positive variables, written as products of powers."""

from __future__ import annotations

from collections.abc import Collection

from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.term import factors_of, multiplied, power_of, split_power
from odevsr.language.expression import Apply, Expression, Number, Op, Real, Variable


def powers_apart(law: Expression, positive: Collection[str]) -> Expression:
    """The law in normal form, where no power of a product holds powers of positive variables.

    >>> from odevsr.language.parse import parse
    >>> from odevsr.language.text import to_text
    >>> to_text(powers_apart(parse("exp((x**0.5*y)**3.2)", ["x", "y"]), ["x", "y"]))
    'exp(x**1.6*y**3.2)'
    """
    return normal_form(_apart(normal_form(law), positive))


def _apart(law: Expression, positive: Collection[str]) -> Expression:
    if not isinstance(law, Apply):
        return law
    law = Apply(law.op, tuple(_apart(each, positive) for each in law.args))
    base, exponent = split_power(law)
    if exponent == 1 or float(exponent).is_integer():
        return law
    factors = factors_of(base)
    powers = [(each, split_power(each)) for each in factors]
    free = [(inner, power) for _, (inner, power) in powers if _is_positive(inner, positive)]
    rest = [each for each, (inner, _) in powers if not _is_positive(inner, positive)]
    pieces = [power_of(inner, _times(power, exponent)) for inner, power in free]
    if rest:
        pieces.append(power_of(multiplied(rest), exponent))
    return multiplied(pieces)


def _is_positive(base: Expression, positive: Collection[str]) -> bool:
    match base:
        case Variable(name):
            return name in positive
        case Number(value):
            return value > 0
        case Apply(Op.EXP, _):
            return True
    return False


def _times(power: Real, exponent: Real) -> Real:
    """The product of exponents, exact where both are."""
    product = power * exponent
    return product if isinstance(product, float) or product.denominator != 1 else int(product)
