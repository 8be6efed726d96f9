"""Pilot launches, before any experiment: where the simulator works, how fast, how exactly."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.errors import SimulationError
from odevsr.plain import from_plain
from odevsr.world.box import Box, box_from_json
from odevsr.world.experiments.launched import Calibration
from odevsr.world.experiments.mesh import random_states
from odevsr.world.experiments.oracle import Cost, World
from odevsr.world.experiments.schemes import ROUNDING, scheme
from odevsr.world.experiments.shared import SharedLaunches
from odevsr.world.pilot.backwards import possible_difference
from odevsr.world.pilot.beginning import FIRST_STATES, Beginning, first_answers
from odevsr.world.pilot.calibrate import Known, calibrate
from odevsr.world.pilot.flow import looks, remembering
from odevsr.world.pilot.influence import influences, looked_at
from odevsr.world.pilot.launching import CountedLaunch, arrived, or_nowhere
from odevsr.world.pilot.own_steps import check_own_steps
from odevsr.world.pilot.quantum import Clock, check_motion, find_clock, step_shares
from odevsr.world.pilot.repeats import repeats
from odevsr.world.pilot.resolution import state_quantum
from odevsr.world.pilot.time_scale import (
    NEAR,
    NO_TIME,
    SHORTEST_TIME,
    TIMES,
    moved_shares,
    stillness,
    time_scale,
)
from odevsr.world.pilot.wild import settled
from odevsr.world.pilot.working import Working, range_warnings, working_ranges
from odevsr.world.simulators.launch import Launch

PILOT_STATES = 24
NO_DIFFERENCE = "none"
MOMENT = 1e-16
"""Share of the longest time in which nothing moves."""
AT_ONCE, UNUSUAL = 1e-9, 100.0
"""States that move by such a share of the ranges in a moment, and so much farther than most."""
STAYING = 0.1
"""Share of states that a clamp leaves where they are, and a function that returns no states does
not."""
FINEST = 4.0
"""States that differ by less than this many times rounding are the same."""
MANY = 8
"""From so many variables on, one look for all components is cheaper than a look for each."""


@dataclass(frozen=True)
class Pilot:
    """What pilot launches told: ranges where the simulator works, how to measure each component."""

    box: Box
    difference: str
    calibrations: tuple[Calibration, ...]
    cost: Cost
    warnings: tuple[str, ...] = ()
    suspects: tuple[tuple[int, ...], ...] = ()
    """For each component the variables it may depend on, if there are so many that it pays."""
    clock: Clock | None = None
    """The simulator's own time steps, if it has any."""
    remembering: tuple[bool, ...] = ()
    """Which components depend on more than the state they are launched from."""
    coverage: float = 1.0
    """Share of the ranges in which derivatives can be measured."""
    seconds: float = 0.0
    """What a launch took, on the whole."""
    beginning: Beginning | None = None
    """What the simulator answered first of all."""
    has_changed: bool = False
    """True if it was asked the same again later, and answered otherwise."""

    @property
    def takes_differences(self) -> bool:
        """True if derivatives are differences of launched states, not told as they are."""
        return self.difference != NO_DIFFERENCE

    @property
    def is_noisy(self) -> bool:
        """True if a component scatters when it is asked the same again."""
        return any(each.is_noisy for each in self.calibrations)

    def world(self, world: World) -> World:
        """The world within the ranges where it works, launched for whole steps of its own."""
        launch = world.launch if self.clock is None else self.clock.launch(world.launch)
        return replace(world, box=self.box, launch=launch)

    def to_json(self) -> dict[str, Any]:
        """Plain values, as stored with a run."""
        return asdict(self) | {"box": self.box.to_json()}


def pilot_from_json(values: dict[str, Any]) -> Pilot:
    """A pilot as `to_json` wrote it; a TypeError if it is of other types."""
    return from_plain(Pilot, values | {"box": box_from_json(values["box"])})


def explore(
    world: World, difference: str, rng: np.random.Generator, shared: SharedLaunches | None = None
) -> Pilot:
    """Find the ranges in which the simulator works, and the best step for each component.

    All launches are from states drawn from the ranges, or go on from where those led; with forward
    differences none goes back in time. If launches are shared, ranges are tested by the few states
    at which all begin, as long as none of them fails, and what is launched from there is
    remembered.
    """
    counted = CountedLaunch(world.launch)
    given = world = replace(world, launch=counted)
    warnings: list[str] = []
    first = None if shared is None else shared.first(world.box)
    beginning = first_answers(world, TIMES, rng.spawn(1)[0], first)
    briefly = working_ranges(world, partial(_works_briefly, world), rng, first)
    world = replace(world, box=briefly.box, launch=or_nowhere(counted))
    states = _pilot_states(briefly, rng)
    longest = time_scale(world, states)
    warnings += [*_narrow(world), *stillness(world, states, longest)]
    known = _known(world, states, longest, warnings)
    if known.is_wild:
        world = replace(world, launch=settled(world.launch))
        beginning = first_answers(world, TIMES, rng.spawn(1)[0], first)
    if known.clock is not None:
        world = replace(world, launch=known.clock.launch(world.launch))
    difference = possible_difference(world, difference, states, known, warnings)
    launch = _remembered(world.launch, states, None if known.is_noisy else shared)
    calibrations = calibrate(launch, difference, states, known, world.box)
    calibrations = _left_open(world, states, known, difference, calibrations)
    memory = _memory(world, states, known, warnings)
    works = partial(_works, world, difference, max(each.step for each in calibrations))
    working = working_ranges(world, works, rng, None if briefly.tested else states)
    world = replace(world, box=working.box)
    warnings += range_warnings(given, world.box, working.coverage)
    begun = 0 if beginning is None or shared is not None else FIRST_STATES
    chosen = begun + briefly.tested + len(states) + working.tested
    return Pilot(
        world.box,
        difference,
        calibrations,
        Cost(experiments=1, states=chosen, simulations=counted.launches),
        tuple(warnings),
        clock=known.clock,
        remembering=memory,
        coverage=working.coverage,
        seconds=counted.seconds_a_launch,
        beginning=beginning,
    )


