"""A discovery in a notebook: its laws typeset, and as a table to go on with."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any

from odevsr.extras import optional_module
from odevsr.kind import Kind
from odevsr.language.mathml import name_mathml, rate_mathml, to_mathml
from odevsr.language.number import rounded
from odevsr.language.text import to_text
from odevsr.vertical.equation import Equation, Status

if TYPE_CHECKING:
    from odevsr.discovery.result import Discovery

LONGEST_MATHS = 300
"""Laws whose text is longer are not typeset: a browser does not break their lines."""


def table(found: Discovery) -> Any:  # noqa: ANN401
    """A DataFrame with a row an equation."""
    pandas = optional_module("pandas", extra="table")
    return pandas.DataFrame([row(each) for each in found.equations], columns=list(_COLUMNS))


def row(equation: Equation) -> dict[str, Any]:
    """What a table says of an equation; `r2` of a constant is no number."""
    return {name: value(equation) for name, value in _COLUMNS.items()}


_COLUMNS: dict[str, Callable[[Equation], Any]] = {
    "variable": lambda each: each.variable,
    "law": lambda each: to_text(rounded(each.expression, each.errors)),
    "status": lambda each: each.status.value,
    "r2": lambda each: each.r2,
    "nmse": lambda each: each.nmse,
    "states": lambda each: each.cost.states,
    "launches": lambda each: each.cost.simulations,
    "candidates": lambda each: each.candidates,
    "cpu_s": lambda each: each.elapsed_s,
}


def html(found: Discovery) -> str:
    """The laws, one a row, with how sure each is."""
    left = "<td style='text-align:left'>"
    rows = "".join(
        f"<tr>{left}{_law(each)}</td>{left}{each.status.value}</td></tr>"
        for each in found.equations
    )
    missing = "<p>interrupted: equations that were asked for are missing</p>"
    return f"<table>{rows}</table>{missing if found.interrupted else ''}"


def _law(equation: Equation) -> str:
    law = rounded(equation.expression, equation.errors)
    text = to_text(law)
    if len(text) > LONGEST_MATHS:
        return f"<code>{escape(f'{equation.left} = {text[:LONGEST_MATHS]}...')}</code>"
    sign = "=" if equation.status is Status.IDENTIFIED else "&#x2248;"
    return f"<math>{_left(equation)}<mo>{sign}</mo>{to_mathml(law)}</math>"


def _left(equation: Equation) -> str:
    if equation.kind is Kind.ODE:
        return rate_mathml(equation.variable)
    if equation.kind is Kind.FUNCTION:
        return name_mathml(equation.variable)
    return f"<mi>{escape(equation.left)}</mi>"
