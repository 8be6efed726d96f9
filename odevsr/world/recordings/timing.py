"""When a run was sampled: evenly or not, since when, and where nothing was measured for long."""

from __future__ import annotations

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.world.recordings.rounding import rounding_of

UNEVEN = 0.05
"""Steps that differ from their median by a larger share are uneven."""
GAP = 10.0
"""Steps so many times their median are gaps."""
FINE = 1e-9
"""Share of a step that rounding of times may be without being seen in a motion."""
FEWEST = 3
"""Times of which it can be told."""
ROUNDED = 0.75
"""Of the last digit, by which rounded times may be off: half of it, and what a line fitted to them
is off;"""
NEAR = 0.25
"""but no more than this share of a step."""


def is_even(times: FloatArray) -> bool:
    """True if all steps are the same, but for rounding in what was written.

    >>> is_even(np.array([0.0, 0.33, 0.67, 1.0])), is_even(np.array([0.0, 1.0, 3.0]))
    (True, False)
    """
    steps = np.diff(times)
    usual = np.median(steps)
    return bool(np.all(np.abs(steps - usual) <= UNEVEN * usual))


def gaps(times: FloatArray) -> list[tuple[float, float]]:
    """The times before and after each gap."""
    steps = np.diff(times)
    wide = np.flatnonzero(steps > GAP * np.median(steps))
    return [(float(times[index]), float(times[index + 1])) for index in wide]


def clocked(times: FloatArray) -> tuple[FloatArray, str]:
    """The times without what numbers cannot hold of them, and what was done, if anything.

    Where times are so long after 0 that their steps are rounded, they are counted from the first.
    Those that are even as far as their digits tell are even.

    >>> clocked(np.array([0.0, 0.33, 0.67, 1.0]))
    (array([0.   , 0.334, 0.668, 1.002]), 'are rounded, and taken as even')
    """
    if len(times) < FEWEST:
        return times, ""
    finest = float(np.spacing(np.max(np.abs(times))))
    step = float(np.median(np.diff(times)))
    unit = max(rounding_of(times).unit, finest)
    is_late = finest > FINE * step
    counted = times - times[0] if is_late else times
    done = ["count from the first"] * is_late
    even = _evened(counted, step, min(ROUNDED * unit, NEAR * step))
    if even is not None and np.max(np.abs(even - counted)) > max(FINE * step, 2 * finest):
        done.append("are rounded, and taken as even")
    return even if done and even is not None else counted, " and ".join(done)


def _evened(times: FloatArray, step: float, near: float) -> FloatArray | None:
    """Times whose steps are multiples of one, if there are such so near to these."""
    places = np.append(0.0, np.cumsum(np.rint(np.diff(times) / step)))
    slope, start = np.polyfit(places, times, 1)
    is_near = np.max(np.abs(start + slope * places - times)) <= near
    return times[0] + slope * places if is_near and np.all(np.diff(places) > 0) else None
