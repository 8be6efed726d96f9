"""A Python module that builds the laws in sympy, exact numbers exactly."""

from __future__ import annotations

import keyword
from typing import TYPE_CHECKING

from odevsr.kind import Kind
from odevsr.language.expression import Op, Real
from odevsr.showing.export.code import Language
from odevsr.showing.export.laws import ExportedLaw, laws_in

if TYPE_CHECKING:
    from odevsr.discovery.result import Discovery


def _number(value: Real) -> str:
    """A number of sympy's own: Python would make a float of 1/2."""
    if value < 0:
        return f"-{_number(-value)}"
    if isinstance(value, float):
        return f"sp.Float({value!r})"
    if value.denominator == 1:
        return f"sp.Integer({value.numerator})"
    return f"sp.Rational({value.numerator}, {value.denominator})"


def _exponent(value: Real) -> str:
    return str(value) if isinstance(value, int) else _number(value)


SYMPY = Language(
    comment="#",
    reserved=frozenset({*keyword.kwlist, "sp", "t", "k", "equations"}),
    power="{0}**{1}",
    function="sp.{0}({1})",
    functions={Op.ABS: "Abs"},
    number=_number,
    exponent=_exponent,
)


def sympy_text(found: Discovery) -> str:
    """The text of a module with `equations`, an Eq for each variable, by its name."""
    laws = laws_in(found, SYMPY)
    step = 'k = sp.Symbol("k", integer=True)'
    lines = [
        step if found.kind is Kind.MAP else 't = sp.Symbol("t", real=True)',
        *(f"{law.name} = {_symbol(law, found.kind)}" for law in laws.laws),
        *(f"{safe} = sp.Symbol({name!r}, real=True)" for name, safe in laws.inputs),
        "",
        "equations = {",
        *(
            f"    {law.variable!r}: sp.Eq({_left(law, found.kind)}, {law.rate}),{law.remark}"
            for law in laws.laws
        ),
        "}",
    ]
    return laws.under_header(["import sympy as sp", "", *lines])


def _symbol(law: ExportedLaw, kind: Kind) -> str:
    """What stands for a variable in the laws."""
    if kind is Kind.FUNCTION:
        return f"sp.Symbol({law.variable!r}, real=True)"
    return f"sp.Function({law.variable!r}, real=True)({'k' if kind is Kind.MAP else 't'})"


def _left(law: ExportedLaw, kind: Kind) -> str:
    if kind is Kind.FUNCTION:
        return law.name
    return f"{law.name}.subs(k, k + 1)" if kind is Kind.MAP else f"sp.Derivative({law.name}, t)"
