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
from odevsr.world.experiments.schemes import Differences, differences, scheme

BASES, POINTS = 5, 4
MOVED_STATES = BASES * POINTS
"""States that one variable is moved to."""
NOTICEABLE = 4.0
"""A change counts from this many errors on: fewer than a search asks for, which looks again."""
NUMBERS = 1 << 22
"""Of the states that are held at once: some 30 MB, and some ten times as much beside them."""


def influences(
    world: World, difference: str, calibrations: Sequence[Calibration], rng: np.random.Generator
) -> tuple[tuple[int, ...], ...]:
    """For each component the variables whose moves, from any of several bases, it notices.

    Variables are moved some at a time, so that few states are held at once.
    """
    at_once = max(1, NUMBERS // (MOVED_STATES * len(world.box)))
    bases = _bases(world.box, rng)
    noticed = [
        _noticed(world, difference, calibrations, _moved(world.box, variables, bases, rng))
        for variables in _in_parts(len(world.box), at_once)
    ]
    found = np.concatenate(noticed, axis=1)
    return tuple(tuple(np.flatnonzero(each).tolist()) for each in found)


def _in_parts(count: int, size: int) -> list[range]:
    return [range(first, min(first + size, count)) for first in range(0, count, size)]


def _noticed(
    world: World, difference: str, calibrations: Sequence[Calibration], states: FloatArray
) -> BoolArray:
    """Which components notice moves (variables, bases, points, n): (components, variables).

    Those that are measured with the same step are measured by the same launches.
    """
    flat = np.concatenate([states[0, :, 0], states[:, :, 1:].reshape(-1, len(world.box))])
    seen: dict[tuple[float, tuple[float, ...]], Differences] = {}
    noticed = []
    for component, calibration in enumerate(calibrations):
        key = calibration.step, calibration.blur
        if key not in seen:
            steps, blur = np.full(len(flat), calibration.step), np.array(calibration.blur or 0.0)
            seen[key] = differences(
                scheme(difference), world.launch, flat, steps, world.width, blur
            )
        found = seen[key].of(component, calibration.state_error)
        errors = found.truncation + found.rounding
        noticed.append(changes(_beside_bases(found.values), _beside_bases(errors)))
    return np.array(noticed)


def _beside_bases(measured: FloatArray) -> FloatArray:
    """What was measured at the bases, and at moved states, as (variables, bases, points)."""
    bases, moved = measured[:BASES], measured[BASES:].reshape(-1, BASES, POINTS - 1)
    first = np.broadcast_to(bases[:, None], (len(moved), BASES, 1))
    return np.concatenate([first, moved], axis=2)


def looked_at(variables: int) -> int:
    """States from which so many variables are moved, and to which."""
    return BASES + BASES * (POINTS - 1) * variables


def moved_one_by_one(box: Box, variables: Sequence[int], rng: np.random.Generator) -> FloatArray:
    """States (variables, bases, points, n): in each block one alone is moved from each base."""
    return _moved(box, variables, _bases(box, rng), rng)


def _bases(box: Box, rng: np.random.Generator) -> FloatArray:
    bases: FloatArray = box.at(rng.random((BASES, len(box))))
    return bases


def _moved(
    box: Box, variables: Sequence[int], bases: FloatArray, rng: np.random.Generator
) -> FloatArray:
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
