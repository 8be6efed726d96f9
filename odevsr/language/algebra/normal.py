"""The normal form: one way of writing each family of functions, with no redundant constant.

A normal form is a sum of terms, a term a coefficient times powers of bases. Equal terms are merged,
open constants absorb each other (C + C, C*C, C*(C + C*x)), and a base that is a sum has leading
coefficient 1 wherever the factor it sheds can be carried by the term's own coefficient. What
depends linearly on an open constant therefore shows it as the coefficient of a term, ready for a
linear solve.

The form stands for a family: fitted over its constants it reaches whatever the original reaches.
Domains may grow (x/x is 1), they never shrink.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache

from odevsr.language.algebra.coefficient import (
    Coefficient,
    NoValueError,
    function_value,
    plus,
    raised,
    times,
)
from odevsr.language.algebra.order import factor_order, term_order
from odevsr.language.algebra.term import (
    HALF,
    Powers,
    added,
    factors_of,
    is_free_power,
    is_open,
    is_sum,
    merged,
    multiplied,
    power_of,
    scaled,
    split_power,
)
from odevsr.language.algebra.term import split_coefficient as split_coefficient
from odevsr.language.algebra.term import terms as terms
from odevsr.language.expression import (
    CONSTANT,
    ONE,
    ZERO,
    Apply,
    Constant,
    Expression,
    Number,
    Op,
    Real,
)

INVALID = Number(math.nan)
"""What an expression without a value, such as 1/0, is reduced to."""

MOST_TERMS = 24
LARGEST_POWER = 12
REMEMBERED = 10_000
"""Trees whose normal forms are kept: laws of one library are made of the same few terms."""
ODD = frozenset({Op.SIN, Op.TAN, Op.COT, Op.SINH, Op.TANH, Op.ASIN, Op.ATAN})
EVEN = frozenset({Op.COS, Op.COSH, Op.ABS})


@lru_cache(maxsize=REMEMBERED)
def normal_form(expression: Expression) -> Expression:
    """The normal form of any tree.

    >>> from odevsr.language.parse import parse
    >>> from odevsr.language.text import to_text
    >>> to_text(normal_form(parse("C*(C + C*x) - C", ["x"], open_symbols=True)))
    'C*x + C'
    """
    if not isinstance(expression, Apply):
        return expression
    return combine(expression.op, tuple(normal_form(arg) for arg in expression.args))


def open_sum(functions: Sequence[Expression]) -> Expression:
    """The normal form of a sum of functions, each with an open coefficient."""
    return normal_form(added([Apply(Op.MUL, (CONSTANT, each)) for each in functions]))


def weighted_sum(weights: Iterable[float], functions: Iterable[Expression]) -> Expression:
    """The normal form of a sum of functions, each times its weight."""
    pairs = zip(weights, functions, strict=True)
    parts = [Apply(Op.MUL, (Number(float(weight)), each)) for weight, each in pairs]
    return normal_form(added(parts or [ZERO]))


def is_invalid(expression: Expression) -> bool:
    """True for the normal form of what has no value."""
    return isinstance(expression, Number) and math.isnan(expression.value)


def combine(op: Op, args: tuple[Expression, ...]) -> Expression:
    """The normal form of an operator applied to normal forms."""
    if any(is_invalid(arg) for arg in args):
        return INVALID
    try:
        return _combined(op, args)
    except NoValueError:
        return INVALID


def _combined(op: Op, args: tuple[Expression, ...]) -> Expression:
    match op:
        case Op.ADD:
            return _sum(args)
        case Op.SUB:
            return _sum((args[0], _product((Number(-1), args[1]))))
        case Op.MUL:
            return _product(args)
        case Op.DIV:
            return _product((args[0], _power(args[1], -1)))
        case Op.NEG:
            return _product((Number(-1), args[0]))
        case Op.POW:
            return _general_power(*args)
        case Op.SQRT:
            return _power(args[0], HALF)
    return _function(op, args[0])


# Sums


def _sum(args: Iterable[Expression]) -> Expression:
    coefficients: dict[Expression, Coefficient] = {}
    unmerged: list[tuple[Expression, Coefficient]] = []
    for arg in args:
        for term in terms(arg):
            coefficient, rest = split_coefficient(term)
            if is_open(rest):
                unmerged.append((rest, coefficient))
            else:
                coefficients[rest] = plus(coefficients.get(rest, 0), coefficient)
    pieces = [
        scaled(coefficient, rest)
        for rest, coefficient in sorted([*coefficients.items(), *unmerged], key=term_order)
        if coefficient != 0
    ]
    return added(pieces) if pieces else ZERO


# Products


def _product(args: Iterable[Expression]) -> Expression:
    coefficient, powers = _collected(args)
    if coefficient == 0:
        return ZERO
    if len(powers) > 1 or isinstance(coefficient, Constant):
        coefficient, powers = _with_monic_bases(coefficient, powers)
        powers = merged(powers)
    factors = [_power(base, exponent) for base, exponent in powers]
    if any(split_power(factor) != power for factor, power in zip(factors, powers, strict=True)):
        return _product((scaled(coefficient, ONE), *factors))
    factors.sort(key=factor_order)
    return _distributed(coefficient, factors) or scaled(coefficient, multiplied(factors or [ONE]))


def _collected(args: Iterable[Expression]) -> tuple[Coefficient, Powers]:
    """All factors as one coefficient and (base, exponent) pairs; exponentials become one."""
    coefficient: Coefficient = 1
    powers: Powers = []
    rates: list[Expression] = []
    for factor in (factor for arg in args for factor in factors_of(arg)):
        match factor:
            case Number(value):
                coefficient = times(coefficient, value)
            case Constant():
                coefficient = times(coefficient, CONSTANT)
            case Apply(Op.EXP, (rate,)):
                rates.append(rate)
            case _:
                powers.append(split_power(factor))
    if rates:
        scale, exponential = split_coefficient(_function(Op.EXP, _sum(rates)))
        coefficient = times(coefficient, scale)
        if exponential != ONE:
            powers.append((exponential, 1))
    return coefficient, powers


def _with_monic_bases(coefficient: Coefficient, powers: Powers) -> tuple[Coefficient, Powers]:
    """Sums among the bases scaled to leading coefficient 1, the factor moved out of them."""
    if not any(is_sum(base) for base, _ in powers):
        return coefficient, powers
    for can_absorb in (False, True):
        scaled: Powers = []
        for base, exponent in powers:
            if is_sum(base) and exponent == int(exponent):
                factor, base = _monic(base, can_absorb and isinstance(coefficient, Constant))
                coefficient = times(coefficient, raised(factor, exponent))
            scaled.append((base, exponent))
        powers = scaled
    return coefficient, powers


def _monic(base: Expression, can_absorb: bool) -> tuple[Coefficient, Expression]:
    """A sum as (leading coefficient, sum divided by it), if that leaves as many constants or fewer.

    A free leading coefficient makes all others free; with a constant outside to absorb it
    (`can_absorb`), one coefficient that was not may be.
    """
    parts = [split_coefficient(term) for term in terms(base)]
    leading = parts[0][0]
    if leading == 1:
        return 1, base
    if isinstance(leading, Constant):
        fixed = sum(not isinstance(coefficient, Constant) for coefficient, _ in parts)
        if fixed > can_absorb:
            return 1, base
        free = [scaled(CONSTANT, part) for _, part in parts[1:]]
        return CONSTANT, _sum((parts[0][1], *free))
    inverse = raised(leading, -1)
    rest = [scaled(times(coefficient, inverse), part) for coefficient, part in parts[1:]]
    # The first is 1 by definition: a float times its inverse need not be.
    return leading, _sum((parts[0][1], *rest))


def _distributed(coefficient: Coefficient, factors: list[Expression]) -> Expression | None:
    """The product multiplied out over one of its sums, where that adds no constant."""
    sums = [index for index, factor in enumerate(factors) if is_sum(factor)]
    if not sums or math.prod(len(terms(factors[index])) for index in sums) > MOST_TERMS:
        return None
    position = next((index for index in sums if is_open(factors[index])), sums[0])
    chosen, others = terms(factors[position]), factors[:position] + factors[position + 1 :]
    if any(is_open(other) for other in others):
        return None
    if isinstance(coefficient, Constant):
        free = sum(isinstance(split_coefficient(term)[0], Constant) for term in chosen)
        if free < len(chosen) - 1:
            return _scaled_product(factors)
    scale = scaled(coefficient, ONE)
    return _sum(_product((scale, term, *others)) for term in chosen)


def _scaled_product(factors: list[Expression]) -> Expression | None:
    """C times closed factors: their product is written as it would be without the constant."""
    if len(factors) == 1 or any(is_open(factor) for factor in factors):
        return None
    return _product((CONSTANT, _product(factors)))


# Powers and functions


def _general_power(base: Expression, exponent: Expression) -> Expression:
    if isinstance(exponent, Number):
        return _power(base, exponent.value)
    if base == ONE:
        return ONE
    if isinstance(base, Number | Constant) and exponent == CONSTANT:
        return CONSTANT
    if exponent == CONSTANT and is_free_power(base):
        return base
    if isinstance(base, Apply) and base.op is Op.EXP:
        return _function(Op.EXP, _product((exponent, base.args[0])))
    return Apply(Op.POW, (base, exponent))


def _power(base: Expression, exponent: Real) -> Expression:
    """A numeric power; whole ones go through products and powers, all through exponentials."""
    if exponent == 0:
        return ONE
    if exponent == 1 or base == CONSTANT or is_free_power(base):
        return base
    if isinstance(base, Number):
        return scaled(raised(base.value, exponent), ONE)
    if isinstance(base, Apply) and base.op is Op.EXP:
        return _function(Op.EXP, _product((Number(exponent), base.args[0])))
    if exponent != int(exponent) or not -LARGEST_POWER <= exponent <= LARGEST_POWER:
        return power_of(base, exponent)
    if isinstance(base, Apply) and base.op is Op.MUL:
        return _product(_power(factor, exponent) for factor in base.args)
    inner, power = split_power(base)
    if power != 1:
        return _power(inner, power * exponent)
    coefficient, inner = _monic(inner, can_absorb=False) if is_sum(inner) else (1, inner)
    return scaled(raised(coefficient, exponent), power_of(inner, exponent))


def _function(op: Op, argument: Expression) -> Expression:
    match argument:
        case Constant():
            return CONSTANT
        case Number(value):
            return Number(function_value(op, value))
    summands = terms(argument)
    shifted = summands[-1] == CONSTANT
    if op is Op.EXP and shifted:
        return _product((CONSTANT, _function(Op.EXP, _sum(summands[:-1]))))
    if op is Op.COS and shifted:
        op = Op.SIN
    leading = split_coefficient(summands[0])[0]
    if op is Op.ABS and len(summands) == 1 and leading != 1:
        scale = leading if isinstance(leading, Constant) else function_value(op, leading)
        return scaled(scale, _function(op, split_coefficient(argument)[1]))
    if op in ODD | EVEN and not isinstance(leading, Constant) and leading < 0:
        mirrored = _function(op, _product((Number(-1), argument)))
        return mirrored if op in EVEN else _product((Number(-1), mirrored))
    return Apply(op, (argument,))


def multiplied_out(expression: Expression) -> Expression:
    """A normal form whose terms C*(sum) have become sums with an open constant for each term.

    >>> from odevsr.language.parse import parse
    >>> from odevsr.language.text import to_text
    >>> to_text(multiplied_out(normal_form(parse("C*(x + y)", ["x", "y"], open_symbols=True))))
    'C*x + C*y'
    """
    pieces: list[Expression] = []
    for term in terms(expression):
        coefficient, rest = split_coefficient(term)
        factors = factors_of(rest)
        sums = [factor for factor in factors if is_sum(factor)]
        others = [factor for factor in factors if not is_sum(factor)]
        if not isinstance(coefficient, Constant) or len(sums) != 1 or any(map(is_open, others)):
            pieces.append(term)
            continue
        inner = [split_coefficient(summand)[1] for summand in terms(sums[0])]
        pieces += [multiplied([CONSTANT, each, *others]) for each in inner]
    return normal_form(added(pieces))
