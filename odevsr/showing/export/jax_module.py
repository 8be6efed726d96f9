"""A Python module for JAX: `rates` can be compiled, mapped over states and differentiated."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from odevsr.showing.export.laws import laws_in
from odevsr.showing.export.numpy_module import NUMPY

if TYPE_CHECKING:
    from odevsr.discovery.result import Discovery

JAX = replace(
    NUMPY, function="jnp.{0}({1})", reserved=NUMPY.reserved - {"np"} | {"jnp", "each", "range"}
)


def jax_text(found: Discovery) -> str:
    """The text of a module with `rates(time, state, **inputs)`."""
    laws = laws_in(found, JAX)
    inputs = [name for _, name in laws.inputs]
    given = ["time", "state", *(["*", *inputs] if inputs else [])]
    order = ", ".join(law.name for law in laws.laws)
    lines = [
        "import jax.numpy as jnp",
        "",
        "",
        f"def rates({', '.join(given)}):",
        f'    """Derivatives (n, ...) at a state (n, ...) of {order}.',
        "",
        "    They have 32 bits each unless jax.config.update('jax_enable_x64', True) comes first.",
        '    """',
        "    state = jnp.asarray(state)",
        *(f"    {name} = state[{place}]" for place, name in laws.used_states()),
        "    rate = [",
        *(f"        {law.rate},{law.remark}" for law in laws.laws),
        "    ]",
        "    return jnp.stack([jnp.broadcast_to(each, state.shape[1:]) for each in rate])",
    ]
    return laws.under_header(lines)
