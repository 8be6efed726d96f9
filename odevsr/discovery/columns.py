"""States as people hand them in: an array, or a table whose columns have names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from odevsr.arrays import FloatArray
from odevsr.discovery.motion import numbers
from odevsr.errors import UsageError, nearest


def chosen_columns(
    states: ArrayLike, names: Sequence[str], inputs: Mapping[str, ArrayLike], target: str
) -> FloatArray:
    """States (..., n) with a column for each of the names: those of the table, or the inputs'."""
    for name in inputs:
        if name not in names:
            raise UsageError(f"{name!r} is no variable of {target}; {nearest(name, names)}")
    own = [name for name in names if name not in inputs]
    points = numbers(_columns_by_name(states, own), "states")
    if points.ndim == 0 or points.shape[-1] != len(own):
        raise UsageError(
            f"states of shape {points.shape} are none of {target}; give (..., {len(own)}): "
            f"{', '.join(own)}"
        )
    everything = np.empty((*points.shape[:-1], len(names)))
    everything[..., [names.index(name) for name in own]] = points
    for name, values in inputs.items():
        everything[..., names.index(name)] = _input_values(name, values, points.shape[:-1])
    return everything


def _columns_by_name(states: ArrayLike, names: Sequence[str]) -> ArrayLike:
    """The columns of these names, in order, of what has columns; anything else as it is."""
    columns = getattr(states, "columns", None)
    if columns is None:
        return states
    known = [str(each) for each in columns]
    for name in names:
        if known.count(name) != 1:
            raise UsageError(
                f"the states have {known.count(name)} columns {name}; give one for each of "
                f"{', '.join(names)}, or an array without names in this order"
            )
    return np.stack([np.asarray(states[name]) for name in names], axis=-1)  # type: ignore[index, call-overload]


def _input_values(name: str, values: ArrayLike, shape: tuple[int, ...]) -> FloatArray:
    given = numbers(values, f"the input {name}")
    try:
        return np.broadcast_to(given, shape)
    except ValueError:
        raise UsageError(
            f"the input {name} has the shape {given.shape} and the states {shape}; give a number, "
            "or one for each state"
        ) from None
