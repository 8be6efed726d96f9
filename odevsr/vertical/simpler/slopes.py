"""Gradients of a quantity at some states: what one look at its symmetries is made of."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.limits import DRAWN, SPARE
from odevsr.vertical.asking.quantity import Quantity
from odevsr.world.experiments.schemes import scheme
from odevsr.world.sample import Sample

STEP = 0.004
"""Steps of differences, as a share of the value or of the range, whichever is smaller."""
CENTRAL = scheme("central")
"""Differences of fourth order: what they leave is mostly below a millionth."""


@dataclass(frozen=True, eq=False)
class Slopes:
    """Values (m,) of a quantity at states (m, n), its partial derivatives and their errors."""

    states: FloatArray
    values: FloatArray
    partials: FloatArray
    errors: FloatArray
    defined: float = 1.0
    """Share of the states drawn at which it has a value."""


def measured_slopes(quantity: Quantity, rng: np.random.Generator) -> Slopes | None:
    """Gradients at a few more states than there are variables; None if too few can be measured."""
    box, count = quantity.box, len(quantity.names)
    wanted = count + 2 * SPARE
    first, defined = _drawn(quantity, 2 * wanted, rng)
    if 0 < len(first.values) < wanted:
        first, defined = _drawn(quantity, min(math.ceil(2 * wanted / defined), DRAWN), rng)
    if len(first.values) < wanted:
        return None
    bases = first.states[:wanted]
    positive = box.low > 0
    steps = STEP * np.where(positive, np.minimum(bases, box.width), box.width)
    moved = np.repeat(bases[:, None, None, :], count, axis=1).repeat(CENTRAL.launches, axis=2)
    every = np.arange(count)
    moved[:, every, :, every] += np.moveaxis(np.multiply.outer(steps, CENTRAL.offsets), 1, 0)
    sample = quantity.measure(moved)
    kept = np.all(sample.usable, axis=(1, 2))
    if np.sum(kept) < count + SPARE:
        return None
    values, errors, steps = sample.values[kept], sample.errors[kept], steps[kept]
    return Slopes(
        bases[kept],
        first.values[:wanted][kept],
        values @ np.array(CENTRAL.weights) / steps,
        errors @ np.abs(CENTRAL.weights) / steps,
        defined,
    )


def _drawn(quantity: Quantity, count: int, rng: np.random.Generator) -> tuple[Sample, float]:
    """The quantity where it has a value of so many states drawn, and the share that it has one at.

    As much is left at either end of a range as steps take.
    """
    margin = STEP * max(CENTRAL.offsets)
    shares = margin + (1 - 2 * margin) * rng.random((count, len(quantity.names)))
    sample = quantity.measure(quantity.box.at(shares)).measured()
    return sample, len(sample.values) / count
