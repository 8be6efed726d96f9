"""Whether the state alone tells where a simulator goes: two launches lead where one does.

What remembers how it was started (a hidden variable that starts anew, a delay, a mean over the
launch) goes elsewhere when it is launched again from where it was. The gap grows with the square of
the time, as long as that is short beside the memory. That of a loose tolerance has no such rule,
and that of a good step grows much faster.
"""

from __future__ import annotations

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.world.simulators.launch import Launch

LONG = 4.0
"""Times the time in which states move little."""
SHARE = 1e-3
"""Gaps smaller than this share of the motion are not looked at."""
ALIKE = 0.9
"""Correlation between the gaps of a time and of half of it."""
GROWTH = (2.5, 7.0)
"""Between these, a gap grows with the square of the time."""
VISIBLE = 20.0
"""Gaps count from so many times what blurs states."""
SHORTER, LOOKS, FEWER = 4.0, 6, 3
"""Short memories show in short times: looks that shorten by a factor, at one state in so many."""


def looks(longest: float) -> FloatArray:
    """Times (k, 2) to look at, each with its half, if states move little in `longest`."""
    times: FloatArray = np.multiply.outer(LONG * longest / SHORTER ** np.arange(LOOKS), [1.0, 0.5])
    return times


def remembering(
    launch: Launch, states: FloatArray, times: FloatArray, blur: FloatArray
) -> BoolArray:
    """Which components (n,) depend on more than the state they were launched from.

    `times` (k, 2) are long ones, each with its half; `blur` (n,) is how uncertain states are.
    """
    found, is_straight = _growing(launch, states, times[0], blur)
    for pair in times[1:]:
        found |= _growing(launch, states[::FEWER], pair, blur)[0]
    return found & ~is_straight


def _growing(
    launch: Launch, states: FloatArray, times: FloatArray, blur: FloatArray
) -> tuple[BoolArray, BoolArray]:
    """Which components (n,) show a gap that grows with the square of the time; which are straight.

    A motion that is straight for long is a single step along the rate at its start, however long:
    its gap is that of the step, not of a memory. One that bends later is no such step.
    """
    gaps, moved, straight = zip(*(_gap(launch, states, time) for time in times), strict=True)
    usable = np.all(np.isfinite(gaps[0] + gaps[1] + moved[0]), axis=1)
    if not usable.any():
        return np.zeros(states.shape[1], dtype=bool), np.zeros(states.shape[1], dtype=bool)
    long, short = (np.where(usable[:, None], gap, 0.0) for gap in gaps)
    size, half = (np.sqrt(np.sum(gap**2, axis=0)) for gap in (long, short))
    motion = np.sqrt(np.sum(moved[0][usable] ** 2, axis=0))
    together = np.sum(long * short, axis=0)
    count = np.sqrt(usable.sum())
    low, high = GROWTH
    result: BoolArray = (
        (size > np.maximum(SHARE * motion, VISIBLE * blur * count))
        & (together > ALIKE * size * half)
        & (size > low * half)
        & (size < high * half)
    )
    return result, np.all(straight[0][usable], axis=0)


def _gap(
    launch: Launch, states: FloatArray, time: float
) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Where two launches end less where one of twice the time does, how far that is, (m, n).

    And whether the motion is straight.
    """
    steps = np.full(len(states), time)
    with np.errstate(all="ignore"):
        middle, end = launch(states, steps), launch(states, 2 * steps)
        usable = np.all(np.isfinite(middle), axis=1)
        again = np.full_like(middle, np.nan)
        again[usable] = launch(middle[usable], steps[usable])
        moved = end - states
        straight = np.abs(moved - 2 * (middle - states)) <= 1e-9 * np.abs(moved)
    return again - end, moved, straight
