"""Runs as smooth paths: what the search for candidates and the fits of motion both read."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from odevsr.arrays import BoolArray, FloatArray, IntArray
from odevsr.fitting.shooting import Motion
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Expression
from odevsr.world.recordings.runs import Recordings, Run
from odevsr.world.recordings.smooth import Noise, Smoothed, smooth

NODES, RULE = np.polynomial.legendre.leggauss(3)
"""Gauss's rule between neighbouring samples."""
ROWS = ("times", "samples", "errors", "states", "slopes", "bends", "slope_errors", "nodes", "steps")
"""What paths have for each time."""
FEWEST_DERIVATIVES = 20
"""Measured derivatives from whose own path their noise can be told."""
TRUSTED = 1e-8
"""No sample counts as more certain than this share of its variable's spread: solvers have errors,
too."""


BUDGET = 6e7
"""Numbers that fits of motion may follow from sample to sample: twice what 512 noisy samples of
three chaotic variables take, some forty CPU seconds."""


@dataclass(eq=False)
class Effort:
    """What fits of motion have cost so far; once it is too much, constants stay where they are."""

    spent: float = 0.0

    @property
    def is_over(self) -> bool:
        """Whether no more fits are to be made."""
        return self.spent > BUDGET


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
    """Which variables have next to no noise."""
    effort: Effort = field(default_factory=Effort)

    @property
    def low(self) -> FloatArray:
        """The least value of each variable and input."""
        return np.asarray(self.states.min(axis=0))

    @property
    def high(self) -> FloatArray:
        """The greatest value of each variable and input."""
        return np.asarray(self.states.max(axis=0))

    def runs(self, first: int, last: int) -> Paths:
        """Some of the runs."""
        kept = slice(self.bounds[first], self.bounds[last])
        bounds = self.bounds[first : last + 1] - self.bounds[first]
        return replace(self, bounds=bounds, **{name: getattr(self, name)[kept] for name in ROWS})

    def each_run(self, variable: int) -> list[FloatArray]:
        """The smooth states of one variable or input, run by run."""
        return np.split(self.states[:, variable], self.bounds[1:-1])

    def along(self, functions: list[Expression]) -> FloatArray:
        """Values (N, k) of functions at the smooth states."""
        return compile_field(functions, self.names)(self.states)

    def integrals(self, functions: list[Expression]) -> FloatArray:
        """Integrals (N, k) of functions along the paths, from the beginning of each run."""
        between = compile_field(functions, self.names)(self.nodes)
        pieces = np.einsum("njk,j,n->nk", between, RULE / 2, self.steps)
        sums = np.cumsum(np.vstack([np.zeros((1, len(functions))), pieces[:-1]]), axis=0)
        for first, last in zip(self.bounds[:-1], self.bounds[1:], strict=True):
            sums[first:last] -= sums[first].copy()
        return np.asarray(sums)

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
            tolerance=float(np.clip(0.02 * self.blur, 1e-10, 1e-5)),
        )

    @property
    def blur(self) -> float:
        """The least error of a sample as a share of its variable's spread, typically."""
        spread = self.states[:, : self.variables].std(axis=0) + 1e-300
        return float(np.min(np.median(self.errors, axis=0) / spread))


MOST = 3_000
"""Samples of all runs together that motions are fitted to; paths go through the others, too. Where
there is no noise, more of them tell no more; where there is some, neighbours are averaged."""


def smooth_paths(recordings: Recordings) -> Paths:
    """The recordings with every variable of every run smoothed."""
    smoothed = [[smooth(run.times, each) for each in run.states.T] for run in recordings.runs]
    clean = all(each.is_clean for variables in smoothed for each in variables)
    samples = sum(len(run.times) for run in recordings.runs)
    every = max(1, samples // MOST)
    pieces = [
        _path(run, recordings, variables, every, clean)
        for run, variables in zip(recordings.runs, smoothed, strict=True)
    ]
    together: dict[str, Any] = {
        name: np.concatenate([getattr(piece, name) for piece in pieces]) for name in ROWS
    }
    spread = together["states"][:, : len(recordings.names)].std(axis=0)
    together["errors"] = np.maximum(together["errors"], TRUSTED * spread + 1e-300)
    return replace(
        pieces[0],
        bounds=np.cumsum([0, *(len(piece.times) for piece in pieces)], dtype=np.int64),
        clean=np.all([piece.clean for piece in pieces], axis=0),
        **together,
    )


def _path(
    run: Run, recordings: Recordings, variables: list[Smoothed], every: int, clean: bool
) -> Paths:
    """One run as it stands in the whole, at some of its times."""
    kept = slice(None, None, every)
    times, states = run.times[kept], run.states[kept]
    inputs = [_as_sampled(run.times, column) for column in run.inputs.T]
    everything = [*variables, *inputs]
    steps = np.append(np.diff(times), 0.0)
    between = times[:, None] + steps[:, None] * (1 + NODES) / 2
    noise = np.stack([each.noise.sizes(each.values(times)) for each in variables], axis=1)
    if every > 1 and not clean:
        states, averaged = _averaged(run, variables, every)
        noise = noise / np.sqrt(averaged)
    slopes = np.stack([each.slopes(times) for each in everything], axis=1)
    slope_errors = np.stack([each.slope_errors[kept] for each in variables], axis=1)
    if run.derivatives is not None:
        _use_measured(times, run.derivatives[kept], slopes, slope_errors)
    return Paths(
        names=(*recordings.names, *recordings.inputs),
        variables=len(variables),
        bounds=np.array([0, len(times)]),
        times=times,
        samples=states,
        errors=np.where(np.isfinite(states), noise, np.inf),
        states=np.stack([each.values(times) for each in everything], axis=1),
        slopes=slopes,
        bends=np.stack([each.path(times, 2) for each in everything], axis=1),
        slope_errors=slope_errors,
        nodes=np.stack([each.values(between) for each in everything], axis=-1),
        steps=steps,
        clean=np.array([each.is_clean for each in variables]),
    )


def _averaged(run: Run, variables: list[Smoothed], every: int) -> tuple[FloatArray, FloatArray]:
    """Samples at every few times, each with what those up to the next are off the smooth path.

    With them comes of how many each is the mean.
    """
    path = np.stack([each.values(run.times) for each in variables], axis=1)
    off = run.states - path
    first = np.arange(0, len(path), every)
    counts = np.add.reduceat(np.isfinite(off).astype(float), first)
    means = np.add.reduceat(np.nan_to_num(off), first) / np.maximum(counts, 1)
    return np.where(counts > 0, path[first] + means, np.nan), np.maximum(counts, 1)


def _use_measured(
    times: FloatArray, derivatives: FloatArray, slopes: FloatArray, errors: FloatArray
) -> None:
    """Put measured derivatives in the place of slopes that are less certain."""
    for k, column in enumerate(derivatives.T):
        if np.sum(np.isfinite(column)) >= FEWEST_DERIVATIVES:
            measured = smooth(times, column)
            noise = np.maximum(
                measured.noise.sizes(measured.values(times)), TRUSTED * np.nanstd(column)
            )
            better = np.isfinite(column) & (noise < errors[:, k])
            slopes[better, k], errors[better, k] = column[better], noise[better]


def _as_sampled(times: FloatArray, column: FloatArray) -> Smoothed:
    """An input as it was set: through its samples, with no wiggle between them."""
    from scipy.interpolate import PchipInterpolator

    return Smoothed(PchipInterpolator(times, column), times, np.zeros(len(times)), Noise(0.0))
