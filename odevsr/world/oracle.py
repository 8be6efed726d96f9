"""Experiments on a simulator: the only door through which a search sees the truth.

An experiment holds some variables at chosen values and lets the others vary over a mesh of the state box. The
oracle launches the simulator from each point, a little forwards and backwards in time, and estimates the
derivatives by finite differences, each with an estimate of its error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from odevsr.errors import SimulationError
from odevsr.world.launch import Launch

FloatArray = NDArray[np.float64]
ROUNDING = float(np.finfo(float).eps)
TINY = 1e-300
PILOT_STATES = 24
PILOT_LEVELS = 14
SHORTEST_TIME, LONGEST_TIME = 1e-12, 1e12
MOST_REFINEMENTS = 3
CAUTION = 4.0
"""The pilot's best step suits typical states; a shorter one costs digits and suits nearly all."""


@dataclass(frozen=True)
class Cost:
    """What was spent: controlled experiments, states at which derivatives were taken, launches."""

    experiments: int = 0
    states: int = 0
    simulations: int = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            self.experiments + other.experiments,
            self.states + other.states,
            self.simulations + other.simulations,
        )


@dataclass(frozen=True, eq=False)
class Batch:
    """What an experiment gave: states (..., n), derivatives (...) of one component, and their errors (...)."""

    states: FloatArray
    values: FloatArray
    errors: FloatArray


@dataclass(frozen=True)
class World:
    """What an experimenter knows before the first experiment: names, ranges, and how to launch."""

    names: tuple[str, ...]
    box: FloatArray = field(compare=False)
    launch: Launch = field(compare=False)


class Oracle:
    """Measures the derivative of one component at chosen states; counts what that costs.

    `step` is where to begin (see `calibrate`); states around which the system moves faster are measured
    again with a shorter one.
    """

    def __init__(self, world: World, component: int, step: float) -> None:
        self.world = world
        self.component = component
        self.cost = Cost()
        self._step = step

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the state variables."""
        return self.world.names

    @property
    def box(self) -> FloatArray:
        """Range of each variable, (n, 2)."""
        return self.world.box

    def measure(self, states: FloatArray) -> Batch:
        """Derivatives at states (..., n) by fourth-order central differences."""
        flat = states.reshape(-1, states.shape[-1])
        steps = np.full(len(flat), self._step)
        values, truncation, rounding = self._differences(flat, steps)
        for _ in range(MOST_REFINEMENTS):
            coarse = np.flatnonzero(~(truncation <= 4 * rounding))
            if not coarse.size:
                break
            ratio = np.nan_to_num(rounding[coarse] / truncation[coarse], nan=0.0)
            steps[coarse] *= np.clip(ratio**0.2, 1 / 32, 1 / 2)
            values[coarse], truncation[coarse], rounding[coarse] = self._differences(
                flat[coarse], steps[coarse]
            )
        if not np.all(np.isfinite(values)):
            self._refuse(flat[~np.isfinite(values)])
        self.cost += Cost(experiments=1, states=len(flat))
        shape = states.shape[:-1]
        return Batch(states, values.reshape(shape), (truncation + rounding).reshape(shape))

    def _differences(
        self, states: FloatArray, steps: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Derivative of the component, its truncation and its rounding error, each (m,)."""
        near = central_difference(self.world.launch, states, steps)
        far = central_difference(self.world.launch, states, 2 * steps)
        self.cost += Cost(simulations=4 * len(states))
        width = self.box[:, 1] - self.box[:, 0]
        gap = np.abs(far - near) / 3
        # The gap of the two-point differences is of relative size (step/time scale)**2 for the state as
        # a whole; what remains of it in their combination is smaller by that factor once more.
        relative = np.max(gap / width, axis=1) / (np.max(np.abs(near) / width, axis=1) + TINY)
        relative = np.minimum(relative, 1.0)
        mine = near[:, self.component]
        truncation = relative * np.maximum(gap[:, self.component], relative * np.abs(mine))
        position = np.abs(states[:, self.component])
        rounding = ROUNDING * (position / steps + 4 * np.abs(mine)) + TINY
        values = (4 * mine - far[:, self.component]) / 3
        return values, truncation, rounding

    def _refuse(self, states: FloatArray) -> None:
        where = ", ".join(f"{n}={v:.6g}" for n, v in zip(self.names, states[0], strict=True))
        raise SimulationError(
            f"the simulator gave no finite state from {len(states)} launches, for one from {where}; "
            "narrow the ranges of the state variables to where it works"
        )


def central_difference(launch: Launch, states: FloatArray, steps: FloatArray) -> FloatArray:
    """(x(+step) - x(-step)) / (2 step) for states (m, n) and steps (m,)."""
    difference: FloatArray = launch(states, steps) - launch(states, -steps)
    return difference / (2 * steps[:, None])


def calibrate(world: World, rng: np.random.Generator) -> tuple[FloatArray, Cost]:
    """For each component the step at which neighbouring estimates agree best, (n,), and what that cost."""
    states = random_states(world.box, PILOT_STATES, rng)
    longest, cost = _time_scale(world, states)
    steps = longest / 2.0 ** np.arange(PILOT_LEVELS)
    differences = np.array(
        [central_difference(world.launch, states, np.full(len(states), step)) for step in steps]
    )
    estimates = (4 * differences[1:] - differences[:-1]) / 3
    gaps = np.abs(np.diff(estimates, axis=0))
    size = np.abs(estimates[1:]) + TINY
    typical = np.median(np.where(np.isfinite(gaps), gaps / size, np.inf), axis=1)
    best = steps[2 + np.argmin(typical, axis=0)] / CAUTION
    return best, cost + Cost(experiments=1, simulations=2 * PILOT_LEVELS * PILOT_STATES)


def _time_scale(world: World, states: FloatArray) -> tuple[float, Cost]:
    """A time in which most states move by no more than a tenth of their box."""
    width = world.box[:, 1] - world.box[:, 0]
    step = SHORTEST_TIME
    cost = Cost()
    while step < LONGEST_TIME:
        moved = np.abs(world.launch(states, 10 * step) - states) / width
        cost += Cost(simulations=len(states))
        if np.mean(np.max(moved, axis=1) <= 0.1) < 0.9:  # nan counts as moved too far
            break
        step *= 10
    return step, cost


def mesh(
    box: FloatArray, free: Sequence[int], held: FloatArray, points: int, rng: np.random.Generator
) -> FloatArray:
    """States (K, points, n): the free variables spread over their ranges, the others at held (K, n).

    One free variable runs over evenly spread, slightly jittered nodes; several are drawn from a
    scrambled lattice, so that every one of them is spread evenly as well.
    """
    trials = len(held)
    states = np.repeat(held[:, None, :], points, axis=1)
    for variable in free:
        low, high = box[variable]
        nodes = (np.arange(points) + rng.uniform(0.0, 1.0, (trials, points))) / points
        if len(free) > 1:
            nodes = rng.permuted(nodes, axis=1)
        states[:, :, variable] = low + (high - low) * nodes
    return states


def random_states(box: FloatArray, count: int, rng: np.random.Generator) -> FloatArray:
    """States (count, n) spread over the whole box, no variable held."""
    everything = list(range(len(box)))
    return mesh(box, everything, np.zeros((1, len(box))), count, rng)[0]
