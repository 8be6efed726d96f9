"""How a law moves states: Runge-Kutta steps of order 4, each row with a time of its own."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.bench.rough.case import Field, Motion
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import ONE, ZERO
from odevsr.language.parse import parse
from odevsr.world.systems.checks import TIME

SUBSTEPS = 32


def motion_of(laws: Mapping[str, str], inputs: Collection[str], substeps: int = SUBSTEPS) -> Motion:
    """States moved by laws given as text; inputs stay, but for time."""
    moved = motion_along(field_of(laws, inputs), substeps)
    return lambda states, steps: moved(states, steps)[:, : len(laws)]


def field_of(laws: Mapping[str, str], inputs: Collection[str]) -> Field:
    """The rates of states and inputs, where the laws of states are given as text."""
    names = (*laws, *inputs)
    rates = [ONE if name == TIME else ZERO for name in inputs]
    return compile_field([*(parse(law, names) for law in laws.values()), *rates], names)


def motion_along(field: Field, substeps: int = SUBSTEPS) -> Motion:
    """States moved along a field, in so many equal steps."""

    def moved(states: FloatArray, steps: FloatArray) -> FloatArray:
        total, length = np.zeros_like(states), (steps / substeps)[:, None]
        for _ in range(substeps):
            total = total + _increment(field, states + total, length)
        return states + total

    return moved


def _increment(field: Field, states: FloatArray, length: FloatArray) -> FloatArray:
    with np.errstate(all="ignore"):
        first = field(states)
        second = field(states + length / 2 * first)
        third = field(states + length / 2 * second)
        fourth = field(states + length * third)
        return np.asarray(length / 6 * (first + 2 * second + 2 * third + fourth))
