"""Where a quantity is asked about: states anywhere in the box, and lines along variables."""

from __future__ import annotations

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.world.box import Box


def uniform_states(box: Box, count: int, rng: np.random.Generator) -> FloatArray:
    """Independent states (count, n), each anywhere in the box."""
    return box.at(rng.random((count, len(box))))


def line(bases: FloatArray, variable: int, values: FloatArray) -> FloatArray:
    """States (..., points, n): the bases (..., n) with other values (..., points) of a variable."""
    states = np.repeat(bases[..., None, :], values.shape[-1], axis=-2)
    states[..., variable] = values
    return states


def lines(box: Box, bases: FloatArray, shares: FloatArray) -> FloatArray:
    """States (n, bases, points, n): from every base, each variable alone at shares of its range.

    Shares are (points,), or (n, bases, points) where they differ from line to line.
    """
    own = np.broadcast_to(shares, (len(box), len(bases), shares.shape[-1]))
    along = [line(bases, index, box.along(index, each)) for index, each in enumerate(own)]
    return np.array(along).reshape(*own.shape, len(box))
