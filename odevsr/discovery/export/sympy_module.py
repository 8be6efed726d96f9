"""A Python module that builds the laws in sympy, exact numbers exactly."""

from __future__ import annotations

import keyword
from typing import TYPE_CHECKING

from odevsr.discovery.export.code import Language
from odevsr.discovery.export.laws import laws_in
from odevsr.language.expression import Op, Real

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
    reserved=frozenset({*keyword.kwlist, "sp", "t", "equations"}),
    power="{0}**{1}",
    function="sp.{0}({1})",
    functions={Op.ABS: "Abs"},
    number=_number,
    exponent=_exponent,
)


def sympy_text(found: Discovery) -> str:
    """The text of a module with `equations`, an Eq for each variable, by its name."""
    laws = laws_in(found, SYMPY)
    lines = [
        't = sp.Symbol("t", real=True)',
        *(f"{law.name} = sp.Function({law.variable!r}, real=True)(t)" for law in laws.laws),
        *(f"{safe} = sp.Symbol({name!r}, real=True)" for name, safe in laws.inputs),
        "",
        "equations = {",
        *(
            f"    {law.variable!r}: sp.Eq(sp.Derivative({law.name}, t), {law.rate}),{law.remark}"
            for law in laws.laws
        ),
        "}",
    ]
    return f"{laws.header}\nimport sympy as sp\n\n" + "\n".join(lines) + "\n"
