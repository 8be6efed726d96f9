"""Where experiments are made: free variables spread over their ranges, the others held."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.world.box import Box


def mesh(
    box: Box, free: Sequence[int], held: FloatArray, points: int, rng: np.random.Generator
) -> FloatArray:
    """States (K, points, n): free variables spread over their ranges, the others at held (K, n).

    One free variable runs over evenly spread, slightly jittered nodes; several are drawn from a
    scrambled lattice, so that every one of them is spread evenly as well. Even is meant along the
    range: in the logarithm where that is logarithmic.
    """
    trials = len(held)
    states = np.repeat(held[:, None, :], points, axis=1)
    for variable in free:
        nodes = (np.arange(points) + rng.uniform(0.0, 1.0, (trials, points))) / points
        if len(free) > 1:
            nodes = rng.permuted(nodes, axis=1)
        states[:, :, variable] = box.along(variable, nodes)
    return states


def random_states(box: Box, count: int, rng: np.random.Generator) -> FloatArray:
    """States (count, n) spread over the whole box, no variable held."""
    everything = list(range(len(box)))
    states: FloatArray = mesh(box, everything, np.zeros((1, len(box))), count, rng)[0]
    return states
