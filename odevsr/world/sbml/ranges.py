"""Ranges of a model's variables: those of a free run from the file's start, widened."""

from __future__ import annotations

import math

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.world.sbml.file import Model
from odevsr.world.sbml.runner import Runner
from odevsr.world.system import StateVariable

MOST_DOUBLINGS = 40
QUIET = 3
"""Doublings of its time in which nothing new happens: a free run is over then."""
GROWTH = 0.01
NARROW = 1e-3
"""A variable that moves by less than this share of its size has no width of its own."""
ROUNDING = 1e-6
"""What a free run is below nought by, as a share of a variable's size, is an error of it."""


def observed(runner: Runner) -> tuple[FloatArray, FloatArray, float]:
    """Least and largest values (n,) of a free run, and the time in which they show.

    What stays as it is shows its size in a second run, in which nothing begins at nought.
    """
    lows, highs, duration = free_run(runner)
    sizes = _sizes(lows, highs)
    still = highs - lows <= NARROW * sizes
    if not still.any():
        return lows, highs, duration
    stirred = runner.state()
    middle = (lows + highs) / 2
    stirred[: runner.count] = np.where(middle == 0, _usual(sizes), middle)
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
    no variable reaches new values but those that have moved by more than the usual size.
    """
    start = runner.state()[: runner.count]
    lows, highs = start.copy(), start.copy()
    begin, end, quiet = 0.0, _fastest_time(runner, start), 0
    for _ in range(MOST_DOUBLINGS):
        try:
            states = runner.follow(begin, end)
        except RuntimeError:  # roadrunner cannot go on: what was seen so far counts
            break
        states = states[np.isfinite(states).all(axis=1)]
        before = highs - lows
        lows, highs = np.minimum(lows, states.min(axis=0)), np.maximum(highs, states.max(axis=0))
        width = highs - lows
        news = (width > (1 + GROWTH) * before) & (width < _usual(_sizes(lows, highs)))
        quiet = 0 if news.any() else quiet + 1
        begin, end = end, 2 * end
        if quiet == QUIET:
            break
    return lows, highs, begin or end


def _fastest_time(runner: Runner, start: FloatArray) -> float:
    """The shortest time in which a variable would change by its own size, or by the usual one."""
    rates = np.abs(runner.rates(runner.state()[None])[0, : len(start)])
    sizes = np.maximum(np.abs(start), _usual(np.abs(start)))
    moving = np.isfinite(rates) & (rates > 0)
    return float(np.min(sizes[moving] / rates[moving])) if moving.any() else 1.0


def _sizes(lows: FloatArray, highs: FloatArray) -> FloatArray:
    return np.maximum(np.abs(lows), np.abs(highs))


def _usual(sizes: FloatArray) -> float:
    """The median of the sizes above nought; 1 if there are none."""
    above = sizes[np.isfinite(sizes) & (sizes > 0)]
    return float(np.median(above)) if above.size else 1.0


def ranged(
    model: Model, start: FloatArray, lows: FloatArray, highs: FloatArray
) -> list[StateVariable]:
    """The states with the ranges of a free run, widened by half on each side."""
    usual = _usual(_sizes(lows, highs))
    return [
        _variable(model, name, values, usual)
        for name, *values in zip(model.states, start, lows, highs, strict=True)
    ]


def _variable(model: Model, name: str, values: list[float], usual: float) -> StateVariable:
    """A state from its start, least and largest value; one that stays gets the width of its size.

    What stays at nought gets the usual size.
    """
    start, low, high = map(float, values)
    size = max(abs(low), abs(high))
    is_level = name in model.species and low >= -ROUNDING * max(size, usual)
    width = high - low if high - low > NARROW * size else size or usual
    least = max(0.0, low - width / 2) if is_level else low - width / 2
    domain = (0.0, math.inf) if is_level else None
    meaning = model.species[name].meaning if name in model.species else "parameter"
    most = high + width / 2
    return StateVariable(name, least, most, max(start, least), meaning, "", domain)
