"""Parts of normal forms: sums of terms, terms as coefficient and factors, factors as powers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TypeGuard

from odevsr.language.algebra.coefficient import Coefficient
from odevsr.language.expression import (
    CONSTANT,
    ONE,
    Apply,
    Constant,
    Expression,
    Number,
    Op,
    Real,
    walk,
)

Powers = list[tuple[Expression, Real]]
"""Factors as bases and exponents."""

HALF = Fraction(1, 2)
CACHED = 30_000
"""Terms whose properties are remembered; enough for a batch of candidates and their parts."""


def terms(expression: Expression) -> tuple[Expression, ...]:
    """The summands of a normal form."""
    return expression.args if is_sum(expression) else (expression,)


@lru_cache(maxsize=CACHED)
def split_coefficient(term: Expression) -> tuple[Coefficient, Expression]:
    """A term as its coefficient (a number or an open constant) and what it multiplies."""
    match term:
        case Number(value):
            return value, ONE
        case Constant():
            return CONSTANT, ONE
        case Apply(Op.MUL, (Number(value), *rest)):
            return value, multiplied(rest)
        case Apply(Op.MUL, (Constant(), *rest)):
            return CONSTANT, multiplied(rest)
    return 1, term


def is_sum(expression: Expression) -> TypeGuard[Apply]:
    """True if the outermost operation is an addition."""
    return isinstance(expression, Apply) and expression.op is Op.ADD


def multiplied(factors: Sequence[Expression]) -> Expression:
    """One factor itself, several as a product."""
    return factors[0] if len(factors) == 1 else Apply(Op.MUL, tuple(factors))


def added(summands: Sequence[Expression]) -> Expression:
    """One summand itself, several as a sum."""
    return summands[0] if len(summands) == 1 else Apply(Op.ADD, tuple(summands))


def scaled(coefficient: Coefficient, rest: Expression) -> Expression:
    """The product of a coefficient and what has none of its own."""
    if coefficient == 1:
        return rest
    first = CONSTANT if isinstance(coefficient, Constant) else Number(coefficient)
    return first if rest == ONE else Apply(Op.MUL, (first, *factors_of(rest)))


def factors_of(term: Expression) -> tuple[Expression, ...]:
    """The factors of a product, else the term itself."""
    return term.args if isinstance(term, Apply) and term.op is Op.MUL else (term,)


@lru_cache(maxsize=CACHED)
def is_open(expression: Expression) -> bool:
    """True if it holds an open constant: two such parts may look alike and differ in value."""
    return any(isinstance(node, Constant) for node in walk(expression))


@lru_cache(maxsize=CACHED)
def split_power(factor: Expression) -> tuple[Expression, Real]:
    """A factor as base and exponent."""
    match factor:
        case Apply(Op.POW, (base, Number(exponent))):
            return base, exponent
        case Apply(Op.SQRT, (base,)):
            return base, HALF
    return factor, 1


def power_of(base: Expression, exponent: Real) -> Expression:
    """A power written down; `base` is no power itself."""
    if exponent == 1:
        return base
    if exponent == HALF:
        return Apply(Op.SQRT, (base,))
    return Apply(Op.POW, (base, Number(exponent)))


def merged(powers: Powers) -> Powers:
    """Powers of equal bases added up; x**2 * x**C is the family x**C, and so is x**C * x**C."""
    exponents: dict[Expression, Real] = {}
    unmerged: Powers = []
    free = {base.args[0] for base, _ in powers if is_free_power(base)}
    for base, exponent in powers:
        if is_open(base) and not is_free_power(base):
            unmerged.append((base, exponent))
        elif base not in free:
            exponents[base] = 1 if is_free_power(base) else exponents.get(base, 0) + exponent
    return [*((base, exponent) for base, exponent in exponents.items() if exponent != 0), *unmerged]


def is_free_power(base: Expression) -> TypeGuard[Apply]:
    """True for x**C: a power with an open exponent and nothing else open."""
    return (
        isinstance(base, Apply)
        and base.op is Op.POW
        and base.args[1] == CONSTANT
        and not is_open(base.args[0])
    )


def split_fraction(factors: Sequence[Expression]) -> tuple[list[Expression], list[Expression]]:
    """Factors above and below the fraction bar; those of negative power go below, turned over."""
    above: list[Expression] = []
    below: list[Expression] = []
    for factor in factors:
        match factor:
            case Apply(Op.POW, (base, Number(-1))):
                below.append(base)
            case Apply(Op.POW, (base, Number(exponent))) if exponent < 0:
                below.append(Apply(Op.POW, (base, Number(-exponent))))
            case _:
                above.append(factor)
    return above, below
