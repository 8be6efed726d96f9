"""How finely a simulator tells states apart: those it rounds come back as others."""

from __future__ import annotations

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.world.experiments.schemes import ROUNDING
from odevsr.world.simulators.launch import Launch

VISIBLE = 30.0
"""A change of so many times double precision's own rounding is one of the simulator's."""
WIDER = 3.0
"""The quantum is twice the largest change; of few states a large one may be missing."""


def state_quantum(launch: Launch, states: FloatArray, moment: float) -> FloatArray:
    """To what multiples of what (n,) returned states are rounded; nought where to none.

    Within a `moment` nothing moves, so that what comes back differs from what was sent by rounding.
    What is rounded stays as it is when sent again; what has moved moves on. Rounding changes most
    states; where few are changed, they are put elsewhere, as by a clamp.
    """
    steps = np.full(len(states), moment)
    once = launch(states, steps)
    change = np.abs(once - states)
    finest = VISIBLE * ROUNDING * np.max(np.abs(states), axis=0)
    usable = np.all(np.isfinite(once), axis=1)
    if not np.any(change[usable] > finest):
        return np.zeros(states.shape[1])
    again = np.abs(launch(once[usable], steps[usable]) - once[usable])
    change = change[usable]
    typical = np.median(change, axis=0)
    stays = np.median(again, axis=0) <= 0.01 * typical
    return np.where(stays & (typical > finest), WIDER * np.max(change, axis=0), 0.0)
