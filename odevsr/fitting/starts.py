"""Where fits begin: multipliers of the natural scale of each nonlinear constant."""

from __future__ import annotations

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.fitting.program import MOST_CONSTANTS

NEAR = 0.02
"""Multipliers below this put the zero of a shifted value beside an anchor point, a pole perhaps."""
SMALLEST, LARGEST = 0.1, 20.0
NEAREST, NEAR_SHARE = 1e-4, 0.2
DRAWS = 16
"""How many draws the machine may choose each start from."""


def start_multipliers(count: int, rng: np.random.Generator) -> FloatArray:
    """Draws for `count` starts in units of each constant's natural scale, (draws, constants).

    Log-spread evenly over two decades, with both signs; some lie near 0 instead (see NEAR). The
    first is 1 throughout. With S starts, start s is the best of rows s, s + S, s + 2 S, ...
    """
    shape = (count * DRAWS, MOST_CONSTANTS)
    levels = (rng.permuted(np.indices(shape)[0], axis=0) + rng.random(shape)) / shape[0]
    spread = SMALLEST * (LARGEST / SMALLEST) ** levels
    near = NEAREST * (NEAR / NEAREST) ** rng.random(shape)
    sizes = np.where(rng.random(shape) < NEAR_SHARE, near, spread)
    multipliers: FloatArray = sizes * rng.choice([-1.0, 1.0], size=shape)
    multipliers[0] = 1.0
    return multipliers
