"""Whether a simulator runs backwards in time, and so which differences are possible."""

from __future__ import annotations

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.errors import SimulationError
from odevsr.world.experiments.oracle import World
from odevsr.world.pilot.calibrate import Known
from odevsr.world.pilot.launching import arrived

VISIBLE = 20.0
"""Motions of so many times what blurs states are seen."""


def possible_difference(
    world: World, wanted: str, states: FloatArray, known: Known, warnings: list[str]
) -> str:
    """The difference wanted, or forward ones for a simulator that does not run backwards."""
    if wanted == "forward" or _runs_backwards(world, states, known):
        return wanted
    if wanted == "backward":
        raise SimulationError(
            "the simulator does not run backwards in time; choose forward differences"
        )
    warnings.append(
        "the simulator does not run backwards in time: derivatives are forward differences"
    )
    return "forward"


def _runs_backwards(world: World, states: FloatArray, known: Known) -> bool:
    """True if a launch and one back lead to where they started, up to what blurs states."""
    blur = float(np.max((known.blur + known.noise) / world.width))
    there, steps = _visibly_moved(world, states, known, blur)
    usable = arrived(there)
    moved = np.max(np.abs(there - states) / world.width, axis=1)
    if not np.any(usable & (moved > 0)):
        return True
    try:
        back = world.launch(there[usable], -steps[usable])
    except SimulationError:
        return False
    missed = np.max(np.abs(back - states[usable]) / world.width, axis=1)
    allowed = 0.1 * moved[usable] + VISIBLE / 10 * blur
    return bool(np.median(np.nan_to_num(missed, nan=np.inf) - allowed) <= 0)


def _visibly_moved(
    world: World, states: FloatArray, known: Known, blur: float
) -> tuple[FloatArray, FloatArray]:
    """States (m, n) after a time in which most move by far more than the blur, and the times."""
    step = known.longest / 10
    while True:
        steps = known.whole(np.full(len(states), step))
        there = world.launch(states, steps)
        moved = np.max(np.abs(there - states) / world.width, axis=1)
        if step >= 10 * known.longest or np.median(moved - VISIBLE * blur) >= 0:
            return there, steps
        step *= 2
