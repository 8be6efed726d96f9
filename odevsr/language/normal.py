"""The normal form: one way of writing each family of functions, with no redundant constant.

A normal form is a sum of terms, a term a coefficient times powers of bases. Equal terms are merged,
open constants absorb each other (C + C, C*C, C*(C + C*x)), and a base that is a sum has leading
coefficient 1 wherever the factor it sheds can be carried by the term's own coefficient. What depends
linearly on an open constant therefore shows it as the coefficient of a term, ready for a linear solve.

The form stands for a family: fitted over its constants it reaches whatever the original reaches.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction

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
    Variable,
    count,
    walk,
)
from odevsr.language.text import to_text

INVALID = Number(math.nan)
"""What an expression without a value, such as 1/0, is reduced to."""

MOST_TERMS = 12
LARGEST_POWER = 12
_HALF = Fraction(1, 2)

Coefficient = Real | Constant
Powers = list[tuple[Expression, Real]]


def normal_form(expression: Expression) -> Expression:
    """The normal form of any tree.

    >>> from odevsr.language.parse import parse
    >>> to_text(normal_form(parse("C*(C + C*x) - C", ["x"], open_symbols=True)))
    'C*x + C'
    """
    if not isinstance(expression, Apply):
        return expression
    return combine(expression.op, tuple(normal_form(arg) for arg in expression.args))


def combine(op: Op, args: tuple[Expression, ...]) -> Expression:
    """The normal form of an operator applied to normal forms."""
    if INVALID in args:
        return INVALID
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
            return _power(args[0], _HALF)
    return _function(op, args[0])


def terms(expression: Expression) -> tuple[Expression, ...]:
    """The summands of a normal form."""
    if isinstance(expression, Apply) and expression.op is Op.ADD:
        return expression.args
    return (expression,)


def split_coefficient(term: Expression) -> tuple[Coefficient, Expression]:
    """A term as its coefficient (a number or an open constant) and what it multiplies."""
    match term:
        case Number(value):
            return value, ONE
        case Constant():
            return CONSTANT, ONE
        case Apply(Op.MUL, (Number(value), *rest)):
            return value, _joined(rest)
        case Apply(Op.MUL, (Constant(), *rest)):
            return CONSTANT, _joined(rest)
    return 1, term


def _joined(factors: list[Expression]) -> Expression:
    return factors[0] if len(factors) == 1 else Apply(Op.MUL, tuple(factors))


def _sum(args: Iterable[Expression]) -> Expression:
    coefficients: dict[Expression, Coefficient] = {}
    unmerged: list[tuple[Expression, Coefficient]] = []
    for arg in args:
        for term in terms(arg):
            coefficient, rest = split_coefficient(term)
            if _is_open(rest):
                unmerged.append((rest, coefficient))
            else:
                coefficients[rest] = _plus(coefficients.get(rest, 0), coefficient)
    pieces = [
        _scaled(coefficient, rest)
        for rest, coefficient in sorted([*coefficients.items(), *unmerged], key=_term_order)
        if coefficient != 0
    ]
    if len(pieces) > 1:
        return Apply(Op.ADD, tuple(pieces))
    return pieces[0] if pieces else ZERO


def _product(args: Iterable[Expression]) -> Expression:
    coefficient, powers = _collected(args)
    if coefficient == 0:
        return ZERO
    coefficient, powers = _with_monic_bases(coefficient, powers)
    factors = [_raised(base, exponent) for base, exponent in powers]
    return _distributed(coefficient, factors) or _scaled(coefficient, _ordered_product(factors))


def _is_open(expression: Expression) -> bool:
    """True if it holds an open constant: two such parts may look alike and still differ in value."""
    return count(expression, Constant) > 0


def _collected(args: Iterable[Expression]) -> tuple[Coefficient, Powers]:
    """All factors as one coefficient and (base, exponent) pairs; exponentials share one base."""
    coefficient: Coefficient = 1
    powers: dict[Expression, Real] = {}
    unmerged: Powers = []
    rates: list[Expression] = []
    for arg in args:
        factors = arg.args if isinstance(arg, Apply) and arg.op is Op.MUL else (arg,)
        for factor in factors:
            match factor:
                case Number(value):
                    coefficient = _times(coefficient, value)
                case Constant():
                    coefficient = _times(coefficient, CONSTANT)
                case Apply(Op.EXP, (rate,)):
                    rates.append(rate)
                case _:
                    base, exponent = _split_power(factor)
                    if _is_open(base):
                        unmerged.append((base, exponent))
                    else:
                        powers[base] = powers.get(base, 0) + exponent
    if rates:
        factor, exponential = split_coefficient(_function(Op.EXP, _sum(rates)))
        coefficient = _times(coefficient, factor)
        if exponential != ONE:
            unmerged.append((exponential, 1))
    return coefficient, _without_absorbed_powers([*powers.items(), *unmerged])


def _without_absorbed_powers(powers: Powers) -> Powers:
    """x**2 * x**C is the family x**C; exponents that cancelled are gone."""
    free = {
        base.args[0]
        for base, _ in powers
        if isinstance(base, Apply) and base.op is Op.POW and base.args[1] == CONSTANT
    }
    return [(base, exponent) for base, exponent in powers if exponent != 0 and base not in free]


def _with_monic_bases(coefficient: Coefficient, powers: Powers) -> tuple[Coefficient, Powers]:
    """Sums among the bases scaled to leading coefficient 1, the factor moved into the coefficient."""
    result: Powers = []
    for base, exponent in powers:
        monic = base
        if exponent == int(exponent) and not (exponent == 1 and len(powers) == 1):
            factor, monic = _monic(base)
            coefficient = _times(coefficient, _raised_coefficient(factor, int(exponent)))
        result.append((monic, exponent))
    return coefficient, result


def _monic(base: Expression) -> tuple[Coefficient, Expression]:
    """A sum divided by its leading coefficient, if that leaves as many constants or fewer."""
    summands = terms(base)
    if len(summands) == 1:
        return 1, base
    parts = [split_coefficient(term) for term in summands]
    leading = parts[0][0]
    if isinstance(leading, Constant):
        if not all(isinstance(coefficient, Constant) for coefficient, _ in parts):
            return 1, base
        rest = parts[1:]
        return CONSTANT, _sum((parts[0][1], *(_scaled(CONSTANT, part) for _, part in rest)))
    if leading == 1:
        return 1, base
    inverse = _inverse(leading)
    return leading, _sum(_scaled(_times(c, inverse), part) for c, part in parts)


def _distributed(coefficient: Coefficient, factors: list[Expression]) -> Expression | None:
    """The product multiplied out over its first sum, where that adds no constant."""
    for index, factor in enumerate(factors):
        if isinstance(factor, Apply) and factor.op is Op.ADD:
            others = factors[:index] + factors[index + 1 :]
            free = sum(isinstance(split_coefficient(term)[0], Constant) for term in factor.args)
            is_free = isinstance(coefficient, Constant)
            if (
                len(factor.args) > MOST_TERMS
                or (is_free and free < len(factor.args) - 1)
                or any(_is_open(other) for other in others)
            ):
                return None
            scale = CONSTANT if is_free else Number(coefficient)
            return _sum(_product((scale, term, *others)) for term in factor.args)
    return None


def _general_power(base: Expression, exponent: Expression) -> Expression:
    if isinstance(exponent, Number):
        return _power(base, exponent.value)
    if base == ONE:
        return ONE
    if isinstance(base, Number | Constant) and exponent == CONSTANT:
        return CONSTANT
    return Apply(Op.POW, (base, exponent))


def _power(base: Expression, exponent: Real) -> Expression:
    """A numeric power; whole ones go through products, powers and exponentials."""
    if exponent == 0:
        return ONE
    if exponent == 1 or base == CONSTANT:
        return base
    if isinstance(base, Number):
        return _number_power(base.value, exponent)
    if exponent != int(exponent) or abs(exponent) > LARGEST_POWER:
        return _raised(base, exponent)
    if isinstance(base, Apply) and base.op is Op.MUL:
        return _product(_power(factor, exponent) for factor in base.args)
    if isinstance(base, Apply) and base.op is Op.EXP:
        return _function(Op.EXP, _product((Number(exponent), base.args[0])))
    inner, power = _split_power(base)
    coefficient, inner = _monic(inner) if power == 1 else (1, inner)
    scale = _raised_coefficient(coefficient, int(exponent))
    return _scaled(scale, _raised(inner, power * exponent))


def _number_power(base: Real, exponent: Real) -> Expression:
    if base == 0 and exponent < 0:
        return INVALID
    if exponent == int(exponent) and not isinstance(base, float):
        return Number(Fraction(base) ** int(exponent))
    return _evaluated(lambda: math.pow(float(base), float(exponent)))


def _split_power(factor: Expression) -> tuple[Expression, Real]:
    match factor:
        case Apply(Op.POW, (base, Number(exponent))):
            return base, exponent
        case Apply(Op.SQRT, (base,)):
            return base, _HALF
    return factor, 1


def _raised(base: Expression, exponent: Real) -> Expression:
    if exponent == 1:
        return base
    if exponent == _HALF:
        return Apply(Op.SQRT, (base,))
    return Apply(Op.POW, (base, Number(exponent)))


_FUNCTION_VALUES: dict[Op, Callable[[float], float]] = {
    Op.SIN: math.sin,
    Op.COS: math.cos,
    Op.TAN: math.tan,
    Op.COT: lambda value: 1 / math.tan(value),
    Op.SINH: math.sinh,
    Op.COSH: math.cosh,
    Op.TANH: math.tanh,
    Op.ASIN: math.asin,
    Op.ACOS: math.acos,
    Op.ATAN: math.atan,
    Op.EXP: math.exp,
    Op.LOG: math.log,
    Op.ABS: abs,
}
_ODD = frozenset({Op.SIN, Op.TAN, Op.COT, Op.SINH, Op.TANH, Op.ASIN, Op.ATAN})
_EVEN = frozenset({Op.COS, Op.COSH, Op.ABS})


def _function(op: Op, argument: Expression) -> Expression:
    match argument:
        case Constant():
            return CONSTANT
        case Number(value):
            return _evaluated(lambda: _FUNCTION_VALUES[op](float(value)))
    summands = terms(argument)
    shifted = summands[-1] == CONSTANT
    if op is Op.EXP and shifted:
        return _product((CONSTANT, _function(Op.EXP, _sum(summands[:-1]))))
    if op is Op.COS and shifted:
        op = Op.SIN
    leading = split_coefficient(summands[0])[0]
    if op in _ODD | _EVEN and not isinstance(leading, Constant) and leading < 0:
        mirrored = Apply(op, (_product((Number(-1), argument)),))
        return mirrored if op in _EVEN else Apply(Op.MUL, (Number(-1), mirrored))
    return Apply(op, (argument,))


def _evaluated(value: Callable[[], float]) -> Expression:
    try:
        return Number(value())
    except (ValueError, OverflowError, ZeroDivisionError):
        return INVALID


def _plus(left: Coefficient, right: Coefficient) -> Coefficient:
    if isinstance(left, Constant) or isinstance(right, Constant):
        return CONSTANT
    return left + right


def _times(left: Coefficient, right: Coefficient) -> Coefficient:
    if left == 0 or right == 0:
        return 0
    if isinstance(left, Constant) or isinstance(right, Constant):
        return CONSTANT
    return left * right


def _inverse(value: Real) -> Real:
    return 1 / value if isinstance(value, float) else 1 / Fraction(value)


def _raised_coefficient(coefficient: Coefficient, exponent: int) -> Coefficient:
    if isinstance(coefficient, Constant):
        return CONSTANT
    return coefficient**exponent if exponent > 0 else _inverse(coefficient) ** -exponent


def _scaled(coefficient: Coefficient, rest: Expression) -> Expression:
    """coefficient * rest, where rest has no coefficient of its own."""
    if coefficient == 1:
        return rest
    first = CONSTANT if isinstance(coefficient, Constant) else Number(coefficient)
    if rest == ONE:
        return first
    factors = rest.args if isinstance(rest, Apply) and rest.op is Op.MUL else (rest,)
    return Apply(Op.MUL, (first, *factors))


def _ordered_product(factors: list[Expression]) -> Expression:
    if not factors:
        return ONE
    return _joined(sorted(factors, key=_factor_order))


def _factor_order(factor: Expression) -> tuple[bool, str]:
    return not isinstance(_split_power(factor)[0], Variable), to_text(factor)


def _term_order(item: tuple[Expression, Coefficient]) -> tuple[bool, Real, str]:
    """Highest degree first, plain constants last."""
    rest = item[0]
    return rest == ONE, -_degree(rest), to_text(rest)


def _degree(rest: Expression) -> Real:
    """Total degree of a monomial; 0 for what is not one."""
    factors = rest.args if isinstance(rest, Apply) and rest.op is Op.MUL else (rest,)
    powers = [_split_power(factor) for factor in factors]
    return sum(exponent for base, exponent in powers if isinstance(base, Variable))


def is_invalid(expression: Expression) -> bool:
    """True when a part of the normal form has no value."""
    return any(node is INVALID for node in walk(expression))
