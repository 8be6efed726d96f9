"""Simulators with time steps of their own: how long these are, and when to ask for how many.

Some move by whole steps only, so that for a while a longer launch leads no further; others draw
straight lines between the ends of their steps. Either way a short difference tells the simulator's
step, not the law; differences over whole steps tell the law.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.errors import SimulationError
from odevsr.world.experiments.schemes import scheme
from odevsr.world.simulators.launch import Launch

UNEVEN = 0.7390851332151607
"""Looks are taken at times that are no simple share of anything, so that they meet no jump."""
VISIBLE = 300.0
"""Motions of so many resolutions are looked for, and from a tenth of it on they count."""
HALVINGS = 60
DOUBLINGS = 60
ROWS = 6
"""States whose jumps and kinks are located."""
UNEQUAL = 1e-3
"""By how much two steps of the same length may seem to differ."""
TOO_FAR = 0.2
"""A step that leads through such a share of the ranges says nothing of where it starts."""


@dataclass(frozen=True)
class Clock:
    """A simulator's own time steps: their length, and how to ask for a whole number of them."""

    quantum: float
    shift: float = 0.0
    """Launches that are longer by this than whole steps stop where these do, for certain;"""
    backward_shift: float = 0.0
    """the same for launches backwards in time."""
    stepping: tuple[int, ...] = ()
    """Variables that move by whole steps; the others, such as time itself, run on meanwhile."""

    @property
    def warning(self) -> str:
        """What a user should know."""
        manner = "moves in steps of" if self.stepping else "draws straight lines between steps of"
        return (
            f"the simulator {manner} {self.quantum:.6g} of its own: "
            "derivatives are taken over whole steps"
        )

    def launch(self, launch: Launch) -> Launch:
        """A launcher for times that are whole numbers of steps."""

        def move(states: FloatArray, step: float | FloatArray) -> FloatArray:
            wanted = np.broadcast_to(np.asarray(step, dtype=np.float64), len(states))
            asked = wanted + np.where(wanted < 0, self.backward_shift, self.shift)
            ends = launch(states, asked)
            if self.shift or self.backward_shift:
                running = [i for i in range(states.shape[1]) if i not in self.stepping]
                share = (wanted / asked)[:, None]
                ends[:, running] = states[:, running] + share * (ends - states)[:, running]
            return ends

        return move


def find_clock(
    launch: Launch, states: FloatArray, longest: float, resolution: FloatArray
) -> Clock | None:
    """The simulator's own time steps, if it has any that show.

    `longest` is a time in which most states (m, n) move little; states that differ by less than
    `resolution` (n,) are the same.
    """
    look = _Look(launch, states, resolution)
    time = look.time_of_motion(UNEVEN * longest / 10, 100 * longest)
    if time is None:
        return None
    stepping = look.flat_variables(time)
    if stepping.any():
        return _stepping_clock(look.narrowed(stepping, time), launch, states, time, stepping)
    quantum = look.first_kink(time, 100 * longest)
    return None if quantum is None else Clock(quantum)


def check_motion(clock: Clock, launch: Launch, states: FloatArray, width: FloatArray) -> None:
    """Refuse a simulator that moves through a large part of its ranges in one step."""
    ends = clock.launch(launch)(states, clock.quantum)
    moved = np.nan_to_num(np.max(np.abs(ends - states) / width, axis=1), nan=np.inf)
    if np.median(moved) > TOO_FAR:
        raise SimulationError(
            f"the simulator moves in steps of {clock.quantum:.6g} of its own, and one of them "
            "leads through a large part of the ranges; let it make shorter ones"
        )


