"""Experiments without control: trajectories start anywhere in the ranges, and then are watched.

Nobody sets a state. An experiment that holds a variable is answered where trajectories cross the
plane on which it has that value, at the crossings nearest to the states asked for; one that holds
nothing, on a plane through each of these states. What holds more than one variable is not answered:
trajectories miss it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from odevsr.arrays import FloatArray, IntArray
from odevsr.errors import SimulationError, UsageError
from odevsr.world.experiments.crossings import FEWER, WINDOW, Trajectories, roughness
from odevsr.world.experiments.launched import LaunchOracle, Noise
from odevsr.world.experiments.mesh import random_states
from odevsr.world.experiments.oracle import Cost, World
from odevsr.world.experiments.schemes import Estimate
from odevsr.world.pilot.pilot import Pilot
from odevsr.world.sample import Sample

TRAJECTORIES, SPELLS, SAMPLES = 400, 6, 40
"""Trajectories watched at a time, how often their steps are chosen anew, samples until then."""
FIRST = 64.0
"""The first step over that of differences, which are of a lower order."""
CHANGE = 4.0
"""Factor by which a step changes at most."""
ORDER = FEWER + 1
"""What interpolation misses grows with this power of the step."""
MARGIN = 0.1
"""Share of the ranges beyond which a trajectory is no longer watched."""


def watch(world: World, step: float, error: FloatArray, rng: np.random.Generator) -> Trajectories:
    """Trajectories from states drawn from the ranges on; where one ends, another begins."""
    states = random_states(world.box, TRAJECTORIES, rng)
    steps = np.full(TRAJECTORIES, step)
    spells, all_steps = [], []
    for _ in range(SPELLS):
        seen = _spell(world, states, steps)
        spells.append(seen)
        all_steps.append(steps)
        alive = np.all(np.isfinite(seen[-1]), axis=1)
        new = random_states(world.box, int(np.sum(~alive)), rng)
        states = np.concatenate([seen[-1, alive], new])
        steps = np.concatenate([_next_steps(seen[:, alive], steps[alive], error), steps[~alive]])
    return Trajectories(np.concatenate(spells, axis=1), np.concatenate(all_steps), error)


def _spell(world: World, states: FloatArray, steps: FloatArray) -> FloatArray:
    """Samples (SAMPLES, R, n) from states (R, n) on; nan from where one leaves the ranges."""
    seen = np.full((SAMPLES, *states.shape), np.nan)
    seen[0] = states
    running = np.arange(len(states))
    for count in range(1, SAMPLES):
        after = world.launch(seen[count - 1, running], steps[running])
        shares = world.box.shares(after)
        stays = np.all((shares >= -MARGIN) & (shares <= 1 + MARGIN), axis=1)
        running = running[stays]
        if not running.size:
            break
        seen[count, running] = after[stays]
    return seen


def _next_steps(seen: FloatArray, steps: FloatArray, error: FloatArray) -> FloatArray:
    """Steps at which interpolation misses about as much as rounding blurs."""
    rough = roughness(seen[-WINDOW:].swapaxes(0, 1), error)
    return steps * np.clip(rough, CHANGE**-ORDER, CHANGE**ORDER) ** (-1 / ORDER)


class CrossingOracle(LaunchOracle):
    """Measures where trajectories cross planes; its samples have the states that were met."""

    def __init__(
        self,
        world: World,
        component: int,
        pilot: Pilot,
        noise: Noise | None,
        rng: np.random.Generator,
    ) -> None:
        if not world.kind.moves:
            raise UsageError("only what moves crosses planes; leave out sampling by crossings")
        super().__init__(world, component, pilot.calibrations[component], noise=noise)
        if not any(each.size for each in pilot.calibrations):
            raise SimulationError("nothing moves, so nothing is ever crossed; use launches")
        error = np.array([each.state_error for each in pilot.calibrations])
        step = FIRST * min(each.step for each in pilot.calibrations)
        self._watched = watch(world, step, error, rng)
        self.cost += Cost(simulations=int(np.sum(np.isfinite(self._watched.samples[..., 0]))))

    def measure(self, states: FloatArray) -> Sample:
        """Derivatives near states (..., points, n); an error of inf where nothing crosses."""
        met, values = states.copy(), np.zeros(states.shape[:-1])
        errors = np.full(values.shape, np.inf)
        for trial in np.ndindex(states.shape[:-2]):
            for variable, points in _planes(states[trial]):
                answered, *found = self._on_plane(states[trial], variable, points)
                place = (*trial, answered)
                met[place], values[place], errors[place] = found
        self.cost += Cost(experiments=1, states=int(np.sum(np.isfinite(errors))))
        return self._sample(met, Estimate(values, errors, np.zeros_like(errors)))

    def _on_plane(
        self, states: FloatArray, variable: int, points: IntArray
    ) -> tuple[IntArray, FloatArray, FloatArray, FloatArray]:
        """Which points of a trial (p, n) are answered, by which states, derivatives and errors.

        A crossing answers one point, and none that is asked for elsewhere in the ranges.
        """
        from scipy.optimize import linear_sum_assignment
        from scipy.spatial.distance import cdist

        windows = self._watched.on_plane(variable, float(states[points[0], variable]))
        shares, asked = self.box.shares(windows.places()), self.box.shares(states)
        low, high = _region(asked)
        free = np.arange(states.shape[1]) != variable
        near = np.flatnonzero(np.all((shares >= low) & (shares <= high), axis=1, where=free))
        distances = cdist(asked[points][:, free], shares[near][:, free])
        answered, chosen = linear_sum_assignment(distances)
        met, slopes, errors = windows.located(near[chosen])
        return points[answered], met, slopes[:, self.component], errors[:, self.component]


def _planes(trial: FloatArray) -> Iterator[tuple[int, IntArray]]:
    """Planes of a variable on which points of a trial (p, n) lie, as far as those can be crossed.

    All points lie on that of the one variable held; if none is, each on one of its own.
    """
    everything, count = np.arange(len(trial)), trial.shape[1]
    held = np.flatnonzero(np.all(trial == trial[0], axis=0))
    if len(held) == 1:
        yield int(held[0]), everything
    elif not len(held):
        yield from ((point % count, everything[point : point + 1]) for point in range(len(trial)))


def _region(asked: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The part of the ranges that points (p, n), by their shares of these, stand for."""
    low, high = asked.min(axis=0), asked.max(axis=0)
    cell = (high - low) / len(asked)
    return (
        np.where(low >= 0, np.maximum(low - cell, 0.0), low - cell),
        np.where(high <= 1, np.minimum(high + cell, 1.0), high + cell),
    )
