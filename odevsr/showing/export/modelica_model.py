"""A model of Modelica; its variables start where the user says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from odevsr.language.expression import FUNCTIONS
from odevsr.showing.export.code import Language, whole_or_float
from odevsr.showing.export.laws import laws_in

if TYPE_CHECKING:
    from odevsr.discovery.result import Discovery

_KEYWORDS = """
    algorithm and annotation assert block break class connect connector constant constrainedby der
    discrete each else elseif elsewhen encapsulated end enumeration equation expandable extends
    external false final flow for function if import impure in initial inner input loop model not
    operator or outer output package parameter partial protected public pure record redeclare
    replaceable return stream then true type when while within time Real Integer Boolean String
    Law
"""
MODELICA = Language(
    comment="//",
    reserved=frozenset([*_KEYWORDS.split(), *FUNCTIONS]),
    power="{0}^{1}",
    time="time",
    exponent=whole_or_float,
)


def modelica_text(found: Discovery) -> str:
    """The text of a model with an equation for each derivative."""
    laws = laws_in(found, MODELICA)
    lines = [
        "model Law",
        *(f"  Real {law.name};" for law in laws.laws),
        *(f"  input Real {name};" for _, name in laws.inputs),
        "equation",
        *(f"  der({law.name}) = {law.rate};{law.remark}" for law in laws.laws),
        "end Law;",
    ]
    return laws.under_header(lines)
