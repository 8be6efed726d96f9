"""When a run was sampled: evenly or not, and where nothing was measured for long."""

from __future__ import annotations

import numpy as np

from odevsr.arrays import FloatArray

UNEVEN = 0.05
"""Steps that differ from their median by a larger share are uneven."""
GAP = 10.0
"""Steps so many times their median are gaps."""


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
