"""The motion that laws give along a recorded run, and how well it follows what was measured."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.evaluate import Field
from odevsr.world.recordings.runs import Run

EVALUATIONS = 30_000
"""Of the laws, after which a motion is given up: junk is often stiff."""
FAR = 1e3
"""A motion so many times larger than what was measured is lost."""
RELATIVE, ABSOLUTE = 1e-7, 1e-9
"""Tolerances of the solver; the absolute one is of what was measured."""


class _LostError(Exception):
    """A motion left everything that was measured."""


def replayed(field: Field, run: Run, start: FloatArray) -> FloatArray:
    """States (m, n) at the run's times, from `start` at the first of them on.

    The field takes variables and inputs, which are set as they were recorded, with straight lines
    between samples. All states are nan if the motion cannot be followed to the end.
    """
    from scipy.integrate import ODEintWarning, odeint

    size = np.nanmax(np.abs(run.states), axis=0) + 1e-300
    rate = _rate(field, run, FAR * size)
    lost = np.full((len(run.times), len(start)), np.nan)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", ODEintWarning)
        try:
            states, told = odeint(
                rate, start, run.times, rtol=RELATIVE, atol=ABSOLUTE * size, full_output=True
            )
        except _LostError:
            return lost
    done = told["message"] == "Integration successful." and np.isfinite(states).all()
    return states if done else lost


def motion_error(field: Field, runs: Sequence[Run], starts: Sequence[FloatArray]) -> float:
    """What motions along the runs leave of the variance measured, all variables together.

    1 - R2, weighted by variance; infinite if one of them cannot be followed.
    """
    left = spread = 0.0
    for run, start in zip(runs, starts, strict=True):
        states = replayed(field, run, start)
        if np.isnan(states).any():
            return float("inf")
        left += float(np.nansum((states - run.states) ** 2))
        spread += float(np.nansum((run.states - np.nanmean(run.states, axis=0)) ** 2))
    return left / spread if spread else float("inf")


def _rate(field: Field, run: Run, most: FloatArray) -> Callable[[FloatArray, float], FloatArray]:
    evaluations = 0

    def rate(state: FloatArray, time: float) -> FloatArray:
        nonlocal evaluations
        evaluations += 1
        if evaluations > EVALUATIONS or not np.all(np.abs(state) < most):
            raise _LostError
        settings = [np.interp(time, run.times, column) for column in run.inputs.T]
        return field(np.concatenate([state, settings]))

    return rate
