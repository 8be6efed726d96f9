"""Whether two laws can be one function, each of their numbers moved a little.

That they have one form has been decided before: here nothing is looked at but the ranges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.evaluate import Field, compile_field
from odevsr.language.expression import Expression
from odevsr.world.box import Box

STATES = 160
AGREEMENT = 1e-6
"""Largest difference of laws that meet, as a share of their sizes."""
MOST_EVALUATIONS = 200
SMALLEST = 1e-300
"""So that laws that are 0 everywhere agree."""


@dataclass(frozen=True)
class Movable:
    """A number of a law: the variable that stands for it, its value, how far it may be moved."""

    label: str
    value: float
    reach: float


def meet(
    laws: Sequence[Expression], numbers: Sequence[Movable], names: Sequence[str], box: Box
) -> bool:
    """Whether two laws agree in the ranges, with none of their numbers moved beyond its reach.

    >>> from odevsr.language.parse import parse
    >>> from odevsr.world.box import plain_box
    >>> laws = parse("a*tanh(x)", ["x", "a"]), parse("b*(1 - 2/(1 + exp(2*x)))", ["x", "b"])
    >>> for most in (0.03, 0.06):
    ...     numbers = Movable("a", 1.1, most), Movable("b", 1.2, most)
    ...     meet(laws, numbers, ["x"], plain_box([[-1.0, 1.0]]))
    False
    True
    """
    from scipy.optimize import least_squares

    pair = _Pair(
        compile_field(laws, [*names, *(each.label for each in numbers)]),
        box.at(np.random.default_rng(0).random((STATES, len(box)))),
        np.array([each.value for each in numbers]),
        np.array([each.reach for each in numbers]),
    )
    moved = np.zeros(len(numbers))
    if pair.reach.any():
        precise = {"ftol": 1e-15, "xtol": 1e-15, "gtol": 1e-15, "max_nfev": MOST_EVALUATIONS}
        moved = least_squares(pair.apart, moved, bounds=(-1, 1), x_scale="jac", **precise).x
    return bool(np.max(np.abs(pair.apart(moved))) <= 1)


@dataclass(frozen=True, eq=False)
class _Pair:
    """Two laws at states (N, n), with numbers (p,) and how far these may be moved."""

    field: Field
    states: FloatArray
    numbers: FloatArray
    reach: FloatArray

    def values(self, moved: FloatArray) -> FloatArray:
        """Of both laws (N, 2), with each number moved by a share of its reach."""
        numbers = np.broadcast_to(self.numbers + moved * self.reach, (len(self.states), len(moved)))
        return self.field(np.concatenate([self.states, numbers], axis=1))

    @cached_property
    def sizes(self) -> FloatArray:
        """How large the laws (N,) are if nothing is moved, near 0 as they usually are."""
        sizes = np.abs(self.values(np.zeros(len(self.reach)))).sum(axis=1)
        usual = np.sum(sizes, where=np.isfinite(sizes)) / STATES
        return np.asarray(sizes + usual + SMALLEST)

    def apart(self, moved: FloatArray) -> FloatArray:
        """By how many times what is allowed the laws (N,) differ, where they have values."""
        with np.errstate(all="ignore"):
            difference = np.diff(self.values(moved), axis=1)[:, 0] / self.sizes
        lost = np.nan_to_num(difference, nan=1.0, posinf=1.0, neginf=-1.0)
        return np.where(np.isfinite(self.sizes), lost, 0.0) / AGREEMENT
