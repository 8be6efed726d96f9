"""How long a law's own motion follows that of the system, and how chaotic the system is."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from odevsr.language.evaluate import Field
from odevsr.world.integrate import Problem, integrate
from odevsr.world.trajectory import Tolerances, Trajectory

FloatArray = NDArray[np.float64]

DEPARTED = 0.3
"""Root mean square distance, in standard deviations of the variables, at which a path is lost."""
BLOWN_UP = 1e3
"""A state that moves so many widths of its ranges in one interval is lost."""
STRETCHES = 20
"""Parts of a trajectory in which it is followed,"""
MOST_STEPS = 5_000
"""and the solver's steps in each; a motion that needs more is lost."""
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


def valid_time(field: Field, truth: Trajectory, box: FloatArray) -> float:
    """How long the field's motion from the same start stays near the trajectory.

    The distance at a time is the root mean square over the variables that move, each in standard
    deviations of the trajectory; the path is lost where it exceeds 0.3. At most the trajectory's
    own duration. It is followed stretch by stretch, and not beyond where it is lost.
    """
    spread = truth.states.std(axis=0)
    moving = spread > 1e-9 * (box[:, 1] - box[:, 0])
    if not moving.any():
        return float(truth.time[-1])
    start = truth.states[0]
    ends = np.linspace(0, len(truth.time) - 1, STRETCHES + 1).astype(int)
    for first, last in pairwise(np.unique(ends).tolist()):
        true = truth.states[first : last + 1]
        states = _motion(field, truth.time[first : last + 1], start, box)
        off = (states - true[: len(states)])[:, moving] / spread[moving]
        near = np.sqrt(np.mean(off**2, axis=1)) <= DEPARTED
        if len(states) < len(true) or not near.all():
            followed = len(near) if near.all() else int(np.argmin(near))
            return float(truth.time[max(first + followed - 1, 0)])
        start = states[-1]
    return float(truth.time[-1])


def _motion(field: Field, time: FloatArray, start: FloatArray, box: FloatArray) -> FloatArray:
    """States (m, n) at the first m of the times, until the motion blows up or cannot go on."""
    from scipy.integrate import OdeSolution

    width = box[:, 1] - box[:, 0]
    tolerances = Tolerances()
    curve = integrate(
        Problem(
            field=field,
            start=start,
            duration=float(time[-1] - time[0]),
            relative=tolerances.relative,
            absolute=tolerances.absolute * width,
            size=np.abs(box).max(axis=1),
            most_steps=MOST_STEPS,
        )
    )
    if not curve.pieces:
        return start[None]
    elapsed = time - time[0]
    reached: FloatArray = elapsed[elapsed <= curve.times[-1]]
    return np.asarray(OdeSolution(curve.times, curve.pieces)(reached).T)


def lyapunov_exponent(
    field: Field, starts: FloatArray, box: FloatArray, duration: float
) -> Exponent | None:
    """Benettin's method: neighbours of the trajectories from starts (m, n), again and again.

    In each of 160 intervals the logarithm of how far a neighbour parted is noted, and it is brought
    near again. None if the trajectories do not stay finite.
    """
    width = box[:, 1] - box[:, 0]
    away = np.full(starts.shape, 1 / np.sqrt(starts.shape[1]))
    states, logs = starts, []
    for _ in range(INTERVALS):
        pairs = np.concatenate([states, states + NUDGE * width * away])
        moved = _later(field, pairs, duration / INTERVALS, width)
        if moved is None:
            return None
        states, neighbours = np.split(moved, 2)
        away = (neighbours - states) / width
        distance = np.maximum(np.linalg.norm(away, axis=1), 1e-300)
        away /= distance[:, None]
        logs.append(np.log(distance / NUDGE))
    halves = [np.sum(half, axis=0) for half in np.array_split(np.array(logs), 2)]
    rates = (halves[0] + halves[1]) / duration
    error = float(rates.std(ddof=1) / np.sqrt(len(rates))) if len(rates) > 1 else float("inf")
    return Exponent(float(rates.mean()), error, (float(halves[0].mean()), float(halves[1].mean())))


def _later(
    field: Field, states: FloatArray, interval: float, width: FloatArray
) -> FloatArray | None:
    """States (m, n) after a time, all integrated as one system."""
    from scipy.integrate import solve_ivp

    def rates(_: float, flat: FloatArray) -> FloatArray:
        return field(flat.reshape(states.shape)).ravel()

    def room(_: float, flat: FloatArray) -> float:
        moved = np.abs(flat.reshape(states.shape) - states) / width
        return float(BLOWN_UP - np.max(moved))

    room.terminal = True  # type: ignore[attr-defined]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.filterwarnings("ignore", module="scipy")
        solution = solve_ivp(
            rates,
            (0.0, interval),
            states.ravel(),
            method="LSODA",
            t_eval=[interval],
            events=room,
            rtol=1e-11,
            atol=np.tile(1e-13 * width, len(states)),
        )
    if solution.status != 0 or not np.isfinite(solution.y).all():
        return None
    moved: FloatArray = solution.y[:, -1].reshape(states.shape)
    return moved


def median_time(times: Sequence[float]) -> float | None:
    """The median of valid times; of none, nothing."""
    return float(np.median(times)) if times else None
