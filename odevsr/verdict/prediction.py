"""How long a law's own motion follows that of the system, and how chaotic the system is."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.language.evaluate import Field
from odevsr.world.box import Box
from odevsr.world.trajectories.integrate import Bounds, Curve, Problem, integrate
from odevsr.world.trajectories.trajectory import Ending, Tolerances, Trajectory

DEPARTED = 0.3
"""Root mean square distance, in standard deviations of the variables, at which a path is lost."""
BLOWN_UP = 1e3
"""A state that moves so many widths of its ranges in one interval is lost."""
FOLLOWED = Bounds(steps=100_000, seconds=20.0)
"""What following one trajectory may take,"""
PARTED = Bounds(steps=200_000, seconds=60.0)
"""and following neighbours, in all intervals together."""
INTERVALS = 160
NUDGE = 1e-6
"""Distance of the two neighbours that are followed, in widths of the ranges."""
LEAST_GROWTH = 4.0
"""Neighbours must part by this many factors of e for a system to be chaotic,"""
STEADY = 0.5
"""and in the second half of the time by at least this share of what they do in the first."""


@dataclass(frozen=True)
class Exponent:
    """The largest Lyapunov exponent, per unit of time, and its standard error."""

    value: float
    error: float
    growth: tuple[float, float]
    """Mean logarithm of how far neighbours parted, in each half of the time."""

    @property
    def is_chaotic(self) -> bool:
        """True if neighbours part beyond doubt, and exponentially."""
        first, second = self.growth
        grows = first + second > LEAST_GROWTH and second > STEADY * first
        return self.value > 3 * self.error and grows


@dataclass(frozen=True)
class Followed:
    """How long a law stayed near a trajectory, and what ended that."""

    time: float
    status: Ending

    @property
    def is_given_up(self) -> bool:
        """True if the law was near as long as it was followed, and might have been for longer."""
        return self.status is Ending.GIVEN_UP


def follow(field: Field, truth: Trajectory, box: Box, bounds: Bounds = FOLLOWED) -> Followed:
    """How long the field's motion from the same start stays near the trajectory.

    The distance at a time is the root mean square over the variables that move, each in standard
    deviations of the trajectory; the path is lost where it exceeds 0.3, and not followed beyond.
    The time is that of the last sample before; of a path given up, of the last it came to.
    """
    spread = truth.states.std(axis=0)
    width = box.width
    moving = spread > 1e-9 * width
    last = float(truth.time[-1])
    if not moving.any():
        return Followed(last, Ending.COMPLETE)
    watch = _Watch(truth, moving, spread[moving])
    tolerances = Tolerances()
    problem = Problem(
        field=field,
        start=truth.states[0],
        duration=last,
        relative=tolerances.relative,
        absolute=tolerances.absolute * width,
        size=np.abs(box.limits).max(axis=1),
        bounds=bounds,
        watch=watch,
    )
    status = integrate(problem).status
    return Followed(float(truth.time[watch.near - 1]), status)


@dataclass(eq=False)
class _Watch:
    """Compares a motion with a trajectory, step by step; its first `near` samples are near."""

    truth: Trajectory
    moving: BoolArray
    spread: FloatArray
    near: int = 1

    def __call__(self, curve: Curve) -> Ending | None:
        end = curve.times[-1]
        passed = int(np.searchsorted(self.truth.time, end, side="right"))
        samples = slice(self.near, passed)
        if passed > self.near:
            states = curve.pieces[-1](self.truth.time[samples]).T  # type: ignore[arg-type]
            close = self._close(states, self.truth.states[samples])
            self.near += len(close) if close.all() else int(np.argmin(close))
            if not close.all():
                return Ending.DEPARTED
        if self.truth.continuous is None:
            return None
        there, true = curve.pieces[-1](end), self.truth.continuous(np.array([end]))
        return None if self._close(there[None], true).all() else Ending.DEPARTED

    def _close(self, states: FloatArray, true: FloatArray) -> BoolArray:
        off = (states - true)[:, self.moving] / self.spread
        close: BoolArray = np.sqrt(np.mean(off**2, axis=1)) <= DEPARTED
        return close


def lyapunov_exponent(
    field: Field,
    starts: FloatArray,
    box: Box,
    duration: float,
    bounds: Bounds = PARTED,
) -> Exponent | Ending:
    """Benettin's method: neighbours of the trajectories from starts (m, n), again and again.

    In each of 160 intervals the logarithm of how far a neighbour parted is noted, and it is brought
    near again. A status says why there is no exponent: the trajectories do not stay finite, or
    following them was given up.
    """
    width = box.width
    away = np.full(starts.shape, 1 / np.sqrt(starts.shape[1]))
    states, logs, spent = starts, [], _Spent(bounds)
    for _ in range(INTERVALS):
        pairs = np.concatenate([states, states + NUDGE * width * away])
        moved = _later(field, pairs, duration / INTERVALS, width, spent)
        if isinstance(moved, Ending):
            return moved
        states, neighbours = np.split(moved, 2)
        away = (neighbours - states) / width
        distance = np.maximum(np.linalg.norm(away, axis=1), 1e-300)
        away /= distance[:, None]
        logs.append(np.log(distance / NUDGE))
    halves = [np.sum(half, axis=0) for half in np.array_split(np.array(logs), 2)]
    rates = (halves[0] + halves[1]) / duration
    error = float(rates.std(ddof=1) / np.sqrt(len(rates))) if len(rates) > 1 else float("inf")
    return Exponent(float(rates.mean()), error, (float(halves[0].mean()), float(halves[1].mean())))


class _Spent:
    """Counts the steps of many solvers against common bounds."""

    def __init__(self, bounds: Bounds) -> None:
        self._steps = bounds.steps
        self._latest = time.process_time() + bounds.seconds

    def one_more(self) -> bool:
        """Whether another step may be made, which is counted."""
        self._steps -= 1
        return self._steps >= 0 and time.process_time() <= self._latest


def _later(
    field: Field, states: FloatArray, interval: float, width: FloatArray, spent: _Spent
) -> FloatArray | Ending:
    """States (m, n) after a time, all integrated as one system."""

    def rates(_: float, flat: FloatArray) -> FloatArray:
        return field(flat.reshape(states.shape)).ravel()

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.filterwarnings("ignore", module="scipy")
        solver = _side_by_side(rates, states, interval, width)
        while solver.status == "running":
            if not spent.one_more():
                return Ending.GIVEN_UP
            solver.step()
            moved: FloatArray = solver.y.reshape(states.shape)
            if not np.max(np.abs(moved - states) / width) < BLOWN_UP:
                return Ending.BLEW_UP
    return moved if solver.status == "finished" else Ending.STALLED


def _side_by_side(rates: Any, states: FloatArray, interval: float, width: FloatArray) -> Any:  # noqa: ANN401
    """LSODA for states (m, n) that do not act on each other: its Jacobian is n - 1 wide."""
    from scipy.integrate import LSODA

    band = states.shape[1] - 1
    return LSODA(
        rates,
        0.0,
        states.ravel(),
        interval,
        rtol=1e-11,
        atol=np.tile(1e-13 * width, len(states)),
        lband=band,
        uband=band,
    )


def median_time(times: Sequence[float]) -> float | None:
    """The median of valid times; of none, nothing."""
    return float(np.median(times)) if times else None
