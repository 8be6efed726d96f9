"""Which variables may move which derivatives: one look at a large system for all its components.

A launch shows how all components move, so the same launches serve them all. In a system of many
variables most have nothing to do with a given component, and its search need not look at them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.world.box import Box
from odevsr.world.experiments.launched import Calibration
from odevsr.world.experiments.oracle import World
from odevsr.world.experiments.schemes import estimate, scheme
from odevsr.world.simulators.launch import Launch

BASES, POINTS = 5, 4
MOVED_STATES = BASES * POINTS
"""States that one variable is moved to."""
NOTICEABLE = 4.0
"""A change counts from this many errors on: fewer than a search asks for, which looks again."""


def influences(
    world: World, difference: str, calibrations: Sequence[Calibration], rng: np.random.Generator
) -> tuple[tuple[int, ...], ...]:
    """For each component the variables whose moves, from any of several bases, it notices."""
    states = moved_one_by_one(world.box, range(len(world.box)), rng)
    launches: dict[float, Launch] = {}
    found = []
    for component, calibration in enumerate(calibrations):
        launch = launches.setdefault(calibration.step, _remembering(world.launch))
        measured = estimate(
            scheme(difference),
            launch,
            states.reshape(-1, len(world.names)),
            np.full(states[..., 0].size, calibration.step),
            component=component,
            width=world.width,
            state_error=calibration.state_error,
            blur=np.array(calibration.blur or 0.0),
        )
        errors = (measured.truncation + measured.rounding).reshape(states.shape[:-1])
        noticed = changes(measured.values.reshape(states.shape[:-1]), errors)
        found.append(tuple(int(variable) for variable in np.flatnonzero(noticed)))
    return tuple(found)


def moved_one_by_one(box: Box, variables: Sequence[int], rng: np.random.Generator) -> FloatArray:
    """States (variables, bases, points, n): in each block one alone is moved from each base."""
    bases = box.at(rng.random((BASES, len(box))))
    states = np.repeat(bases[None, :, None, :], len(variables), axis=0).repeat(POINTS, axis=2)
    for block, variable in zip(states, variables, strict=True):
        places = rng.random((BASES, POINTS - 1))  # the first point is the base itself
        block[:, 1:, variable] = box.along(variable, places)
    return states


def changes(values: FloatArray, errors: FloatArray) -> BoolArray:
    """Which of the values (n, bases, points) differ from their base by more than their errors.

    Where nothing finite comes back, nothing is ruled out.
    """
    difference = np.abs(values[..., 1:] - values[..., :1])
    within = difference <= NOTICEABLE * (errors[..., 1:] + errors[..., :1])
    differ: BoolArray = ~np.all(within, axis=(1, 2))
    return differ


def _remembering(launch: Launch) -> Launch:
    """A launcher from always the same states, which remembers where each step led."""
    remembered: dict[float, FloatArray] = {}

    def remember(states: FloatArray, step: float | FloatArray) -> FloatArray:
        length = float(np.ravel(step)[0])
        if length not in remembered:
            remembered[length] = launch(states, step)
        return remembered[length]

    return remember
