"""How a discovered system moves by its own laws, with its inputs set from outside."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from odevsr.errors import UsageError, nearest
from odevsr.language.evaluate import Field, compile_field
from odevsr.language.expression import Expression
from odevsr.world.system_checks import TIME

FloatArray = NDArray[np.float64]
Input = float | Callable[[float], float]
"""What an input is set to: a value, or a function of time."""


def motion(
    laws: Mapping[str, Expression],
    names: Sequence[str],
    start: ArrayLike,
    times: ArrayLike,
    inputs: Mapping[str, Input],
) -> FloatArray:
    """States (len(times), laws) from `start` at times[0] on; time runs where laws hold it."""
    from scipy.integrate import solve_ivp

    origin, instants = (np.asarray(each, dtype=np.float64) for each in (start, times))
    _check(laws, names, origin, inputs)
    field = compile_field(list(laws.values()), names)
    solution = solve_ivp(
        _rate(field, list(laws), names, inputs),
        (instants[0], instants[-1]),
        origin,
        t_eval=instants,
        method="LSODA",
        rtol=1e-10,
        atol=1e-12,
    )
    states: FloatArray = solution.y.T
    return states


def _rate(
    field: Field, moving: Sequence[str], names: Sequence[str], inputs: Mapping[str, Input]
) -> Callable[[float, FloatArray], FloatArray]:
    """The derivatives of the moving variables at a time and state."""
    order = {name: index for index, name in enumerate(names)}
    places = [order[name] for name in moving]
    settings = {order[name]: value for name, value in inputs.items()}
    if TIME in order:
        settings[order[TIME]] = lambda time: time

    def rate(time: float, state: FloatArray) -> FloatArray:
        everything = np.empty(len(names))
        everything[places] = state
        for place, value in settings.items():
            everything[place] = value(time) if callable(value) else value
        return field(everything)

    return rate


def _check(
    laws: Mapping[str, Expression],
    names: Sequence[str],
    start: FloatArray,
    inputs: Mapping[str, Input],
) -> None:
    """Each variable has a law and a start, or is an input with a value."""
    settable = [name for name in names if name not in laws and name != TIME]
    for name in inputs:
        if name not in settable:
            raise UsageError(f"{name!r} is no input that can be set; {nearest(name, settable)}")
    for name in settable:
        if name not in inputs:
            raise UsageError(
                f"{name} has neither an equation nor a value; discover all components, and give "
                f"inputs their values: inputs={{{name!r}: 0.5}}"
            )
    if start.shape != (len(laws),):
        raise UsageError(f"a start is a number for each of {', '.join(laws)}, not {start}")
