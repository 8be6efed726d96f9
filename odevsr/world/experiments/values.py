"""Laws without time: the values of a function, the next states of a map, measured as they are.

No differences are taken. What is left of errors is that of the computation itself: pilot calls
along short lines tell it from the law, which is smooth there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import comb

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.world.box import Box
from odevsr.world.experiments.launched import Calibration, LaunchOracle
from odevsr.world.experiments.mesh import random_states
from odevsr.world.experiments.oracle import Cost, World
from odevsr.world.experiments.schemes import ROUNDING, TINY, Estimate
from odevsr.world.experiments.shared import SharedLaunches
from odevsr.world.pilot.beginning import FIRST_STATES, first_answers
from odevsr.world.pilot.influence import MOVED_STATES, changes, moved_one_by_one
from odevsr.world.pilot.launching import CountedLaunch
from odevsr.world.pilot.pilot import MANY, NO_DIFFERENCE, PILOT_STATES, Pilot
from odevsr.world.pilot.repeats import noise_model
from odevsr.world.pilot.wild import (
    settle,
    settled,
    wild_answers,
    wild_sentence,
    without_outliers,
)
from odevsr.world.pilot.working import range_warnings, working_ranges
from odevsr.world.simulators.launch import Launch

ORDER, POINTS, SHORT = 8, 11, 1e-4
"""Differences of this order, of so many points a share of the ranges apart, leave errors alone."""
CALLS = 8
"""Calls from the same states, which tell how a function scatters if it does."""
SAME = 30.0
"""Values that differ by less than so many times rounding are the same."""
AT_ONCE = 64
"""Variables that are moved in one call."""


def explore_values(
    world: World, rng: np.random.Generator, shared: SharedLaunches | None = None
) -> Pilot:
    """What pilot calls tell: where values are finite, how large, how exact, what may matter.

    If calls are shared, ranges are tested by the few states at which all begin, as long as none of
    them fails.
    """
    counted = CountedLaunch(world.launch)
    works = partial(_are_finite, counted)
    first = None if shared is None else shared.first(world.box)
    beginning = first_answers(replace(world, launch=counted), (1.0,), rng.spawn(1)[0], first)
    working = working_ranges(world, works, rng, first)
    inside = replace(world, box=working.box, launch=counted)
    states = working.states
    if working.tested:
        drawn = random_states(inside.box, PILOT_STATES, rng)
        states = drawn[works(drawn)]
    if shared is not None:
        shared.new(states)
    repeated = _repeated(counted, states, rng)
    wild = wild_answers(repeated, SAME * ROUNDING * np.max(np.abs(repeated[0]), axis=0))
    warnings = range_warnings(world, inside.box, working.coverage)
    if wild.any():
        inside = replace(inside, launch=settled(counted))
        repeated = np.repeat(_values(inside.launch, states)[None], CALLS, axis=0)
        beginning = first_answers(inside, (1.0,), rng.spawn(1)[0], first)
        warnings.append(wild_sentence(wild))
    calibrations = tuple(
        replace(each, is_wild=bool(wild.any()))
        for each in _calibrated(inside, states, repeated, rng)
    )
    scattering = _scattering(calibrations)
    warnings += scattering
    many = len(world.names) >= MANY and not scattering
    moved = MOVED_STATES * len(world.names) * many
    chosen = FIRST_STATES * (shared is None) + working.tested + PILOT_STATES * (1 + POINTS) + moved
    return Pilot(
        inside.box,
        NO_DIFFERENCE,
        calibrations,
        Cost(experiments=1, states=chosen, simulations=counted.launches),
        tuple(warnings),
        _suspects(inside, calibrations, rng) if many else (),
        coverage=working.coverage,
        seconds=counted.seconds_a_launch,
        beginning=beginning,
    )


def _are_finite(launch: Launch, states: FloatArray) -> BoolArray:
    """At which states (m,) all values are finite."""
    finite: BoolArray = np.all(np.isfinite(_values(launch, states)), axis=1)
    return finite


def _scattering(calibrations: Sequence[Calibration]) -> list[str]:
    """By how much repeated values differ, in a sentence; none if they do not."""
    noisy = [each for each in calibrations if each.is_noisy]
    sizes = [each.state_error + each.relative_error * each.size for each in noisy]
    return [f"values scatter: repeated ones differ by about {max(sizes):.2g}"] if sizes else []


class ValueOracle(LaunchOracle):
    """Measures values or next states: one call a state, no differences."""

    def _measured(self, flat: FloatArray) -> Estimate:
        launch, made = self._world.launch, len(flat)
        if self._calibration.is_wild:
            ends, made = settle(launch, flat, np.ones(len(flat)))
        else:
            ends = _values(launch, flat)
        self.cost += Cost(simulations=made)
        values = ends[:, self.component]
        return Estimate(values, np.zeros(len(flat)), errors_of(values, self._calibration))


def errors_of(values: FloatArray, calibration: Calibration) -> FloatArray:
    """The errors of values (...)."""
    return calibration.noise(values) + ROUNDING * np.abs(values) + TINY


def _values(launch: Launch, states: FloatArray) -> FloatArray:
    return launch(states, np.ones(len(states)))


def _repeated(launch: Launch, states: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Values (calls, m, outputs) at the same states, asked for in various orders."""
    orders = [
        np.arange(len(states)),
        *rng.permuted(np.tile(np.arange(len(states)), (CALLS - 1, 1)), axis=1),
    ]
    return np.array([_values(launch, states[order])[np.argsort(order)] for order in orders])


