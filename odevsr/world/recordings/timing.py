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
ENOUGH = 30
"""Times that tell rounded from uneven ones: of fewer, uneven ones are often so by chance, too."""
HALF = 0.501
"""Of the last digit, by which rounded times are off, and a little for the line through them;"""
NEAR = 0.2
"""but no more than this share of a step, of which two are less than half of one."""
EXACT = 1e-9
"""Share of that to which the line through times is found."""


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
    Those of even ones that would be written with the same digits are even.

    >>> even, done = clocked(np.round(np.arange(40) / 3, 2))
    >>> round(float(even[39]), 6), done
    (13.0, 'are rounded, and taken as even')
    >>> clocked(np.array([0.0, 1.0, 3.0]))
    (array([0., 1., 3.]), '')
    """
    if len(times) < FEWEST:
        return times, ""
    finest = float(np.spacing(np.max(np.abs(times))))
    step = float(np.median(np.diff(times)))
    unit = rounding_of(times).unit if len(times) >= ENOUGH else 0.0
    is_late = finest > FINE * step
    counted = times - times[0] if is_late else times
    done = ["count from the first"] * is_late
    seen = max(FINE * step, 2 * finest)
    even = _evened(counted, step, min(HALF * unit + finest, NEAR * step))
    if even is not None and np.max(np.abs(even - counted)) > seen:
        done.append("are rounded, and taken as even")
    return even if done and even is not None else counted, " and ".join(done)


def _evened(times: FloatArray, step: float, near: float) -> FloatArray | None:
    """Times whose steps are multiples of one, if there are such so near to all of these."""
    places = np.append(0.0, np.cumsum(np.rint(np.diff(times) / step)))
    if np.any(np.diff(places) <= 0):
        return None
    even = _line(places, times)
    return even if np.max(np.abs(even - times)) <= near else None


def _line(places: FloatArray, times: FloatArray) -> FloatArray:
    """The line through times from which the farthest of them is as near as can be."""
    from scipy.optimize import minimize_scalar

    slope = (times[-1] - times[0]) / places[-1]
    rest = times - slope * places
    wide = float(np.ptp(rest)) / places[-1]
    if wide > 0:
        turned = minimize_scalar(
            lambda turn: np.ptp(rest - turn * places),
            bounds=(-wide, wide),
            method="bounded",
            options={"xatol": EXACT * wide},
        )
        slope += turned.x
        rest = rest - turned.x * places
    return np.asarray(slope * places + (np.min(rest) + np.max(rest)) / 2)
