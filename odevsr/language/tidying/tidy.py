"""A law as a person would write it: phases within half a turn, quarter turns and roots gathered."""

from __future__ import annotations

import math
from collections.abc import Sequence

from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.term import added, factors_of, multiplied, split_power, terms
from odevsr.language.expression import Apply, Expression, Number, Op, Real, variables

QUARTER = math.pi / 2
QUARTERS = (0, 1, -1, 2, -2)
NEAR, DIGITS = 1e-8, 3
"""A phase this close to a number of so few decimals is that; fits give them with smaller errors."""


def tidy(expression: Expression) -> Expression:
    """An expression of the same value wherever all of it is defined.

    >>> from odevsr.language.parse import parse
    >>> from odevsr.language.text import to_text
    >>> to_text(tidy(parse("sin(x + 7.853981633974483) + sqrt(x)*sqrt(y + 1/x)", ["x", "y"])))
    'cos(x) + sqrt(x*y + 1)'
    """
    return _tidied(normal_form(expression))


def _tidied(expression: Expression) -> Expression:
    match expression:
        case Apply(Op.SIN | Op.COS as op, (argument,)):
            return _turned(op, _tidied(argument))
        case Apply(Op.MUL, args):
            return normal_form(multiplied(_gathered([f for arg in args for f in _cleared(arg)])))
        case Apply(Op.POW, (_, Number())):
            return normal_form(multiplied(_cleared(expression)))
        case Apply(op, args):
            return normal_form(Apply(op, tuple(_tidied(arg) for arg in args)))
    return expression


def _turned(op: Op, argument: Expression) -> Expression:
    """A sine or cosine whose phase is within half a turn.

    Quarter turns are taken out if that makes a short number of the phase, or nought.
    """
    *rest, last = terms(argument)
    if not rest or not isinstance(last, Number):
        return normal_form(Apply(op, (argument,)))
    plain = normal_form(Apply(Op.ADD, (*rest, Number(0))))
    phase = math.remainder(float(last.value), 2 * math.pi)
    quarters = next((turn for turn in QUARTERS if _is_short(phase - turn * QUARTER)), 0)
    if quarters == 0 and abs(phase) > NEAR:
        kept = last.value if abs(float(last.value)) <= math.pi else phase
        return normal_form(Apply(op, (Apply(Op.ADD, (plain, Number(kept))),)))
    position = quarters + (1 if op is Op.COS else 0)
    left = Number(round(phase - quarters * QUARTER, DIGITS))
    turned = Apply(Op.COS if position % 2 else Op.SIN, (Apply(Op.ADD, (plain, left)),))
    sign = -1 if position % 4 in (2, 3) else 1
    return normal_form(Apply(Op.MUL, (Number(sign), turned)))


def _is_short(phase: float) -> bool:
    return abs(phase - round(phase, DIGITS)) <= NEAR


def _cleared(factor: Expression) -> list[Expression]:
    """A factor, tidy inside, as factors whose denominators hold no fractions, nor what cancels.

    1/(a + 1/b) becomes b and 1/(a*b + 1); 1/(a*b + b) becomes 1/b and 1/(a + 1).
    """
    match factor:
        case Apply(Op.POW, (base, Number(power))) if power < 0:
            summands = terms(_tidied(base))
            # What all terms have stays under a root, where it may cancel with other factors.
            divisors = {
                b: k for b, k in _divisors(summands).items() if k > 0 or power == int(power)
            }
            raised = [Apply(Op.POW, (each, Number(k))) for each, k in divisors.items()]
            whole = normal_form(added([multiplied([term, *raised]) for term in summands]))
            back = [Apply(Op.POW, (each, Number(-k * power))) for each, k in divisors.items()]
            return [Apply(Op.POW, (whole, Number(power))), *back]
        case Apply(Op.POW, (base, Number() as power)):
            return [Apply(Op.POW, (_tidied(base), power))]
    return [_tidied(factor)]


def _divisors(summands: Sequence[Expression]) -> dict[Expression, Real]:
    """What the terms are divided by, each base with its highest power; negative, if all have it."""
    powers = [
        {base: power for base, power in map(split_power, factors_of(term)) if variables(base)}
        for term in summands
    ]
    bases = dict.fromkeys(base for each in powers for base in each)
    lowest = {base: min(each.get(base, 0) for each in powers) for base in bases}
    return {base: -power for base, power in lowest.items() if power}


def _with_multiples(broken: dict[Real, list[Expression]]) -> dict[Real, list[Expression]]:
    """Powers that are whole multiples of one that was fitted become whole powers under that.

    sin(x)**(2*p)/cos(x)**p is (sin(x)**2/cos(x))**p, which has a value wherever that is positive.
    """
    fitted = sorted((each for each in broken if isinstance(each, float) and each != 0.5), key=abs)
    gathered: dict[float, list[tuple[Expression, int]]] = {}
    for power in fitted:
        least = next((each for each in gathered if _is_whole(power / each)), abs(power))
        gathered.setdefault(least, []).extend(
            (each, round(power / least)) for each in broken[power]
        )
    others = {power: bases for power, bases in broken.items() if power not in fitted}
    return others | dict(_raised(least, bases) for least, bases in gathered.items())


def _raised(power: float, bases: Sequence[tuple[Expression, int]]) -> tuple[Real, list[Expression]]:
    """The power, negative if all are below the fraction bar, and whole powers of the bases."""
    sign = -1 if all(whole < 0 for _, whole in bases) else 1
    return sign * power, [
        each if whole == sign else Apply(Op.POW, (each, Number(sign * whole)))
        for each, whole in bases
    ]


def _is_whole(ratio: float) -> bool:
    return abs(ratio - round(ratio)) < NEAR


def _gathered(factors: Sequence[Expression]) -> list[Expression]:
    """Factors of one and the same broken power under one root: sqrt(a)*sqrt(b) is sqrt(a*b)."""
    broken: dict[Real, list[Expression]] = {}
    others: list[Expression] = []
    for factor in factors:
        match factor:
            case Apply(Op.SQRT, (base,)):
                broken.setdefault(0.5, []).append(base)
            case Apply(Op.POW, (base, Number(power))) if power != int(power):
                broken.setdefault(power, []).append(base)
            case _:
                others.append(factor)
    for power, bases in _with_multiples(broken).items():
        inside = normal_form(multiplied(bases))
        others.append(
            Apply(Op.SQRT, (inside,)) if power == 0.5 else Apply(Op.POW, (inside, Number(power)))
        )
    return others
