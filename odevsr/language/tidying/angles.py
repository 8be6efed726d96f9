"""Waves as a person writes them: sin(x - y) for sin(x)*cos(y) - cos(x)*sin(y), phases for pairs."""

from __future__ import annotations

import math
from collections import defaultdict
from fractions import Fraction
from typing import TypeGuard

from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.term import added, factors_of, multiplied, split_coefficient, terms
from odevsr.language.expression import ONE, Apply, Constant, Expression, Number, Op

WAVES = frozenset({Op.SIN, Op.COS})
HALF = Number(Fraction(1, 2))
NEGLIGIBLE = 1e-7
"""A term is what rounding left of two that cancel if its coefficient is smaller than the largest by
this factor."""


def contracted(expression: Expression) -> Expression:
    """The sum with products of sines and cosines written as waves of sums and differences.

    >>> from odevsr.language.parse import parse
    >>> from odevsr.language.text import to_text
    >>> to_text(contracted(parse("3*sin(x)*cos(y) - 3*cos(x)*sin(y)", ["x", "y"])))
    '3*sin(x - y)'
    """
    summands = [_of_sums(term) for term in terms(normal_form(expression))]
    return _without_rests(normal_form(added(summands)))


def _of_sums(term: Expression) -> Expression:
    """A term whose two first waves, if it has two, are replaced by waves of sum and difference."""
    factors = factors_of(term)
    waves = [each for each in factors if _is_wave(each)]
    if len(waves) < 2:
        return term
    others = [each for each in factors if each not in waves[:2]]
    halves = [multiplied([HALF, half, *others]) for half in _product(*waves[:2])]
    return added([_of_sums(term) for half in halves for term in terms(normal_form(half))])


def _is_wave(factor: Expression) -> TypeGuard[Apply]:
    return isinstance(factor, Apply) and factor.op in WAVES


def _product(first: Apply, second: Apply) -> tuple[Expression, Expression]:
    """Twice the product of two waves, as the two waves that it is the sum of."""
    if first.op is Op.COS and second.op is Op.SIN:
        first, second = second, first
    plus, minus = (Apply(op, (first.args[0], second.args[0])) for op in (Op.ADD, Op.SUB))
    if first.op is not second.op:
        return Apply(Op.SIN, (plus,)), Apply(Op.SIN, (minus,))
    sign = Number(-1 if first.op is Op.SIN else 1)
    return Apply(Op.COS, (minus,)), Apply(Op.MUL, (sign, Apply(Op.COS, (plus,))))


def _without_rests(expression: Expression) -> Expression:
    sized = [(abs(_coefficient(term)), term) for term in terms(expression)]
    largest = max(size for size, _ in sized)
    return added([term for size, term in sized if size >= NEGLIGIBLE * largest])


def _coefficient(term: Expression) -> float:
    """The number before a term, of which a law has one everywhere."""
    coefficient, _ = split_coefficient(term)
    return math.nan if isinstance(coefficient, Constant) else float(coefficient)


def with_phases(expression: Expression) -> Expression:
    """The sum with a*sin(u) + b*cos(u), wherever both stand beside the same factors, as one wave.

    >>> from odevsr.language.parse import parse
    >>> from odevsr.language.text import to_text
    >>> to_text(with_phases(parse("y*sin(2*x) + y*cos(2*x)", ["x", "y"])))
    '1.4142135623730951*y*sin(2*x + 0.7853981633974483)'
    """
    rest: list[Expression] = []
    pairs: dict[tuple[Expression, Expression], dict[Op, float]] = defaultdict(dict)
    for term in terms(normal_form(expression)):
        factors = factors_of(term)
        waves = [each for each in factors if _is_wave(each)]
        if len(waves) != 1:
            rest.append(term)
            continue
        (wave,) = waves
        beside = multiplied([ONE, ONE, *(each for each in factors if each is not wave)])
        beside = normal_form(beside)
        _, others = split_coefficient(beside)
        pairs[others, wave.args[0]][wave.op] = _coefficient(beside)
    for (others, argument), sizes in pairs.items():
        if len(sizes) == 1:
            rest += [
                multiplied([Number(size), others, Apply(op, (argument,))])
                for op, size in sizes.items()
            ]
            continue
        phase = Number(math.atan2(sizes[Op.COS], sizes[Op.SIN]))
        wave = Apply(Op.SIN, (Apply(Op.ADD, (argument, phase)),))
        rest.append(multiplied([Number(math.hypot(*sizes.values())), others, wave]))
    return normal_form(added(rest))
