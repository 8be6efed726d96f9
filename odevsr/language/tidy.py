"""A law as a person would write it: phases within half a turn, quarter turns and roots gathered."""

from __future__ import annotations

import math

from odevsr.language.expression import Apply, Expression, Number, Op, Real
from odevsr.language.normal import normal_form, terms

QUARTER = math.pi / 2
NEAR = 1e-8
"""A phase this close to quarter turns is one; phases come out of fits with smaller errors."""


def tidy(expression: Expression) -> Expression:
    """An expression of the same value wherever all of it is defined.

    >>> from odevsr.language.parse import parse
    >>> from odevsr.language.text import to_text
    >>> to_text(tidy(parse("sin(x + 7.853981633974483) + sqrt(x)*sqrt(y + 1/x)", ["x", "y"])))
    'cos(x) + sqrt(x*y + 1)'
    """
    if not isinstance(expression, Apply):
        return expression
    args = tuple(tidy(arg) for arg in expression.args)
    match expression.op:
        case Op.SIN | Op.COS:
            return _turned(expression.op, args[0])
        case Op.MUL:
            return normal_form(Apply(Op.MUL, _gathered(args)))
    return normal_form(Apply(expression.op, args))


def _turned(op: Op, argument: Expression) -> Expression:
    """A sine or cosine whose phase is within half a turn; whole quarter turns are taken out."""
    *rest, last = terms(argument)
    if not rest or not isinstance(last, Number):
        return normal_form(Apply(op, (argument,)))
    plain = normal_form(Apply(Op.ADD, (*rest, Number(0))))
    phase = math.remainder(float(last.value), 2 * math.pi)
    quarters = round(phase / QUARTER)
    if abs(phase - quarters * QUARTER) > NEAR:
        kept = last.value if abs(float(last.value)) <= math.pi else phase
        return normal_form(Apply(op, (Apply(Op.ADD, (plain, Number(kept))),)))
    position = quarters + (1 if op is Op.COS else 0)
    turned = Apply(Op.COS if position % 2 else Op.SIN, (plain,))
    sign = -1 if position % 4 in (2, 3) else 1
    return normal_form(Apply(Op.MUL, (Number(sign), turned)))


def _gathered(factors: tuple[Expression, ...]) -> tuple[Expression, ...]:
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
    for power, bases in broken.items():
        inside = bases[0] if len(bases) == 1 else normal_form(Apply(Op.MUL, tuple(bases)))
        others.append(
            Apply(Op.SQRT, (inside,)) if power == 0.5 else Apply(Op.POW, (inside, Number(power)))
        )
    return (*others, Number(1), Number(1))[: max(len(others), 2)]
