"""Runs as smooth paths: what the search for candidates and the fits of motion both read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from odevsr.arrays import BoolArray, FloatArray, IntArray
from odevsr.fitting.shooting import Motion
from odevsr.language.evaluate import Field, compile_field
from odevsr.language.expression import Expression

NODES, RULE = np.polynomial.legendre.leggauss(3)
"""Gauss's rule between neighbouring samples."""
TRUSTED = 1e-8
"""No sample counts as more certain than this share of its variable's spread: solvers have errors,
too."""
MEASURED = ("samples", "errors", "slope_errors")
"""What paths have for each variable,"""
SMOOTHED = ("states", "slopes", "bends", "nodes")
"""for each variable and input,"""
ROWS = ("times", "steps", *MEASURED, *SMOOTHED)
"""and for each time."""


@dataclass(frozen=True, eq=False)
class Paths:
    """All runs, one behind the other: samples and smooth states at times (N,), a column a variable.

    Inputs stand behind the variables in `states`. `nodes` (N, 3, n) are states between a sample and
    the next, for integrals; `steps` (N,) the times between them, 0 at the end of a run.
    """

    names: tuple[str, ...]
    variables: int
    times: FloatArray
    bounds: IntArray
    samples: FloatArray
    errors: FloatArray
    """Of the samples: the noise; inf where nothing was measured."""
    states: FloatArray
    slopes: FloatArray
    bends: FloatArray
    """Second derivatives."""
    slope_errors: FloatArray
    nodes: FloatArray
    steps: FloatArray
    clean: BoolArray
    """Which variables have next to no noise,"""
    rounded: BoolArray
    """and of which the errors are mostly those of rounding."""
    inputs: int
    """How many of the names, the last, are of what was set from outside."""

    @property
    def has_bounds(self) -> bool:
        """Whether errors are those of solvers: bounds, and no chance."""
        return bool(self.clean.all() and not self.rounded.any())

    @property
    def low(self) -> FloatArray:
        """The least value of each variable and input."""
        return np.asarray(self.states.min(axis=0))

    @property
    def high(self) -> FloatArray:
        """The greatest value of each variable and input."""
        return np.asarray(self.states.max(axis=0))

    def runs(self, chosen: Sequence[int]) -> Paths:
        """Some of the runs, in this order."""
        spans = [slice(*self.bounds[k : k + 2]) for k in chosen]
        rows: dict[str, Any] = {
            name: np.concatenate([getattr(self, name)[span] for span in spans]) for name in ROWS
        }
        counts = [span.stop - span.start for span in spans]
        return replace(self, bounds=np.cumsum([0, *counts], dtype=np.int64), **rows)

    def cut(self, most: int) -> Paths:
        """The same with runs of more samples in even parts, each of which is a run."""
        parts = [
            np.linspace(first, last, math.ceil((last - first) / most), endpoint=False)
            for first, last in pairwise(self.bounds.tolist())
        ]
        bounds = np.append(np.concatenate(parts).astype(np.int64), self.bounds[-1:])
        steps = self.steps.copy()
        steps[bounds[1:] - 1] = 0.0
        return replace(self, bounds=bounds, steps=steps)

    def alone(self, variable: int) -> Paths:
        """One variable, beside which all others are inputs that move as they were smoothed."""
        order = [variable, *(k for k in range(len(self.names)) if k != variable)]
        own = {name: getattr(self, name)[:, [variable]] for name in MEASURED}
        everything = {name: getattr(self, name)[..., order] for name in SMOOTHED}
        names = tuple(self.names[k] for k in order)
        return replace(
            self,
            names=names,
            variables=1,
            clean=self.clean[[variable]],
            rounded=self.rounded[[variable]],
            **own,
            **everything,
        )

    def each_run(self, variable: int) -> list[FloatArray]:
        """The smooth states of one variable or input, run by run."""
        return np.split(self.states[:, variable], self.bounds[1:-1])

    def field(self, functions: Sequence[Expression]) -> Field:
        """Functions of variables and inputs, to be evaluated together."""
        return compile_field(functions, self.names)

    def along(self, functions: Sequence[Expression]) -> FloatArray:
        """Values (N, k) of functions at the smooth states."""
        return self.field(functions)(self.states)

    def integrals(self, field: Field) -> FloatArray:
        """Integrals (N, k) of functions along the paths, from the beginning of each run."""
        pieces = np.einsum("njk,j,n->nk", field(self.nodes), RULE / 2, self.steps)
        sums = np.cumsum(np.vstack([np.zeros((1, pieces.shape[1])), pieces[:-1]]), axis=0)
        for first, last in zip(self.bounds[:-1], self.bounds[1:], strict=True):
            sums[first:last] -= sums[first].copy()
        return np.asarray(sums)

    @cached_property
    def whole(self) -> Motion:
        """The samples of all variables."""
        return self.motion(list(range(self.variables)))

    def motion(self, chosen: list[int]) -> Motion:
        """The samples of some variables; the others, and all inputs, move as they were smoothed."""
        others = [k for k in range(len(self.names)) if k not in chosen]
        errors = self.errors[:, chosen]
        measured = np.isfinite(errors)
        return Motion(
            times=self.times,
            samples=np.ascontiguousarray(np.where(measured, self.samples[:, chosen], 0.0)),
            weights=np.ascontiguousarray(np.where(measured, 1 / errors, 0.0)),
            inputs=np.ascontiguousarray(
                np.stack(
                    [each[:, others] for each in (self.states, self.slopes, self.bends)], axis=2
                )
            ),
            bounds=self.bounds,
            scale=np.maximum(np.abs(self.low), np.abs(self.high))[chosen],
            tolerance=float(np.clip(0.002 * self.blur, 1e-10, 1e-5)),
            is_smooth=len(self.names) == self.variables,
        )

    @property
    def usual_errors(self) -> FloatArray:
        """Of the samples of each variable, the median where it was measured."""
        measured = (each[np.isfinite(each)] for each in self.errors.T)
        return np.array([np.median(each) if len(each) else math.inf for each in measured])

    @property
    def blur(self) -> float:
        """The least error of a sample as a share of its variable's spread, typically."""
        spread = self.states[:, : self.variables].std(axis=0) + 1e-300
        return float(np.min(self.usual_errors / spread))
