"""Experiments on trajectories that run freely: where they cross the plane {held variable = value}.

Nobody sets the state here. Many trajectories run over the state box; wherever one crosses the plane
on which an experiment holds a variable, its derivatives are taken along it. The values between
crossings are interpolated along the plane, which needs the one other variable to be free: this is
for systems of two variables.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.errors import SimulationError, UsageError
from odevsr.world.experiments.oracle import Cost, Oracle, World, WrappingOracle, random_states
from odevsr.world.pilot.pilot import CountedLaunch, Pilot
from odevsr.world.sample import Sample

TRAJECTORIES, SAMPLES = 400, 60
SAMPLES_PER_WIDTH = 20
"""Samples in the time in which a typical state crosses the ranges."""
CELLS = 60
ROOT_STEPS = 60
NEIGHBOURS = 8
"""Crossings that a value is interpolated from."""


def free_trajectories(world: World, step: float, rng: np.random.Generator) -> FloatArray:
    """Samples (SAMPLES, TRAJECTORIES, n), `step` apart; nan from where one leaves the ranges."""
    samples = [random_states(world.box, TRAJECTORIES, rng)]
    low, high = world.box.limits.T
    for _ in range(SAMPLES - 1):
        here = samples[-1]
        after = np.full_like(here, np.nan)
        inside = np.all((here >= low) & (here <= high), axis=1)
        if inside.any():
            after[inside] = world.launch(here[inside], np.full(int(inside.sum()), step))
        samples.append(after)
    return np.array(samples)


def crossings(
    world: World, samples: FloatArray, step: float, variable: int, value: float
) -> FloatArray:
    """States (k, 2) at which the trajectories cross {variable = value}, spread over the box.

    A crossing lies between two samples, one on either side; its time is found by bisection and
    secants in turn, launching from the sample before it.
    """
    starts, sides = _either_side(world, samples, variable, value)
    times = np.array([np.zeros(len(starts)), np.full(len(starts), step)])
    states = starts.copy()
    for count in range(ROOT_STEPS):
        if not len(starts) or np.all(times[1] - times[0] <= 1e-15 * step):
            break
        middle = times.mean(axis=0)
        secant = times[0] - sides[0] * (times[1] - times[0]) / (sides[1] - sides[0])
        trial = middle if count % 3 == 2 else np.clip(secant, times[0], times[1])
        states = world.launch(starts, trial)
        found = states[:, variable] - value
        later = (found * sides[0] > 0).astype(int)
        rows = np.arange(len(starts))
        times[1 - later, rows], sides[1 - later, rows] = trial, found
        exact = found == 0
        times[:, exact] = trial[exact]
    low, high = world.box.limits.T
    near = np.abs(states[:, variable] - value) <= 1e-12 * max(abs(value), world.width[variable])
    states[:, variable] = value
    inside = np.all((states >= low) & (states <= high), axis=1)
    kept: FloatArray = states[near & inside]
    return kept


def _either_side(
    world: World, samples: FloatArray, variable: int, value: float
) -> tuple[FloatArray, FloatArray]:
    """Samples (k, 2) before crossings, and how far they and the next are from the plane, (2, k).

    Of the crossings in each of CELLS parts of the other variable's range, one is enough.
    """
    side = samples[:, :, variable] - value
    crossed = side[:-1] * side[1:] < 0
    sides = np.array([side[:-1][crossed], side[1:][crossed]])
    starts, ends = samples[:-1][crossed], samples[1:][crossed]
    share = (sides[0] / (sides[0] - sides[1]))[:, None]
    other = 1 - variable
    place = world.box.shares(starts + share * (ends - starts))[:, other]
    _, chosen = np.unique(np.floor(CELLS * place), return_index=True)
    return starts[chosen], sides[:, chosen]


class CrossingOracle(WrappingOracle):
    """Measures where free trajectories cross; uncontrolled experiments are left to `launches`."""

    def __init__(
        self, world: World, launches: Oracle, pilot: Pilot, rng: np.random.Generator
    ) -> None:
        if len(world.names) != 2:
            raise UsageError(
                "crossings hold one variable and free one, so they need a system of two variables, "
                f"not {len(world.names)}; use launches"
            )
        super().__init__(launches)
        self._counted = CountedLaunch(world.launch)
        self._world = replace(world, launch=self._counted)
        rates = [each.size for each in pilot.calibrations]
        quickest = max(rate / width for rate, width in zip(rates, world.width, strict=True))
        if quickest == 0:
            raise SimulationError("nothing moves, so nothing is ever crossed; use launches")
        self._step = 1 / (SAMPLES_PER_WIDTH * quickest)
        self._samples = free_trajectories(self._world, self._step, rng)
        self.cost += Cost(simulations=self._counted.launches)

    def measure(self, states: FloatArray) -> Sample:
        """Derivatives at states (..., trials, points, 2), each trial of which holds a variable."""
        trials = states.reshape(-1, *states.shape[-2:]) if states.ndim > 2 else states[None]
        held = np.all(trials == trials[:, :1], axis=1)
        if trials.shape[1] < 2 or not np.all(held.sum(axis=1) == 1):
            return self._oracle.measure(states)
        parts = [
            self._along(trial, int(np.argmax(fixed)))
            for trial, fixed in zip(trials, held, strict=True)
        ]
        values, errors = np.moveaxis(np.array(parts), 1, 0)
        shape = states.shape[:-1]
        return Sample(states, values.reshape(shape), errors.reshape(shape))

    def _along(self, states: FloatArray, held: int) -> tuple[FloatArray, FloatArray]:
        """Derivatives and errors (points,) on one plane; the error is inf beyond all crossings."""
        before = self._counted.launches
        met = crossings(self._world, self._samples, self._step, held, float(states[0, held]))
        self.cost += Cost(simulations=self._counted.launches - before)
        if len(met) <= NEIGHBOURS:
            return np.zeros(len(states)), np.full(len(states), np.inf)
        batch = self._oracle.measure(met)
        free = 1 - held
        order = np.argsort(met[:, free])
        return interpolated(
            met[order, free], batch.values[order], batch.errors[order], states[:, free]
        )


def interpolated(
    places: FloatArray, values: FloatArray, errors: FloatArray, wanted: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Values and errors at wanted places (m,) by polynomials through the nearest known ones (k,).

    The error adds what the last neighbour changes to the known errors; beyond the first and last
    place nothing is known.
    """
    first = np.searchsorted(places, wanted) - NEIGHBOURS // 2
    rows = np.clip(first, 0, len(places) - NEIGHBOURS)[:, None] + np.arange(NEIGHBOURS)
    distance = np.abs(places[rows] - wanted[:, None])
    rows = np.take_along_axis(rows, np.argsort(distance, axis=1), axis=1)
    all_weights = _lagrange(places[rows], wanted)
    fewer = _lagrange(places[rows[:, :-1]], wanted)
    result = np.sum(all_weights * values[rows], axis=1)
    change = np.abs(result - np.sum(fewer * values[rows[:, :-1]], axis=1))
    error = change + np.sqrt(np.sum((all_weights * errors[rows]) ** 2, axis=1))
    outside = (wanted < places[0]) | (wanted > places[-1]) | ~np.isfinite(error)
    return np.where(outside, 0.0, result), np.where(outside, np.inf, error)


def _lagrange(places: FloatArray, wanted: FloatArray) -> FloatArray:
    """Weights (m, k) of values at places (m, k) in the polynomial through them, at wanted (m,)."""
    count = places.shape[1]
    others = ~np.eye(count, dtype=bool)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = (wanted[:, None, None] - places[:, None, :]) / (
            places[:, :, None] - places[:, None, :]
        )
    weights: FloatArray = np.prod(np.where(others, ratios, 1.0), axis=2)
    return weights
