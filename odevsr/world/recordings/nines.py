"""Numbers that may stand where nothing was measured, such as -9999."""

from __future__ import annotations

import re

import numpy as np

from odevsr.arrays import FloatArray

_NINES = re.compile(r"-?99+(\.9+)?")
FAR = 3.0
"""Such a number is so many times farther from all others than these are from each other."""
FEWEST = 10
"""Others that tell what is far from them."""


def nines_in(samples: FloatArray) -> float | None:
    """A number of nines far from all other samples; None if there is none.

    >>> nines_in(np.append(np.linspace(0, 1, 50), -9999.0)), nines_in(np.linspace(0, 99, 50))
    (-9999.0, None)
    """
    known = samples[np.isfinite(samples)]
    if len(known) <= FEWEST:
        return None
    for number in (known.min(), known.max()):
        others = known[known != number]
        is_nines = _NINES.fullmatch(f"{number:.12g}")
        if is_nines and len(others) >= FEWEST:
            near = np.min(np.abs(others - number))
            if near > FAR * np.ptp(others):
                return float(number)
    return None
