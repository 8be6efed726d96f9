"""What kind of law an expression is, by the hardest thing in it."""

from __future__ import annotations

from collections.abc import Iterator

from odevsr.language.algebra.normal import normal_form
from odevsr.language.expression import Apply, Expression, Number, Op, variables, walk

KINDS = ("polynomial", "rational", "trigonometric", "exponential", "power")
_BY_OPERATOR = {
    **dict.fromkeys((Op.SIN, Op.COS, Op.TAN, Op.COT, Op.ASIN, Op.ACOS, Op.ATAN), "trigonometric"),
    **dict.fromkeys((Op.EXP, Op.LOG, Op.SINH, Op.COSH, Op.TANH), "exponential"),
    **dict.fromkeys((Op.SQRT, Op.ABS), "power"),
    Op.DIV: "rational",
}
_HARDEST_FIRST = ("trigonometric", "exponential", "power", "rational")


def kind_of(law: Expression) -> str:
    """One of `KINDS`; trigonometric before exponential, power and rational where a law has several.

    >>> from odevsr.language.parse import parse
    >>> kind_of(parse("x**2/3 + 1", ["x"])), kind_of(parse("x/(1 + x)", ["x"]))
    ('polynomial', 'rational')
    """
    found = set(_kinds(normal_form(law)))
    return next((kind for kind in _HARDEST_FIRST if kind in found), "polynomial")


def _kinds(law: Expression) -> Iterator[str]:
    for node in walk(law):
        match node:
            case Apply(Op.POW, (base, exponent)) if variables(base) or variables(exponent):
                yield _kind_of_power(exponent)
            case Apply(Op.DIV, (_, divisor)) if not variables(divisor):
                continue
            case Apply(op, args) if op in _BY_OPERATOR and any(map(variables, args)):
                yield _BY_OPERATOR[op]


def _kind_of_power(exponent: Expression) -> str:
    match exponent:
        case Number(value) if float(value).is_integer():
            return "polynomial" if value >= 0 else "rational"
    return "power"
