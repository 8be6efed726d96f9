"""A Python module with numpy alone; `rates` is what scipy's `solve_ivp` asks for.

A map has `next_state` in its place, a function `values`.
"""

from __future__ import annotations

import keyword
from typing import TYPE_CHECKING

from odevsr.kind import Kind
from odevsr.language.expression import Op
from odevsr.showing.export.code import Language, whole_or_float
from odevsr.showing.export.laws import Laws, laws_in

if TYPE_CHECKING:
    from odevsr.discovery.result import Discovery

NUMPY = Language(
    comment="#",
    reserved=frozenset({*keyword.kwlist, "np", "time", "state", "rate", "rates", "float"}),
    power="{0}**{1}",
    time="time",
    function="np.{0}({1})",
    functions={Op.ASIN: "arcsin", Op.ACOS: "arccos", Op.ATAN: "arctan"},
    exponent=whole_or_float,
)


def numpy_text(found: Discovery) -> str:
    """The text of a module with `rates(time, state, **inputs)`, or what its kind asks for."""
    laws = laws_in(found, NUMPY)
    lines = _values_lines(laws) if found.kind is Kind.FUNCTION else _states_lines(laws, found.kind)
    return laws.under_header(["import numpy as np", "", "", *lines])


def _values_lines(laws: Laws) -> list[str]:
    """A function of the inputs, which gives one value or several."""
    arguments = ", ".join(name for _, name in laws.inputs)
    names = ", ".join(law.name for law in laws.laws)
    return [
        f"def values({arguments}):",
        f'    """{names} at numbers or arrays of them."""',
        *(f"    {name} = np.asarray({name}, dtype=float)" for _, name in laws.used_inputs()),
        *(f"    {law.name} = {law.rate}{law.remark}" for law in laws.laws),
        f"    return {names}",
    ]


def _states_lines(laws: Laws, kind: Kind) -> list[str]:
    """A function of the state that gives its rates, or the next state."""
    inputs = [name for _, name in laws.inputs]
    moves = kind.moves
    given = [*(["time"] if moves else []), "state", *(["*", *inputs] if inputs else [])]
    order = ", ".join(law.name for law in laws.laws)
    what = "Derivatives (n, ...) at" if moves else "The state (n, ...) after"
    return [
        f"def {'rates' if moves else 'next_state'}({', '.join(given)}):",
        f'    """{what} a state (n, ...) of {order}."""',
        "    state = np.asarray(state, dtype=float)",
        *(f"    {name} = state[{place}]" for place, name in laws.used_states()),
        *(f"    {name} = np.asarray({name}, dtype=float)" for _, name in laws.used_inputs()),
        *(["    time = np.asarray(time, dtype=float)"] if NUMPY.time in laws.used else []),
        "    rate = np.empty(state.shape)",
        *(f"    rate[{k}] = {law.rate}{law.remark}" for k, law in enumerate(laws.laws)),
        "    return rate",
    ]
