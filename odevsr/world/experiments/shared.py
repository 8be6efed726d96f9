"""Launches that all equations of a system share: none is made twice, whoever asks for it.

A launch shows how all variables move, so what one equation measured serves the others where they
ask for the same states.
"""

from __future__ import annotations

from itertools import islice

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.world.box import Box
from odevsr.world.simulators.launch import Launch

MOST_NUMBERS = 2**23
"""Of all ends that are remembered, 64 MB; the oldest are forgotten first, and launched again if
anybody asks."""


class SharedLaunches:
    """Where launches of a simulator that repeats itself ended, by state and step.

    The pilot and all equations begin at the same states: `shares` (m, n) of the ranges.
    """

    def __init__(self, shares: FloatArray) -> None:
        self.made = 0
        """Launches that were made."""
        self._shares = shares
        self._ends: dict[bytes, FloatArray] = {}
        self._states: set[int] = set()

    def first(self, box: Box) -> FloatArray:
        """The states (m, n) at which all begin."""
        return box.at(self._shares)

    def new(self, states: FloatArray) -> int:
        """How many of the states (m, n) nobody has launched from yet; from now on, somebody has."""
        before = len(self._states)
        self._states.update(hash(state.tobytes()) for state in states)
        return len(self._states) - before

    def before(self, launch: Launch) -> Launch:
        """The launcher, which is asked only for what is not known yet."""

        def remembering(states: FloatArray, step: float | FloatArray) -> FloatArray:
            steps = np.broadcast_to(np.asarray(step, dtype=np.float64), len(states))
            keys = [row.tobytes() for row in np.column_stack([states, steps])]
            new = {key: place for place, key in enumerate(keys) if key not in self._ends}
            if new:
                places = list(new.values())
                ends = launch(states[places], steps[places])
                self.made += len(places)
                self._ends.update(zip(new, ends, strict=True))
            found = np.array([self._ends[key] for key in keys])
            self._forget(MOST_NUMBERS // max(states.shape[1], 1))
            return found

        return remembering

    def _forget(self, kept: int) -> None:
        for key in list(islice(self._ends, max(len(self._ends) - kept, 0))):
            del self._ends[key]

    def begun(self, launch: Launch, states: FloatArray) -> Launch:
        """The same for launches of the pilot, which counts its states (m, n) itself."""
        self.new(states)
        return self.before(launch)
