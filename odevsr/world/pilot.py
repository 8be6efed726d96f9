"""Pilot launches, before any experiment: where the simulator works, how fast, how exactly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from odevsr.errors import SimulationError
from odevsr.world.box import Box, box_from_json
from odevsr.world.calibrate import Known, calibrate
from odevsr.world.influence import influences
from odevsr.world.launch import Launch
from odevsr.world.oracle import Calibration, Cost, World, random_states
from odevsr.world.quantum import Clock, check_motion, find_clock
from odevsr.world.repeats import repeats
from odevsr.world.resolution import state_quantum
from odevsr.world.schemes import ROUNDING, scheme

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
PILOT_STATES = 24
SHORTEST_TIME, LONGEST_TIME = 1e-12, 1e12
MOMENT = 1e-16
"""Share of the longest time in which nothing moves."""
VISIBLE = 20.0
"""Motions of so many times what blurs states are seen."""
FINEST = 4.0
"""States that differ by less than this many times rounding are the same."""
TEST_STATES = 200
PEEL = 0.03
"""Share of a range that is given up at a time where the simulator fails."""
NARROWEST = 0.2
MOST_TESTS = 6
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

    def world(self, world: World) -> World:
        """The world within the ranges where it works, launched for whole steps of its own."""
        launch = world.launch if self.clock is None else self.clock.launch(world.launch)
        return replace(world, box=self.box, launch=launch)

    def to_json(self) -> dict[str, Any]:
        """Plain values, as stored with a run."""
        return asdict(self) | {"box": self.box.to_json()}


def pilot_from_json(values: dict[str, Any]) -> Pilot:
    """A pilot as `to_json` wrote it."""
    return Pilot(
        box=box_from_json(values["box"]),
        difference=values["difference"],
        calibrations=tuple(
            Calibration(**{**each, "blur": tuple(each.get("blur", ()))})
            for each in values["calibrations"]
        ),
        cost=Cost(**values["cost"]),
        warnings=tuple(values["warnings"]),
        suspects=tuple(tuple(each) for each in values.get("suspects", ())),
        clock=_clock_from_json(values.get("clock")),
    )


def _clock_from_json(values: dict[str, Any] | None) -> Clock | None:
    return None if values is None else Clock(**{**values, "stepping": tuple(values["stepping"])})


def explore(world: World, difference: str, rng: np.random.Generator) -> Pilot:
    """Find the ranges in which the simulator works, and the best step for each component."""
    counted = CountedLaunch(world.launch)
    world = replace(world, launch=counted)
    warnings: list[str] = []

    def works_briefly(states: FloatArray) -> BoolArray:
        return _finite(counted(states, np.full(len(states), 10 * SHORTEST_TIME)))

    world = _within(world, works_briefly, rng, warnings)
    warnings += [
        f"{name} is varied by only {share} of its value"
        for name, share in world.box.narrow(world.names).items()
    ]
    states = random_states(world.box, PILOT_STATES, rng)
    longest = _time_scale(world, states)
    known = _known(world, states, longest, warnings)
    if known.clock is not None:
        world = replace(world, launch=known.clock.launch(counted))
    if difference != "forward" and not _runs_backwards(world, states, known):
        if difference == "backward":
            raise SimulationError(
                "the simulator does not run backwards in time; choose forward differences"
            )
        difference = "forward"
        warnings.append(
            "the simulator does not run backwards in time: derivatives are forward differences"
        )
    calibrations = calibrate(world.launch, difference, states, known)
    longest_step = max(each.step for each in calibrations)

    def works(states: FloatArray) -> BoolArray:
        steps = np.full(len(states), longest_step)
        offsets = scheme(difference).offsets
        finite = [_finite(world.launch(states, offset * steps)) for offset in offsets]
        all_finite: BoolArray = np.logical_and.reduce(finite)
        return all_finite

    world = _within(world, works, rng, warnings)
    many = len(world.names) >= MANY
    suspects = (
        influences(world, difference, calibrations, rng) if many and not known.noise.any() else ()
    )
    cost = Cost(experiments=1, simulations=counted.launches)
    return Pilot(world.box, difference, calibrations, cost, tuple(warnings), suspects, known.clock)


def _known(world: World, states: FloatArray, longest: float, warnings: list[str]) -> Known:
    """Whether the simulator repeats itself, and to what it rounds states and times."""
    found = repeats(world.launch, states, longest / 10)
    warnings += found.warnings(world.names)
    if found.noise.any():
        return Known(longest, found.drift, found.noise)
    blur = np.maximum(state_quantum(world.launch, states, MOMENT * longest), found.drift)
    finest = np.maximum(FINEST * ROUNDING * np.max(np.abs(world.box.limits), axis=1), blur)
    clock = find_clock(world.launch, states[::2], longest, finest)
    if clock is not None:
        warnings.append(clock.warning)
        check_motion(clock, world.launch, states, world.width)
    return Known(longest, blur, found.noise, clock)


class CountedLaunch:
    """A launcher that counts."""

    def __init__(self, launch: Launch) -> None:
        self.launches = 0
        self._launch = launch

    def __call__(self, states: FloatArray, step: float | FloatArray) -> FloatArray:
        """As the launcher does."""
        self.launches += len(states)
        return self._launch(states, step)


def _finite(states: FloatArray) -> BoolArray:
    finite: BoolArray = np.logical_and.reduce(np.isfinite(states), axis=1)
    return finite


def _within(
    world: World,
    works: Callable[[FloatArray], BoolArray],
    rng: np.random.Generator,
    warnings: list[str],
) -> World:
    """The world with its box shrunk to where launches work, tested by fresh launches each time."""
    box = world.box
    for _ in range(MOST_TESTS):
        states = random_states(box, TEST_STATES, rng)
        good = works(states)
        if good.all():
            break
        if not good.any():
            raise SimulationError(
                "the simulator gives a finite state from nowhere in the ranges; check that it "
                "returns states, and the ranges of the variables"
            )
        box = _peeled(world, box, states, good)
    else:
        raise _too_narrow()
    if box is not world.box:
        kept = [
            f"{name} from {low:.6g} to {high:.6g}"
            for name, (low, high), before in zip(
                world.names, box.limits, world.box.limits, strict=True
            )
            if (low, high) != tuple(before)
        ]
        warnings.append(
            "the simulator fails at some states in the ranges: experiments keep to "
            + ", ".join(kept)
        )
    return replace(world, box=box)


def _peeled(world: World, box: Box, states: FloatArray, good: BoolArray) -> Box:
    """The box less thin slices, each off the face that frees it of failures best."""
    while not good.all():
        ends = world.box.shares(box.limits.T).T
        choices = []
        for variable in range(len(box)):
            for side, sign in ((0, 1.0), (1, -1.0)):
                edge = float(world.box.along(variable, ends[variable, side] + sign * PEEL))
                kept = sign * (states[:, variable] - edge) >= 0
                share = float(np.mean(good[kept])) if kept.any() else 0.0
                choices.append((share, int(kept.sum()), variable, side, edge, kept))
        _, _, variable, side, edge, kept = max(choices, key=lambda choice: choice[:2])
        limits = (edge, box.high[variable]) if side == 0 else (box.low[variable], edge)
        box = box.with_limits(variable, *limits)
        states, good = states[kept], good[kept]
        if not len(good) or np.any(np.diff(world.box.shares(box.limits.T), axis=0) < NARROWEST):
            raise _too_narrow()
    return box


def _too_narrow() -> SimulationError:
    return SimulationError(
        "the simulator fails in too much of the ranges; narrow the ranges of the state variables "
        "to where it works"
    )


def _time_scale(world: World, states: FloatArray) -> float:
    """A time in which most states move by no more than a tenth of their box."""
    step = SHORTEST_TIME
    while step < LONGEST_TIME:
        moved = np.abs(world.launch(states, np.full(len(states), 10 * step)) - states) / world.width
        if np.mean(np.max(moved, axis=1) <= 0.1) < 0.9:  # nan counts as moved too far
            break
        step *= 10
    if step == SHORTEST_TIME:
        raise SimulationError(
            f"a step of {10 * step:g} leads far from where it starts; the simulator must return "
            "states after the step, not derivatives, and after a short one near those before it"
        )
    return step


def _runs_backwards(world: World, states: FloatArray, known: Known) -> bool:
    """True if a launch and one back lead to where they started, up to what blurs states."""
    blur = float(np.max((known.blur + known.noise) / world.width))
    there, steps = _visibly_moved(world, states, known, blur)
    usable = _finite(there)
    moved = np.max(np.abs(there - states) / world.width, axis=1)
    if not np.any(usable & (moved > 0)):
        return True
    try:
        back = world.launch(there[usable], -steps[usable])
    except SimulationError:
        return False
    missed = np.max(np.abs(back - states[usable]) / world.width, axis=1)
    allowed = 0.1 * moved[usable] + VISIBLE / 10 * blur
    return bool(np.median(np.nan_to_num(missed, nan=np.inf) - allowed) <= 0)


def _visibly_moved(
    world: World, states: FloatArray, known: Known, blur: float
) -> tuple[FloatArray, FloatArray]:
    """States (m, n) after a time in which most move by far more than the blur, and the times."""
    step = known.longest / 10
    while True:
        steps = known.whole(np.full(len(states), step))
        there = world.launch(states, steps)
        moved = np.max(np.abs(there - states) / world.width, axis=1)
        if step >= 10 * known.longest or np.median(moved - VISIBLE * blur) >= 0:
            return there, steps
        step *= 2
