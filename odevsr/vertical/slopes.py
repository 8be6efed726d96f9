"""Gradients of a quantity at some states: what one look at its symmetries is made of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.vertical.quantity import Quantity
from odevsr.world.experiments.schemes import scheme

SPARE = 6
"""States in excess of what is unknown, so that what fits by chance is seen."""
DRAWN = (2, 6)
"""States drawn for one that is wanted; more where many have no value."""
MARGIN = 0.03
"""Share of a range at either end that is left for steps."""
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

    def __len__(self) -> int:
        return len(self.values)


def measured_slopes(quantity: Quantity, rng: np.random.Generator) -> Slopes | None:
    """Gradients at a few more states than there are variables; None if too few can be measured."""
    box, count = quantity.box, len(quantity.names)
    wanted = count + SPARE
    for drawn_for_one in DRAWN:
        drawn = box.at(MARGIN + (1 - 2 * MARGIN) * rng.random((drawn_for_one * wanted, count)))
        first = quantity.measure(drawn).measured()
        if len(first.values) >= wanted:
            break
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
    if np.sum(kept) < wanted - 1:
        return None
    values, errors, steps = sample.values[kept], sample.errors[kept], steps[kept]
    return Slopes(
        bases[kept],
        first.values[:wanted][kept],
        values @ np.array(CENTRAL.weights) / steps,
        errors @ np.abs(CENTRAL.weights) / steps,
        len(first.values) / len(drawn),
    )
