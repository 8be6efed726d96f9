"""A function of MATLAB and Octave, as ode45 asks for it once the inputs are set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from odevsr.language.expression import FUNCTIONS
from odevsr.showing.export.code import Language, whole_or_float
from odevsr.showing.export.laws import laws_in

if TYPE_CHECKING:
    from odevsr.discovery.result import Discovery

_KEYWORDS = """
    arguments break case catch classdef continue else elseif end enumeration events for function
    global if import methods otherwise parfor persistent properties return spmd switch try while ans
    nargin nargout do until endif endfor endfunction endparfor endswitch endwhile end_try_catch
    end_unwind_protect endclassdef endenumeration endevents endmethods endproperties unwind_protect
    unwind_protect_cleanup
"""
MATLAB = Language(
    comment="%",
    reserved=frozenset([*_KEYWORDS.split(), *FUNCTIONS, "zeros", "t", "x", "u", "dx", "rates"]),
    power="{0}^{1}",
    exponent=whole_or_float,
)


def matlab_text(found: Discovery) -> str:
    """The text of the file rates.m with `dx = rates(t, x, u)`."""
    laws = laws_in(found, MATLAB)
    lines = [
        "function dx = rates(t, x, u)",
        *(f"  {name} = x({place + 1});" for place, name in laws.used_states()),
        *(f"  {name} = u({place + 1});" for place, name in laws.used_inputs()),
        f"  dx = zeros({len(laws.laws)}, 1);",
        *(f"  dx({place}) = {law.rate};{law.remark}" for place, law in enumerate(laws.laws, 1)),
        "end",
    ]
    return laws.under_header(lines)
