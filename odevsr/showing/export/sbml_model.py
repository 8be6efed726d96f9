"""A model in SBML (Level 3 Version 1): each variable is a parameter that follows a rate rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING

from odevsr.errors import ExpressionError
from odevsr.language.expression import Apply, Expression, Number, Op, Real, Variable
from odevsr.showing.export.laws import header, how_sure
from odevsr.showing.export.names import safe_names
from odevsr.vertical.equation import Equation, Status
from odevsr.world.systems.checks import TIME

if TYPE_CHECKING:
    from odevsr.discovery.result import Discovery

_MATHML = 'xmlns="http://www.w3.org/1998/Math/MathML"'
_XHTML = 'xmlns="http://www.w3.org/1999/xhtml"'
_CLOCK = (
    '<csymbol encoding="text" definitionURL="http://www.sbml.org/sbml/symbols/time">t</csymbol>'
)
_RESERVED = frozenset({
    "diffstep", "integrator", "items", "keys", "load", "model", "options", "plot", "reset",
    "selections", "simulate", "values",
})  # fmt: skip
"""What libroadrunner calls things of its own, which those of a model would hide."""
_OPERATORS = {
    Op.ADD: "plus", Op.SUB: "minus", Op.NEG: "minus", Op.MUL: "times", Op.DIV: "divide",
    Op.POW: "power", Op.LOG: "ln", Op.SQRT: "root", Op.ASIN: "arcsin", Op.ACOS: "arccos",
    Op.ATAN: "arctan",
}  # fmt: skip


def sbml_text(found: Discovery) -> str:
    """The text of a model; what varies starts, and what is an input stays, in mid-range."""
    names = safe_names([name for name in found.names if name != TIME], _RESERVED)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<sbml xmlns="http://www.sbml.org/sbml/level3/version1/core" level="3" version="1">',
        '<model id="laws">',
        f"<notes><pre {_XHTML}>",
        escape(header(found, "#"), quote=False).rstrip(),
        "</pre></notes>",
        "<listOfParameters>",
        *_parameters(found, names),
        "</listOfParameters>",
        "<listOfRules>",
        *(_rule(each, found, names) for each in found.equations),
        "</listOfRules>",
        "</model>",
        "</sbml>",
    ]
    return "\n".join(lines) + "\n"


def _parameters(found: Discovery, names: Mapping[str, str]) -> Iterator[str]:
    moving = {each.variable for each in found.equations}
    for name, (low, high) in zip(found.names, found.ranges, strict=True):
        if name != TIME:
            constant = "false" if name in moving else "true"
            said = f'id="{names[name]}" name="{escape(name)}" value="{(low + high) / 2!r}"'
            yield f'<parameter {said} constant="{constant}"/>'


def _rule(equation: Equation, found: Discovery, names: Mapping[str, str]) -> str:
    poor = "" if equation.status is Status.IDENTIFIED else (
        f"<notes><p {_XHTML}>{escape(how_sure(equation, found))}</p></notes>")  # fmt: skip
    law = f"<math {_MATHML}>{_content(equation.expression, names)}</math>"
    return f'<rateRule variable="{names[equation.variable]}">{poor}{law}</rateRule>'


def _content(expression: Expression, names: Mapping[str, str]) -> str:
    """An expression in content MathML."""
    match expression:
        case Number(value):
            return _number(value)
        case Variable(name):
            return _CLOCK if name == TIME else f"<ci>{names[name]}</ci>"
        case Apply(op, arguments):
            inner = "".join(_content(each, names) for each in arguments)
            return f"<apply><{_OPERATORS.get(op, op.value)}/>{inner}</apply>"
    raise ExpressionError("a law with open constants is no model; fit its constants first")


def _number(value: Real) -> str:
    """A number to the last digit: a fraction as such, a power of ten behind its own mark."""
    if isinstance(value, Fraction) and value.denominator != 1:
        return f'<cn type="rational">{value.numerator}<sep/>{value.denominator}</cn>'
    mantissa, mark, exponent = repr(float(value)).partition("e")
    if not mark:
        return f"<cn>{mantissa}</cn>"
    return f'<cn type="e-notation">{mantissa}<sep/>{int(exponent)}</cn>'
