"""Whether each state is moved for a step of its own, or all of a call for one of their steps."""

from __future__ import annotations

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.errors import SimulationError
from odevsr.limits import ASKED
from odevsr.world.experiments.schemes import ROUNDING
from odevsr.world.pilot.wild import FEW, NOTEWORTHY
from odevsr.world.simulators.launch import Launch

COMPANY = 12
"""States that are launched together."""
OTHERWISE = 0.1
"""Share of the way between a step and half of it by which states end elsewhere in mixed company;
a solver that chooses its steps for all of them differs by far less."""


def check_own_steps(launch: Launch, states: FloatArray, ends: FloatArray, step: float) -> None:
    """Refuse a simulator for which states end elsewhere beside others that have other steps.

    It must be known to repeat itself, with these ends after the step, and do so each time, so that
    the steps are the reason.
    """
    some, known = states[:COMPANY], ends[:COMPANY]
    if all(_end_elsewhere(launch, some, known, step) for _ in range(ASKED)):
        raise SimulationError(
            "states launched together for different times end elsewhere than for the same; each "
            "has a step of its own: move states[i] for steps[i]"
        )


def _end_elsewhere(launch: Launch, states: FloatArray, by_whole: FloatArray, step: float) -> bool:
    is_whole = np.arange(len(states)) % 2 == 1
    steps = (np.full(len(states), step / 2), np.where(is_whole, step, step / 2))
    by_half, by_mixed = (launch(states, each) for each in steps)
    alone = np.where(is_whole[:, None], by_whole, by_half)
    rounding = NOTEWORTHY * ROUNDING * np.max(np.abs(states), axis=0)
    off = np.abs(by_mixed - alone) > OTHERWISE * np.abs(by_whole - by_half) + rounding
    return bool(np.mean(np.any(off, axis=1)) > FEW)
