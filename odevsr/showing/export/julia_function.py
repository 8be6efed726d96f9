"""A function of Julia, in the order of arguments that DifferentialEquations.jl has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from odevsr.language.expression import FUNCTIONS
from odevsr.showing.export.code import Language, whole_or_float
from odevsr.showing.export.laws import laws_in

if TYPE_CHECKING:
    from odevsr.discovery.result import Discovery

_KEYWORDS = """
    abstract as baremodule begin break catch const continue do else elseif end export false finally
    for function global if import in isa let local macro module mutable new nothing outer primitive
    public quote return struct true try type using var where while
"""
JULIA = Language(
    comment="#",
    reserved=frozenset([*_KEYWORDS.split(), *FUNCTIONS, "t", "x", "u", "dx", "rates"]),
    power="{0}^{1}",
    exponent=whole_or_float,
)


def julia_text(found: Discovery) -> str:
    """The text of `rates!(dx, x, u, t)`."""
    laws = laws_in(found, JULIA)
    lines = [
        "function rates!(dx, x, u, t)",
        *(f"    {name} = x[{place + 1}]" for place, name in laws.used_states()),
        *(f"    {name} = u[{place + 1}]" for place, name in laws.used_inputs()),
        *(f"    dx[{place}] = {law.rate}{law.remark}" for place, law in enumerate(laws.laws, 1)),
        "    return nothing",
        "end",
    ]
    return laws.under_header(lines)
