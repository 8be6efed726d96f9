"""Local identities: what a law looks like over other waves, logarithms, powers and scales."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from typing import TypeGuard

from odevsr.language.algebra.coefficient import times
from odevsr.language.algebra.normal import is_invalid, normal_form
from odevsr.language.algebra.polynomial import quotient
from odevsr.language.algebra.term import (
    added,
    factors_of,
    is_sum,
    multiplied,
    power_of,
    scaled,
    split_coefficient,
    split_power,
    terms,
)
from odevsr.language.expression import (
    ONE,
    Apply,
    Constant,
    Expression,
    Number,
    Op,
    Real,
    rebuild,
    walk,
)
from odevsr.language.size import length

Change = Callable[[Expression], Expression]
NEGLIGIBLE = 1e-9
"""Share of the largest number of a sum below which another may be nought."""
LARGEST_RATE = 300.0
WAVES = (Op.SIN, Op.COS)


def changed(expression: Expression, change: Change) -> Expression:
    """The tree with a change made wherever it applies, innermost first."""
    if not isinstance(expression, Apply):
        return expression
    args = tuple(changed(arg, change) for arg in expression.args)
    return change(expression if args == expression.args else Apply(expression.op, args))


def tied(expression: Expression, tolerance: float) -> Expression:
    """The tree with one number for all that are not exact and differ, but for sign, by less."""
    numbers = [node for node in walk(expression) if isinstance(node, Number)]
    sizes = sorted({abs(each.value) for each in numbers if isinstance(each.value, float)})
    known: dict[float, float] = {}
    for size in sizes:
        last = next(reversed(known.values()), math.inf)
        known[size] = last if size - last <= tolerance * size and known else size
    new = [
        Number(math.copysign(known[abs(each.value)], each.value))
        if isinstance(each.value, float)
        else each
        for each in numbers
    ]
    return rebuild(expression, iter(new), Number)


def readings(expression: Expression, tolerance: float) -> list[Expression]:
    """The law as it is, then over other bases: without dust, with double angles opened or made."""
    plain = changed(normal_form(tied(expression, tolerance)), _root_of_even_power)
    found = [changed(normal_form(plain), _power_of_log)]
    if any(is_sum(node) for term in terms(found[0]) for node in walk(term)):
        found.append(normal_form(changed(found[0], _without_dust)))
    found += [normal_form(changed(each, _with_one_logarithm)) for each in found]
    found += [_with_numbers_in_logarithms(each) for each in found]
    for each in tuple(dict.fromkeys(found)):
        found += [normal_form(changed(each, change)) for change in _of_angles(each)]
    return [each for each in dict.fromkeys(found) if not is_invalid(each)]


def _with_numbers_in_logarithms(expression: Expression) -> Expression:
    """k*f*log(C*u) for k*f*log(u) + c*f, if c is not exact: C may be the simpler number."""
    parts = {rest: value for value, rest in map(split_coefficient, terms(expression))}
    for rest, value in tuple(parts.items()):
        factors = factors_of(rest)
        logs = [each for each in factors if isinstance(each, Apply) and each.op is Op.LOG]
        beside = multiplied([each for each in factors if each not in logs[:1]] or [ONE])
        number = parts.get(beside)
        if not logs or not isinstance(number, float) or isinstance(value, Constant):
            continue
        shift = number / float(value)
        if abs(shift) <= LARGEST_RATE:
            whole = Apply(Op.LOG, (_times(logs[0].args[0], math.exp(shift)),))
            del parts[beside], parts[rest]
            parts[multiplied([*(factors_of(beside) if beside != ONE else ()), whole])] = value
    return added([scaled(value, rest) for rest, value in parts.items()])


def _with_one_logarithm(node: Expression) -> Expression:
    """k*f*log(u*v) for k*f*log(u) + k*f*log(v), and log(u/v) for a difference."""
    if not is_sum(node):
        return node
    joined: dict[tuple[Expression, float], tuple[Real, Expression]] = {}
    others = []
    for term in terms(node):
        value, rest = split_coefficient(term)
        factors = factors_of(rest)
        logs = [each for each in factors if isinstance(each, Apply) and each.op is Op.LOG]
        if len(logs) != 1 or isinstance(value, Constant):
            others.append(term)
            continue
        beside = multiplied([each for each in factors if each not in logs] or [ONE])
        first, before = joined.setdefault((beside, abs(float(value))), (value, ONE))
        power = Number(1 if value == first else -1)
        inside = multiplied([before, Apply(Op.POW, (logs[0].args[0], power))])
        joined[beside, abs(float(value))] = first, inside
    return added(
        [multiplied([Number(value), beside, Apply(Op.LOG, (inside,))])
         for (beside, _), (value, inside) in joined.items()] + others
    )  # fmt: skip


def _power_of_log(node: Expression) -> Expression:
    """x**y for exp(y*log(x))."""
    match node:
        case Apply(Op.EXP, (Apply(Op.MUL, factors),)):
            logs = [each for each in factors if isinstance(each, Apply) and each.op is Op.LOG]
            if len(logs) == 1 and len(factors) == 2:
                (exponent,) = (each for each in factors if each is not logs[0])
                return Apply(Op.POW, (logs[0].args[0], exponent))
    return node


def _root_of_even_power(node: Expression) -> Expression:
    """abs(x) for (x**2)**(1/2), and so on for all whole powers of it."""
    inside, root = split_power(node)
    base, even = split_power(inside)
    power = float(even * root)
    if root == 1 or even % 2 or not power.is_integer():
        return node
    return power_of(Apply(Op.ABS, (base,)) if power % 2 else base, int(power))


def _without_dust(node: Expression) -> Expression:
    """A sum without terms whose numbers are nothing beside its largest."""
    if not is_sum(node):
        return node
    sizes = [_size(term) for term in node.args]
    kept = [
        term for term, size in zip(node.args, sizes, strict=True) if size >= NEGLIGIBLE * max(sizes)
    ]
    return added(kept)


def _size(term: Expression) -> float:
    coefficient, _ = split_coefficient(term)
    return math.nan if isinstance(coefficient, Constant) else abs(float(coefficient))


def _of_angles(expression: Expression) -> list[Change]:
    """Changes between angles and their doubles, if the law holds both."""
    waves = {node for node in walk(expression) if isinstance(node, Apply) and node.op in WAVES}
    arguments = {node.args[0] for node in waves}
    doubles = {each for each in arguments if _times(each, Fraction(1, 2)) in arguments}
    if not doubles:
        return []
    return [lambda node: _opened(node, doubles), lambda node: _doubled(node, doubles)]


def _times(argument: Expression, number: Real) -> Expression:
    """A number times a term, or times each term of a sum."""
    parts = [split_coefficient(term) for term in terms(argument)]
    return added([scaled(times(value, number), rest) for value, rest in parts])


def _opened(node: Expression, doubles: Collection[Expression]) -> Expression:
    """Waves of an angle for those of its double."""
    match node:
        case Apply(Op.SIN | Op.COS as op, (argument,)) if argument in doubles:
            half = _times(argument, Fraction(1, 2))
            sine, cosine = Apply(Op.SIN, (half,)), Apply(Op.COS, (half,))
            if op is Op.SIN:
                return multiplied([Number(2), sine, cosine])
            return added([multiplied([Number(2), cosine, cosine]), Number(-1)])
    return node


def _doubled(node: Expression, doubles: Collection[Expression]) -> Expression:
    """Waves of the double for squares of those of an angle."""
    match node:
        case Apply(Op.POW, (Apply(Op.SIN | Op.COS as op, (argument,)), Number(2))):
            double = _times(argument, Fraction(2))
            if double in doubles:
                sign = Fraction(1 if op is Op.COS else -1, 2)
                cosine = multiplied([Number(sign), Apply(Op.COS, (double,))])
                return added([Number(Fraction(1, 2)), cosine])
    return node


# Where else a number may stand


def with_simple_denominators(node: Expression) -> Expression:
    """The product with numbers before its denominators that make it shorter: 5/(3*x + 1)."""
    options = [_with_scaled_sum(node, each) for each in (_inverse_of_number, _common_multiple)]
    return min((node, *options), key=length)


def with_one_below(node: Expression) -> Expression:
    """(a/K)/(1 + u/K) for a/(u + K), whose numbers may be the simpler ones."""
    return _with_scaled_sum(node, _inverse_of_number)


def _with_scaled_sum(
    node: Expression, scale_of: Callable[[Sequence[Expression]], Real]
) -> Expression:
    """A product whose first denominator is multiplied by a number, as is what stands above."""
    if not ((isinstance(node, Apply) and node.op is Op.MUL) or _is_divisor(node)):
        return node
    coefficient, rest = split_coefficient(node)
    factors = list(factors_of(rest))
    for index, factor in enumerate(factors):
        if _is_divisor(factor):
            summands = terms(factor.args[0])
            if (scale := scale_of(summands)) == 1:
                continue
            below = [_times(each, scale) for each in summands]
            factors[index] = Apply(Op.POW, (added(below), Number(-1)))
            return scaled(times(coefficient, scale), multiplied(factors))
    return node


def _is_divisor(factor: Expression) -> TypeGuard[Apply]:
    match factor:
        case Apply(Op.POW, (Apply(Op.ADD), Number(-1))):
            return True
    return False


def _inverse_of_number(summands: Sequence[Expression]) -> Real:
    number = next((each.value for each in summands if isinstance(each, Number)), 1)
    return quotient(1, number)


def _common_multiple(summands: Sequence[Expression]) -> Real:
    values = [split_coefficient(each)[0] for each in summands]
    exact = [each for each in values if isinstance(each, int | Fraction)]
    return math.lcm(*(each.denominator for each in exact)) if len(exact) == len(values) else 1
