"""Ranges of the variables of someone else's model: those of a free run from its start, widened."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.world.ranges import Range

RUN_POINTS = 201
MOST_DOUBLINGS = 40
QUIET = 3
"""Doublings of its time in which nothing new happens: a free run is over then."""
GROWTH = 0.01
GROWN = 100.0
"""Times the size of others from which on what grows is thought to grow for ever. A slow variable
that the others wait for, as in oscillators that relax, reaches some ten times that."""
NARROW = 1e-3
"""A variable that moves by less than this share of its size has no width of its own."""
LEAST = 1e-8
"""What falls to less than this share of its largest value has gone, as far as a free run tells."""
ROUNDING = 1e-6
"""What a free run is below nought by, as a share of a variable's size, is an error of it."""


class Runner(Protocol):
    """A model that can be put into a state and left to itself."""

    count: int
    """How many of its variables have a law; the others are inputs."""

    def state(self) -> FloatArray:
        """Where it is now, (n,): variables, then inputs."""
        ...

    def put(self, state: FloatArray) -> None:
        """Set where it is, (n,)."""
        ...

    def rates(self, rows: FloatArray) -> FloatArray:
        """Rates (m, n) at states (m, n)."""
        ...

    def follow(self, begin: float, end: float) -> FloatArray:
        """States (RUN_POINTS, count) from time `begin` on; a RuntimeError if it cannot go there."""
        ...


def observed(runner: Runner) -> tuple[FloatArray, FloatArray, float]:
    """Least and largest values (n,) of a free run, and the time in which they show.

    What stays as it is shows its size in a second run, in which nothing begins at nought.
    """
    lows, highs, duration = free_run(runner)
    sizes = sizes_of(lows, highs)
    still = highs - lows <= NARROW * sizes
    if not still.any():
        return lows, highs, duration
    stirred = runner.state()
    middle = (lows + highs) / 2
    stirred[: runner.count] = np.where(middle == 0, usual_size(sizes), middle)
    runner.put(stirred)
    try:
        states = runner.follow(0.0, duration)
    except RuntimeError:  # roadrunner cannot go there: what was seen counts
        return lows, highs, duration
    states = states[np.isfinite(states).all(axis=1)]
    lows = np.where(still, np.minimum(lows, states.min(axis=0)), lows)
    return lows, np.where(still, np.maximum(highs, states.max(axis=0)), highs), duration


def free_run(runner: Runner) -> tuple[FloatArray, FloatArray, float]:
    """Least and largest values (n,) from the file's start on, and how long that took to show.

    The run begins with the fastest time at its start, and its time doubles until, for a while,
    no variable reaches new values but those that have grown far beyond the others. What grows on
    while nothing else happens does not make the time longer in which all shows.
    """
    start = runner.state()[: runner.count]
    lows, highs = start.copy(), start.copy()
    begin, end, quiet = 0.0, _fastest_time(runner, start), 0
    shown = end * 2**QUIET
    for _ in range(MOST_DOUBLINGS):
        try:
            states = runner.follow(begin, end)
        except RuntimeError:  # roadrunner cannot go on: what was seen so far counts
            break
        states = states[np.isfinite(states).all(axis=1)]
        before = highs - lows
        lows, highs = np.minimum(lows, states.min(axis=0)), np.maximum(highs, states.max(axis=0))
        width = highs - lows
        others, news = _others(sizes_of(lows, highs)), width > (1 + GROWTH) * before
        if np.any(news & (width < others)):
            shown = end * 2**QUIET
        quiet = 0 if np.any(news & (width < GROWN * others)) else quiet + 1
        begin, end = end, 2 * end
        if quiet == QUIET:
            break
    return lows, highs, min(begin or end, shown)


def _others(sizes: FloatArray) -> FloatArray:
    """For each variable the usual size (n,) of the others; 1 where it is alone."""
    places = range(len(sizes))
    return np.array([usual_size(np.delete(sizes, place)) for place in places])


def _fastest_time(runner: Runner, start: FloatArray) -> float:
    """The shortest time in which a variable would change by its own size, or by the usual one."""
    rates = np.abs(runner.rates(runner.state()[None])[0, : len(start)])
    sizes = np.maximum(np.abs(start), usual_size(np.abs(start)))
    moving = np.isfinite(rates) & (rates > 0)
    return float(np.min(sizes[moving] / rates[moving])) if moving.any() else 1.0


def sizes_of(lows: FloatArray, highs: FloatArray) -> FloatArray:
    """The largest absolute values (n,) between these ends."""
    return np.maximum(np.abs(lows), np.abs(highs))


def usual_size(sizes: FloatArray) -> float:
    """The median of the sizes above nought; 1 if there are none."""
    above = sizes[np.isfinite(sizes) & (sizes > 0)]
    return float(np.median(above)) if above.size else 1.0


def widened(low: float, high: float, usual: float, *, is_level: bool) -> Range:
    """The range of a variable with this least and largest value, wider by half on each side.

    What stays gets the width of its size, or of the `usual` one at nought; a level, which never was
    below nought, does not get there. One that spanned powers of ten is wider by factors.
    """
    size = max(abs(low), abs(high))
    is_level = is_level and low >= -ROUNDING * max(size, usual)
    if is_level and low > LEAST * size and Range(low, high).is_log:
        return Range(low / 1.5, 1.5 * high, domain=(0.0, math.inf))
    width = high - low if high - low > NARROW * size else size or usual
    least = max(0.0, low - width / 2) if is_level else low - width / 2
    return Range(least, high + width / 2, domain=(0.0, math.inf) if is_level else None)