def step_shares(
    clock: Clock, launch: Launch, states: FloatArray, difference: str
) -> tuple[float, ...]:
    """How much (n,) of a rate the simulator's step leaves open.

    The law is the rate of one step if that is as crude as Euler's, and that of the motion through
    many if it is exact; going forwards only, nothing tells which. But a step that also goes back
    and misses where it began by less is of higher order: it leaves open the square, or as much as
    it misses.
    """
    steps = np.full(len(states), clock.quantum)
    with np.errstate(all="ignore"):
        flow, _ = scheme(difference).derivatives(launch, states, steps)
        there = launch(states, steps)
        motion = np.sqrt(np.nanmean((there - states) ** 2, axis=0))
        gap = (there - states) / steps[:, None] - flow
        shares = np.sqrt(np.nanmean(gap**2, axis=0) / np.nanmean(flow**2, axis=0))
        if difference == "central":
            usable = np.all(np.isfinite(there), axis=1)
            back = launch(there[usable], -steps[usable]) - states[usable]
            shares = np.maximum(shares**2, np.sqrt(np.nanmean(back**2, axis=0)) / motion)
    return tuple(np.nan_to_num(shares).tolist())


@dataclass(frozen=True, eq=False)
class _Look:
    """Launches from the same states for various times."""

    launch: Launch
    states: FloatArray
    resolution: FloatArray
    remembered: dict[float, FloatArray] = field(default_factory=dict)

    def moved(self, time: float) -> FloatArray:
        """Displacements (m, n) after a time, in resolutions."""
        if time not in self.remembered:
            ends = self.launch(self.states, np.full(len(self.states), time))
            self.remembered[time] = (ends - self.states) / self.resolution
        return self.remembered[time]

    def time_of_motion(self, time: float, most: float) -> float | None:
        """The time itself, or that after which the states have moved visibly."""
        while time <= most:
            if _typical(self.moved(time)) >= VISIBLE:
                return time
            time *= 2
        return None

    def flat_variables(self, time: float) -> BoolArray:
        """Variables (n,) that have moved by a time, but do not move in a moment after it."""
        before = self.moved(time)
        moment = min(VISIBLE / _typical(before), 0.5)
        change = np.abs(self.moved(time * (1 + moment)) - before)
        expected = moment * np.abs(before)
        return _mostly(change <= np.maximum(0.05 * expected, 2.0), expected > VISIBLE / 10)

    def narrowed(self, variables: BoolArray, time: float) -> _Look:
        """The same for the states that move most in these variables, the others left out of it."""
        size = np.nan_to_num(np.max(np.abs(self.moved(time))[:, variables], axis=1))
        rows = np.argsort(-size)[:ROWS]
        blurred = np.where(variables, self.resolution, np.inf)
        return _Look(self.launch, self.states[rows], blurred)

    def next_jump(self, time: float, moment: float) -> float | None:
        """When the states next move after a time; `moment` is a span in which they do not."""
        here = self.moved(time)

        def still(later: float) -> bool:
            change = np.abs(self.moved(later) - here)
            return bool(np.all(change[np.isfinite(change)] <= 2.0))

        return _end_of(still, time, moment)

    def bend(self, time: float) -> FloatArray:
        """How far (m, n) the states are from twice their way in half the time, in resolutions."""
        bend: FloatArray = np.abs(self.moved(time) - 2 * self.moved(time / 2))
        return bend

    def first_kink(self, time: float, most: float) -> float | None:
        """The time up to which motion is straight, if it then bends as in straight lines."""
        while (size := _typical(self.bend(time))) < VISIBLE:
            if time > most:
                return None
            time *= 2
        bend = self.bend(time)
        share = float(np.sqrt(VISIBLE / size))
        short = share * time
        expected = share**2 * bend
        straight = _mostly(self.bend(short) <= 0.1 * expected + 4.0, expected > VISIBLE / 3)
        straight &= ~self.same_both_ways(short)
        if not straight.any():
            return None
        rows = np.argsort(-np.nan_to_num(np.max(bend[:, straight], axis=1)))[:ROWS]
        blurred = np.where(straight, self.resolution, np.inf)
        few = _Look(self.launch, self.states[rows], blurred)
        kink = _end_of(lambda later: bool(np.all(few.bend(later) <= 4.0)), short, short)
        return kink if kink is not None and few.is_straight_after(kink) else None

    def same_both_ways(self, time: float) -> BoolArray:
        """Variables (n,) whose way there is that back: its slope is the rate where they start.

        Lines between the ends of steps have a bend there.
        """
        try:
            gap = np.abs(self.moved(time) + self.moved(-time))
        except SimulationError:
            return np.zeros(len(self.resolution), dtype=bool)
        with np.errstate(invalid="ignore"):
            same: BoolArray = np.all(gap <= 4.0, axis=0)
        return same

    def is_straight_after(self, kink: float) -> bool:
        """True if the second step is a straight line as well, one that differs from the first."""
        first, *between, last = (self.moved((1 + part) * kink) for part in (0.1, 0.3, 0.6, 0.9))
        size = np.abs(last - first - 0.8 / 0.9 * (self.moved(0.9 * kink)))
        off = [
            np.abs(place - first - share * (last - first))
            for place, share in zip(between, (0.25, 0.625), strict=True)
        ]
        bent = np.mean(np.any(self.bend(1.5 * kink) > 4.0, axis=1))  # a wall is met by few at once
        return bool(bent > 0.5 and np.all(np.nanmax(off, axis=0) <= 0.02 * size + 8.0))


