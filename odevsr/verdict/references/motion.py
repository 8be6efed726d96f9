"""How far a field's own motion departs from stretches of given trajectories.

scipy's solver is used rather than our simulator, so that the simulator is checked as well.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.evaluate import Field
from odevsr.world.trajectories.trajectory import Trajectory

Stretch = tuple[FloatArray, FloatArray]
"""Part of a trajectory: time (m,) and states (m, n), at least two samples."""

STEPS = 100
"""Steps of a stretch; long trajectories of a chaotic system differ whatever one does."""
STRETCHES = 4
"""Stretches taken from each trajectory, evenly spaced."""
RELATIVE, ABSOLUTE = 1e-12, 1e-14
"""Tolerances of the solver; the absolute one is of the width of each variable's range."""
MOST_EVALUATIONS = 500_000
"""Of the field, for one stretch; a field that takes more cannot be followed."""


def stretches(trajectory: Trajectory) -> list[Stretch]:
    """Up to `STRETCHES` of a trajectory, from its first sample to its last; of one sample, none."""
    last = len(trajectory.time) - 1
    starts = np.linspace(0, max(last - STEPS, 0), STRETCHES).round().astype(int)
    parts = [slice(start, start + STEPS + 1) for start in np.unique(starts).tolist()]
    return [(trajectory.time[part], trajectory.states[part]) for part in parts] if last > 0 else []


def departure(field: Field, parts: Sequence[Stretch], width: FloatArray) -> FloatArray:
    """The largest difference (n,) of any stretch from the field's motion, relative to `width` (n,).

    It is nan where the field cannot be followed, and where there is no stretch.
    """
    largest = [
        np.abs(_motion(field, time, states[0], width) - states).max(axis=0)
        for time, states in parts
    ]
    return np.max(largest, axis=0) / width if largest else np.full(len(width), np.nan)


def _motion(field: Field, time: FloatArray, start: FloatArray, width: FloatArray) -> FloatArray:
    """States (m, n) at the given times."""
    from scipy.integrate import solve_ivp

    evaluations = iter(range(MOST_EVALUATIONS))

    def rate(_: float, state: FloatArray) -> FloatArray:
        # A rate that is no number ends the solver.
        return field(state) if next(evaluations, None) is not None else np.full_like(state, np.nan)

    with np.errstate(all="ignore"):
        solution = solve_ivp(
            rate,
            (time[0], time[-1]),
            start,
            method="DOP853",
            t_eval=time,
            rtol=RELATIVE,
            atol=ABSOLUTE * width,
        )
    return np.asarray(
        solution.y.T if solution.success else np.full((len(time), len(start)), np.nan)
    )