def _calibrated(
    world: World, states: FloatArray, repeated: FloatArray, rng: np.random.Generator
) -> tuple[Calibration, ...]:
    """How uncertain the values of each component are, and how large."""
    scatter = np.var(repeated, axis=0, ddof=1)
    size = np.sqrt(np.mean(repeated[0] ** 2, axis=0))
    is_noisy = np.median(scatter, axis=0) > (SAME * ROUNDING * size) ** 2
    computed = _variances_along_lines(world.launch, world.box, states, rng)
    found = []
    for component, noisy in enumerate(is_noisy.tolist()):
        variances = (scatter if noisy else computed)[:, component]
        kept = without_outliers(variances)
        additive, relative = noise_model(kept, repeated[0, :, component])
        found.append(
            Calibration(
                step=1.0,
                state_error=additive,
                size=float(size[component]),
                relative_error=relative,
                is_noisy=noisy,
            )
        )
    return tuple(found)


def _variances_along_lines(
    launch: Launch, box: Box, states: FloatArray, rng: np.random.Generator
) -> FloatArray:
    """Variances (m, outputs) of what is not smooth in values about states (m, n).

    High differences of a smooth function over short distances vanish; those of independent errors
    have the variance of one error times the sum of the squared binomials.
    """
    shares = np.clip(box.shares(states), 0.0, 1.0 - POINTS * SHORT)
    direction = rng.uniform(0.2, 1.0, shares.shape) * SHORT
    lines = shares[:, None] + direction[:, None] * np.arange(POINTS)[:, None]
    points = box.at(lines.reshape(-1, len(box)))
    values = _values(launch, points).reshape(len(states), POINTS, -1)
    differences = np.diff(values, n=ORDER, axis=1)
    variances: FloatArray = np.mean(differences**2, axis=1) / comb(2 * ORDER, ORDER)
    return np.nan_to_num(variances, nan=np.inf)


def _suspects(
    world: World, calibrations: tuple[Calibration, ...], rng: np.random.Generator
) -> tuple[tuple[int, ...], ...]:
    """For each component the variables whose moves, from any of several bases, it notices."""
    found: list[list[int]] = [[] for _ in calibrations]
    count = len(world.names)
    for first in range(0, count, AT_ONCE):
        variables = range(first, min(first + AT_ONCE, count))
        states = moved_one_by_one(world.box, variables, rng)
        values = _values(world.launch, states.reshape(-1, count))
        for component, calibration in enumerate(calibrations):
            own = values[:, component].reshape(states.shape[:-1])
            noticed = changes(own, errors_of(own, calibration))
            found[component] += [first + int(place) for place in np.flatnonzero(noticed)]
    return tuple(tuple(each) for each in found)
