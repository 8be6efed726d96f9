"""A Python module with numpy alone; `rates` is what scipy's `solve_ivp` asks for."""

from __future__ import annotations

import keyword
from typing import TYPE_CHECKING

from odevsr.discovery.export.code import Language, whole_or_float
from odevsr.discovery.export.laws import laws_in
from odevsr.language.expression import Op

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
    """The text of a module with `rates(time, state, **inputs)`."""
    laws = laws_in(found, NUMPY)
    inputs = [name for _, name in laws.inputs]
    arguments = ", ".join(["time", "state", *(["*", *inputs] if inputs else [])])
    order = ", ".join(law.name for law in laws.laws)
    lines = [
        f"def rates({arguments}):",
        f'    """Derivatives (n, ...) at a state (n, ...) of {order}."""',
        "    state = np.asarray(state, dtype=float)",
        *(f"    {name} = state[{place}]" for place, name in laws.used_states()),
        *(f"    {name} = np.asarray({name}, dtype=float)" for _, name in laws.used_inputs()),
        *(["    time = np.asarray(time, dtype=float)"] if NUMPY.time in laws.used else []),
        "    rate = np.empty(state.shape)",
        *(f"    rate[{k}] = {law.rate}{law.remark}" for k, law in enumerate(laws.laws)),
        "    return rate",
    ]
    return f"{laws.header}\nimport numpy as np\n\n\n" + "\n".join(lines) + "\n"