def with_suspects(pilot: Pilot, world: World, rng: np.random.Generator) -> Pilot:
    """The pilot after a look at what each component depends on, where that pays.

    States are moved by one variable at a time.
    """
    if pilot.is_noisy or len(world.names) < MANY:
        return pilot
    counted = CountedLaunch(world.launch)
    world = pilot.world(replace(world, launch=counted))
    suspects = influences(world, pilot.difference, pilot.calibrations, rng)
    moved = Cost(states=looked_at(len(world.names)), simulations=counted.launches)
    return replace(pilot, suspects=suspects, cost=pilot.cost + moved)


def _remembered(launch: Launch, states: FloatArray, shared: SharedLaunches | None) -> Launch:
    """The launch, of which what begins at the states is remembered if it is shared."""
    return launch if shared is None else shared.begun(launch, states)


def _pilot_states(working: Working, rng: np.random.Generator) -> FloatArray:
    """States (m, n) from which launches work: those of the test, where it had no need of more."""
    if not working.tested:
        return working.states
    if working.coverage == 1:
        return random_states(working.box, PILOT_STATES, rng)
    places = np.linspace(0, len(working.states) - 1, PILOT_STATES).astype(int)
    states: FloatArray = working.states[places]
    return states


def _narrow(world: World) -> list[str]:
    """Variables that hardly vary."""
    shares = world.box.narrow(world.names).items()
    return [f"{name} is varied by only {share} of its value" for name, share in shares]


def _left_open(
    world: World,
    states: FloatArray,
    known: Known,
    difference: str,
    calibrations: tuple[Calibration, ...],
) -> tuple[Calibration, ...]:
    """The calibrations, with what the simulator's own steps leave open of each rate."""
    if known.clock is None:
        return calibrations
    shares = step_shares(known.clock, world.launch, states, difference)
    pairs = zip(calibrations, shares, strict=True)
    return tuple(replace(each, open_share=share) for each, share in pairs)


def _works_briefly(world: World, states: FloatArray) -> BoolArray:
    """From which states (m,) a moment leads somewhere near; a clamp puts them elsewhere at once.

    Near is meant beside where it leads from other states, which rounding may move as well.
    """
    moved = moved_shares(world, states, 10 * SHORTEST_TIME)
    works = np.isfinite(moved)
    usual = float(np.median(moved[works])) if works.any() else 0.0
    near = min(max(AT_ONCE, UNUSUAL * usual), NEAR)
    far = np.flatnonzero(works & (moved > near))
    if far.size:
        works[far] = moved_shares(world, states[far], NO_TIME) <= near
        if np.mean(works) < 0.5 and np.mean(moved <= AT_ONCE) < STAYING:
            raise SimulationError(
                "most states are elsewhere after no time at all; the simulator must return states "
                "after the step, not derivatives, and after a short one near those before it"
            )
    return works


def _works(world: World, difference: str, step: float, states: FloatArray) -> BoolArray:
    """From which states (m,) all launches of a difference end somewhere."""
    steps = np.full(len(states), step)
    offsets = scheme(difference).offsets
    finite = [arrived(world.launch(states, offset * steps)) for offset in offsets]
    all_finite: BoolArray = np.logical_and.reduce(finite)
    return all_finite


def _memory(
    world: World, states: FloatArray, known: Known, warnings: list[str]
) -> tuple[bool, ...]:
    """Which components depend on more than the state they are launched from."""
    blur = np.maximum(known.blur, known.noise) + ROUNDING * np.max(np.abs(states), axis=0)
    found = remembering(world.launch, states, known.whole(looks(known.longest)), blur)
    if found.any():
        names = ", ".join(name for name, each in zip(world.names, found, strict=True) if each)
        warnings.append(
            f"launched twice, {names} ends elsewhere than launched once for as long: the state "
            "shown does not tell where it goes, or the simulator's step is crude"
        )
    return tuple((found | known.drifts).tolist())


def _known(world: World, states: FloatArray, longest: float, warnings: list[str]) -> Known:
    """Whether the simulator repeats itself, and to what it rounds states and times."""
    found = repeats(world.launch, states, longest / 10)
    warnings += found.warnings(world.names)
    if found.noise.any():
        return Known(longest, found.drift, found.noise, found.drift > 0)
    if found.wild:
        world = replace(world, launch=settled(world.launch))
    elif not found.drift.any():
        check_own_steps(world.launch, states, found.ends, longest / 10)
    blur = np.maximum(state_quantum(world.launch, states, MOMENT * longest), found.drift)
    finest = np.maximum(FINEST * ROUNDING * np.max(np.abs(world.box.limits), axis=1), blur)
    clock = find_clock(world.launch, states[::2], longest, finest)
    if clock is not None:
        warnings.append(clock.warning)
        check_motion(clock, world.launch, states, world.width)
    return Known(longest, blur, found.noise, found.drift > 0, clock, bool(found.wild))
