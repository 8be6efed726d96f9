"""Launchers as a pilot wants them: one that counts, one that leads nowhere where it fails."""

from __future__ import annotations

import time

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.errors import SimulationError
from odevsr.world.pilot.time_scale import SHORTEST_TIME
from odevsr.world.simulators.guard import HangingError
from odevsr.world.simulators.launch import Launch


class CountedLaunch:
    """A launcher that counts, and looks at the clock."""

    def __init__(self, launch: Launch) -> None:
        self.launches = 0
        self._launch = launch
        self._seconds = 0.0

    @property
    def seconds_a_launch(self) -> float:
        """What a launch took, on the whole."""
        return self._seconds / max(self.launches, 1)

    def __call__(self, states: FloatArray, step: float | FloatArray) -> FloatArray:
        """As the launcher does."""
        self.launches += len(states)
        began = time.perf_counter()
        try:
            return self._launch(states, step)
        finally:
            self._seconds += time.perf_counter() - began


def or_nowhere(launch: Launch) -> Launch:
    """A launcher that leads nowhere where it fails for a time, but not for a shorter one."""

    def move(states: FloatArray, step: float | FloatArray) -> FloatArray:
        try:
            return launch(states, step)
        except HangingError:
            raise
        except SimulationError:
            launch(states, np.full(len(states), SHORTEST_TIME))
            return np.full_like(states, np.nan)

    return move


def arrived(states: FloatArray) -> BoolArray:
    """Which launches (m,) ended somewhere."""
    finite: BoolArray = np.logical_and.reduce(np.isfinite(states), axis=1)
    return finite
