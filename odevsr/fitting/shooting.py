"""Shooting: constants and starts of a motion fitted together to samples of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from odevsr.arrays import FloatArray, IntArray
from odevsr.fitting.flow_kernel import follow
from odevsr.fitting.shooting_kernel import descend
from odevsr.fitting.tape import Tape

MOST_STEPS = 25
ROUNDING = 1e-14
"""Eigenvalue of a normal matrix with diagonal 1 below which there is nothing but rounding."""
IDLE = 1e-200
"""Of a normal matrix's diagonal, for a constant that moves nothing: so that errors stay finite."""


@dataclass(frozen=True, eq=False)
class Motion:
    """Samples (N, m) of a motion at times (N,), with weights 1/error (0: not measured).

    Segment s holds the samples bounds[s]:bounds[s + 1]; each has a start of its own. Inputs
    (N, k, 3) are values with their first and second derivatives, and quintics in between. `scale`
    (m,) is how large the states usually are.
    """

    times: FloatArray
    samples: FloatArray
    weights: FloatArray
    inputs: FloatArray
    bounds: IntArray
    scale: FloatArray
    tolerance: float = 1e-8
    is_smooth: bool = True
    """Whether no input changes suddenly."""

    @property
    def count(self) -> int:
        """How many numbers were measured."""
        return int(np.count_nonzero(self.weights))


@dataclass(frozen=True, eq=False)
class Shot:
    """Constants (p,) and starts (segments, m) with the sum of squares they leave."""

    theta: FloatArray
    starts: FloatArray
    chi2: float
    normal: FloatArray
    """The normal matrix, constants first, whose inverse is the covariance."""
    gradient: FloatArray
    path: FloatArray
    """The motion (N, m) at the samples' times."""
    effort: int = 0
    """Numbers that were followed, states and sensitivities, from step to step to come here,"""
    last_effort: int = 0
    """and the last time."""

    @cached_property
    def errors(self) -> FloatArray:
        """Standard errors (p,) of the constants."""
        return np.sqrt(np.diag(self.covariance))

    @cached_property
    def covariance(self) -> FloatArray:
        """Of the constants (p, p); huge where only several of them together are known."""
        return covariance_of(self.normal, len(self.theta))


def apart(one: Shot, other: Shot) -> float:
    """By how much the sums of squares of two fits grow, at least, if they have the same constants.

    Each goes on with starts of its own.
    """
    shared, first = len(one.theta), len(one.normal)
    unknowns = first + len(other.normal) - shared
    mine = np.arange(first)
    its = np.concatenate([np.arange(shared), np.arange(first, unknowns)])
    normal = np.zeros((unknowns, unknowns))
    normal[np.ix_(mine, mine)] += one.normal
    normal[np.ix_(its, its)] += other.normal
    difference = np.zeros(len(its))
    difference[:shared] = one.theta - other.theta
    pull = np.zeros(unknowns)
    pull[its] = other.normal @ difference
    moved = -covariance_of(normal, unknowns) @ pull
    left = moved[its] + difference
    return float(moved[mine] @ one.normal @ moved[mine] + left @ other.normal @ left)


def covariance_of(normal: FloatArray, first: int) -> FloatArray:
    """Of the first unknowns that have this normal matrix."""
    size = np.sqrt(np.maximum(np.diag(normal), IDLE))
    values, vectors = np.linalg.eigh(normal / np.outer(size, size))
    own = vectors[:first] / size[:first, None]
    return np.asarray(own / np.maximum(values, ROUNDING) @ own.T)


def shoot(
    tape: Tape, motion: Motion, theta: FloatArray, starts: FloatArray, most: int = MOST_STEPS
) -> Shot:
    """The constants and starts nearby that leave least, by Levenberg and Marquardt's method."""
    theta, starts = theta.copy(), starts.copy()
    unknowns = theta.size + starts.size
    normal, gradient = np.zeros((unknowns, unknowns)), np.zeros(unknowns)
    path, effort = np.zeros(motion.samples.shape), np.zeros(2, dtype=np.int64)
    chi2 = descend(
        tape.steps, tape.numbers, tape.outputs, theta, starts, motion.bounds, motion.times,
        motion.samples, motion.weights, motion.inputs, motion.scale, motion.tolerance,
        int(motion.is_smooth), most, normal, gradient, path, effort,
    )  # fmt: skip
    return Shot(theta, starts, chi2, normal, gradient, path, *effort.tolist())


def followed(tape: Tape, motion: Motion, theta: FloatArray, starts: FloatArray) -> Shot:
    """The motion from these starts, and what it leaves of the samples; no sensitivities."""
    normal, gradient, path = np.zeros((0, 0)), np.zeros(0), np.zeros(motion.samples.shape)
    effort = np.zeros(2, dtype=np.int64)
    chi2 = follow(
        tape.steps, tape.numbers, tape.outputs, theta, starts, motion.bounds, motion.times,
        motion.samples, motion.weights, motion.inputs, motion.scale, motion.tolerance,
        int(motion.is_smooth), normal, gradient, path, effort,
    )  # fmt: skip
    chi2 = chi2 if math.isfinite(chi2) else math.inf
    return Shot(theta, starts, chi2, normal, gradient, path, *effort.tolist())


def merged(motion: Motion, runs: IntArray, most: int) -> Motion:
    """The same samples in at most so many segments a run; `runs` are the bounds of the runs."""
    bounds = [
        np.linspace(first, last, min(most, max(1, (last - first) // 4)), endpoint=False)
        for first, last in pairwise(runs.tolist())
    ]
    whole = np.append(np.concatenate(bounds).astype(np.int64), runs[-1])
    return replace(motion, bounds=whole)