def _typical(moved: FloatArray) -> float:
    """Median over the states of the variable that moved most."""
    return float(np.median(np.nan_to_num(np.max(np.abs(moved), axis=1))))


def _mostly(holds: BoolArray, counts: BoolArray) -> BoolArray:
    """For which columns something holds in nearly all rows that count, if three do."""
    number = counts.sum(axis=0)
    mostly: BoolArray = (number >= 3) & ((holds & counts).sum(axis=0) >= 0.9 * number)
    return mostly


def _end_of(holds: Callable[[float], bool], time: float, moment: float) -> float | None:
    """The time at which what holds at `time` and for a `moment` after ends; None if it does not."""
    left, span = time, moment
    for _ in range(DOUBLINGS):
        if not holds(time + span):
            break
        left, span = time + span, 2 * span
    else:
        return None
    right = time + span
    for _ in range(HALVINGS):
        middle = (left + right) / 2
        if not left < middle < right:
            break
        left, right = (middle, right) if holds(middle) else (left, middle)
    return right


def _stepping_clock(
    look: _Look, launch: Launch, states: FloatArray, time: float, stepping: BoolArray
) -> Clock | None:
    """The clock of a simulator that moves by whole steps."""
    jumps = [time]
    for _ in range(3):
        jump = look.next_jump(jumps[-1], 1e-12 * time)
        if jump is None:
            return None
        jumps.append(jump)
    _, first, second, third = jumps
    quantum = second - first
    if abs(third - second - quantum) > UNEQUAL * quantum:
        return None  # jumps of rounded states, which do not come regularly
    phase = first / quantum - round(first / quantum)
    variables = tuple(int(index) for index in np.flatnonzero(stepping))
    shifts = [quantum * (phase + 0.5 - late) for late in (0, 1) if phase + 0.5 - late > -0.9]
    clocks = [Clock(quantum, shift, -shift, variables) for shift in shifts]
    best = min(clocks, key=lambda each: _mismatch(each, launch, states))
    return _with_way_back(best, launch, states)


def _mismatch(clock: Clock, launch: Launch, states: FloatArray) -> float:
    """How far three steps lead from where one and then two do."""
    move = clock.launch(launch)
    one = move(states, clock.quantum)
    return _distance(move(one, 2 * clock.quantum), move(states, 3 * clock.quantum))


def _with_way_back(clock: Clock, launch: Launch, states: FloatArray) -> Clock:
    """The clock, which counts steps backwards from nought or from the same side as forwards."""
    other = Clock(clock.quantum, clock.shift, clock.shift, clock.stepping)

    def missed(each: Clock) -> float:
        move = each.launch(launch)
        try:
            return _distance(move(move(states, 2 * each.quantum), -2 * each.quantum), states)
        except SimulationError:
            return np.inf

    return min((clock, other), key=missed)


def _distance(first: FloatArray, second: FloatArray) -> float:
    """Typical distance between states, each variable in units of its spread."""
    scale = np.ptp(second, axis=0) + 1e-300
    distance = np.max(np.abs(first - second) / scale, axis=1)
    return float(np.median(np.nan_to_num(distance, nan=np.inf)))
