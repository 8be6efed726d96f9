"""Which variables a quantity depends on, and which act together: cheap experiments first."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.limits import SPARE, Limits
from odevsr.vertical.asking.common import Common
from odevsr.vertical.asking.quantity import Quantity
from odevsr.vertical.asking.states import lines, uniform_states
from odevsr.world.sample import ROUNDING

POINTS = 5
"""To which a variable is moved from each base; with four, constants of forms had the same laws."""


def effects(quantity: Quantity, rng: np.random.Generator, *, thorough: bool) -> tuple[float, ...]:
    """By how many errors each variable moves the quantity when it alone is moved, at most.

    It is moved from each of several bases.
    """
    box = quantity.box
    bases = uniform_states(box, _bases(thorough=thorough), rng)
    shares = rng.random((len(box), len(bases), POINTS))
    sample = quantity.measure(lines(box, bases, shares))
    return tuple(map(_effect, sample.values, sample.errors))


def effects_along_lines(quantity: Common, trials: int) -> tuple[float, ...]:
    """The same, of moves that are the first of later rounds."""
    samples = [quantity.lines(variable, trials, POINTS) for variable in range(len(quantity.names))]
    return tuple(_effect(each.values, each.errors) for each in samples)


def _bases(*, thorough: bool) -> int:
    """From where variables are moved: fewer where every measurement is a fit of its own."""
    return 2 * SPARE if thorough else SPARE


def _effect(values: FloatArray, errors: FloatArray) -> float:
    """By how many errors values (bases, points) differ from the mean of their base, at most."""
    usable = np.isfinite(errors)
    largest = np.max(np.abs(values[usable]), initial=0.0)
    honest = np.where(usable, errors, np.inf) + ROUNDING * largest + 1e-150
    weights = (1 / honest) ** 2  # in this order nothing overflows
    total = np.sum(weights, axis=1, keepdims=True) + 1e-300
    mean = np.sum(weights * values, axis=1, keepdims=True) / total
    return float(np.max(np.nan_to_num(np.abs(values - mean) / honest), initial=0.0))


def interactions(
    quantity: Quantity, rng: np.random.Generator, limits: Limits, *, thorough: bool
) -> BoolArray:
    """Symmetric (n, n): whether the effect of one variable depends on the value of another.

    Tested by second differences over the corners of random rectangles.
    """
    count = len(quantity.box)
    result = np.eye(count, dtype=bool)
    pairs = list(combinations(range(count), 2))
    if not pairs:
        return result
    number = _bases(thorough=thorough)
    here, there = (uniform_states(quantity.box, number, rng) for _ in range(2))
    moved = [(), *((v,) for v in range(count)), *pairs]
    is_moved = np.array([np.isin(np.arange(count), each) for each in moved])
    sample = quantity.measure(np.where(is_moved[:, None], there, here))
    values, errors = sample.values, sample.errors
    for index, (first, second) in enumerate(pairs, start=1 + count):
        corners = [0, 1 + first, 1 + second, index]
        difference = np.sum(np.array([[1.0], [-1.0], [-1.0], [1.0]]) * values[corners], axis=0)
        honest = np.sum(errors[corners], axis=0) + ROUNDING * np.max(np.abs(values[corners]))
        acts = bool(np.any(np.abs(difference) > limits.noticeable * honest))
        result[first, second] = result[second, first] = acts
    return result
