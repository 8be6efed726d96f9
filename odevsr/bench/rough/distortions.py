"""What simulators do to a motion: noise, steps of their own, rounding, limits, corners.

Each takes a motion, the sizes of its states and a generator, and gives another motion.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import DTypeLike

from odevsr.arrays import FloatArray
from odevsr.bench.rough.case import Motion

Distortion = Callable[[Motion, Sequence[float], np.random.Generator], Motion]
Condition = Callable[[FloatArray], FloatArray]
Whole = Callable[[FloatArray], FloatArray]
Change = Callable[[FloatArray], FloatArray]

NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)


def as_it_is(motion: Motion, _sizes: Sequence[float], _rng: np.random.Generator) -> Motion:
    """Nothing is done."""
    return motion


def changed_ends(change: Change) -> Distortion:
    """What a launch returns is changed."""
    return lambda motion, sizes, rng: lambda states, steps: change(motion(states, steps))


def changed_steps(change: Change) -> Distortion:
    """Other times pass than those asked for."""
    return lambda motion, sizes, rng: lambda states, steps: motion(states, change(steps))


# Noise


def additive(level: float) -> Distortion:
    """Noise of the same size everywhere, relative to the largest states."""

    def distorted(motion: Motion, sizes: Sequence[float], rng: np.random.Generator) -> Motion:
        def noisy(states: FloatArray, steps: FloatArray) -> FloatArray:
            ends = motion(states, steps)
            return ends + level * np.asarray(sizes) * rng.standard_normal(ends.shape)

        return noisy

    return distorted


def proportional(level: float) -> Distortion:
    """Noise that grows with the state."""

    def distorted(motion: Motion, _sizes: Sequence[float], rng: np.random.Generator) -> Motion:
        def noisy(states: FloatArray, steps: FloatArray) -> FloatArray:
            ends = motion(states, steps)
            return ends * (1 + level * rng.standard_normal(ends.shape))

        return noisy

    return distorted


# Time


def in_steps(whole: Whole, step: float) -> Distortion:
    """Only whole numbers of its own steps."""
    return changed_steps(lambda steps: step * whole(steps / step))


def interpolated(step: float) -> Distortion:
    """Samples at its own steps, and straight lines between them."""

    def distorted(motion: Motion, _sizes: Sequence[float], _rng: np.random.Generator) -> Motion:
        def between(states: FloatArray, steps: FloatArray) -> FloatArray:
            before = np.floor(steps / step)
            share = (steps / step - before)[:, None]
            first, second = motion(states, step * before), motion(states, step * (before + 1))
            return (1 - share) * first + share * second

        return between

    return distorted


def averaged(window: float | None = None) -> Distortion:
    """The mean over the last `window` of time, or over the whole step."""

    def distorted(motion: Motion, _sizes: Sequence[float], _rng: np.random.Generator) -> Motion:
        def mean(states: FloatArray, steps: FloatArray) -> FloatArray:
            back = steps if window is None else np.full_like(steps, window)
            ends = [motion(states, steps - back * (1 + node) / 2) for node in NODES]
            return np.asarray(sum(w * end for w, end in zip(WEIGHTS / 2, ends, strict=True)))

        return mean

    return distorted


def forward_only(motion: Motion, _sizes: Sequence[float], _rng: np.random.Generator) -> Motion:
    """Raises where it is asked to go back in time."""

    def moved(states: FloatArray, steps: FloatArray) -> FloatArray:
        if np.any(steps < 0):
            raise ValueError("time runs forwards only")
        return motion(states, steps)

    return moved


# Digits and limits


def decimals(count: int) -> Distortion:
    """Ends rounded to so many decimals."""
    return changed_ends(lambda ends: np.round(ends, count))


def kept_as(dtype: DTypeLike) -> Distortion:
    """Ends as short floating-point numbers hold them."""
    return changed_ends(lambda ends: ends.astype(dtype).astype(np.float64))


def limited(low: float, high: float) -> Distortion:
    """Ends that go no further than the limits."""
    return changed_ends(lambda ends: np.clip(ends, low, high))


def begun_within(low: float, high: float) -> Distortion:
    """States that are put within the limits before they move."""

    def distorted(motion: Motion, _sizes: Sequence[float], _rng: np.random.Generator) -> Motion:
        return lambda states, steps: motion(np.clip(states, low, high), steps)

    return distorted


def nan_where(condition: Condition) -> Distortion:
    """No number for launches from some states."""

    def distorted(motion: Motion, _sizes: Sequence[float], _rng: np.random.Generator) -> Motion:
        def moved(states: FloatArray, steps: FloatArray) -> FloatArray:
            return np.where(condition(states)[:, None], np.nan, motion(states, steps))

        return moved

    return distorted


def raising_where(condition: Condition) -> Distortion:
    """An exception if any state is one of some."""

    def distorted(motion: Motion, _sizes: Sequence[float], _rng: np.random.Generator) -> Motion:
        def moved(states: FloatArray, steps: FloatArray) -> FloatArray:
            if np.any(condition(states)):
                raise ArithmeticError("no solution here")
            return motion(states, steps)

        return moved

    return distorted
