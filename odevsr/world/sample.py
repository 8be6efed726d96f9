"""What was measured: the one form in which data reach a search or a judgement."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.limits import SURELY
from odevsr.world.box import Box

RELATIVE_ERROR = 1e-12
"""No value counts as more certain than this, relative to the typical size of its row."""
ROUNDING = SURELY * RELATIVE_ERROR
"""Values that differ by no more, relatively, may be the same; no fit knows a number any better."""
TINY, HUGE = 1e-300, 1e150
"""Values have squares that are neither nought nor infinite."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Values and errors (...) at states (..., n); an error of inf: it could not be measured."""

    states: FloatArray
    values: FloatArray
    errors: FloatArray

    @property
    def usable(self) -> BoolArray:
        """Which points were measured."""
        usable: BoolArray = np.isfinite(self.errors) & (np.abs(self.values) < HUGE)
        return usable

    @property
    def honest_errors(self) -> FloatArray:
        """Errors, each at least what rounding does to values of the size of its row."""
        usable = self.usable
        values, errors = np.where(usable, self.values, 0.0), np.where(usable, self.errors, 0.0)
        size = np.sqrt(np.mean(values**2, axis=-1, keepdims=True))
        honest = np.hypot(errors, RELATIVE_ERROR * size) + TINY
        return np.where(usable, honest, np.inf)

    @property
    def blur(self) -> float:
        """The size of the errors over that of the values."""
        size = float(np.sqrt(np.mean(self.values**2)))
        return float(np.sqrt(np.mean(self.errors**2))) / max(size, TINY)

    def within(self, box: Box) -> Sample:
        """The points (m,) whose states lie in the ranges."""
        inside = np.all((self.states >= box.low) & (self.states <= box.high), axis=-1)
        return Sample(self.states[inside], self.values[inside], self.errors[inside])

    def with_more(self, other: Sample) -> Sample:
        """These points (m,) and others."""
        states = np.concatenate([self.states, other.states])
        values = np.concatenate([self.values, other.values])
        return Sample(states, values, np.concatenate([self.errors, other.errors]))

    def in_trials(self) -> Sample:
        """The same as the one trial of an experiment."""
        return Sample(self.states[None], self.values[None], self.errors[None])

    def measured(self) -> Sample:
        """The points that were measured, in one row."""
        usable = self.usable
        return Sample(self.states[usable], self.values[usable], self.errors[usable])
