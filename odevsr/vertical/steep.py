"""Where a law changes faster than measurements lie close: the places it must be held to as well.

A steep tanh follows a step at all states but those within it, and few of these are ever drawn.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.evidence.agreement import QUANTILE
from odevsr.language.evaluate import Field, compile_field
from odevsr.language.expression import Expression
from odevsr.limits import SAME
from odevsr.world.box import Box

LINES, GRID, FINE = 16, 801, 17
"""Lines along a variable, points on each, and points in each narrower look at one interval."""
ABOUT = 3
"""Intervals about the steepest: looks become narrower as long as most of the change is in them."""
CONCENTRATED = 0.05
"""Share of the law's whole change along a line that one interval of the grid must hold."""


def steep_states(
    law: Expression,
    names: Sequence[str],
    box: Box,
    variable: int,
    rng: np.random.Generator,
) -> FloatArray | None:
    """States across the steepest place of a law along a variable; None if it is steep nowhere."""
    field = compile_field([law], names)
    states = np.repeat(box.at(rng.random((LINES, len(box))))[:, None, :], GRID, axis=1)
    states[..., variable] = box.along(variable, np.linspace(0.0, 1.0, GRID))
    with np.errstate(all="ignore"):
        values = field(states)[..., 0]
        jumps = np.abs(np.diff(values, axis=1))
        share = jumps / np.ptp(values, axis=1)[:, None]
    share = np.nan_to_num(share, nan=0.0, posinf=0.0)
    line, place = np.unravel_index(int(np.argmax(share)), share.shape)
    if not share[line, place] > CONCENTRATED:
        return None
    ends = states[line, place, variable], states[line, place + 1, variable]
    return _across(field, states[line, 0], variable, ends)


def _across(field: Field, base: FloatArray, variable: int, ends: tuple[float, float]) -> FloatArray:
    """States spread over the interval in which most of the change between two ends happens."""
    low, high = ends
    while abs(high - low) > SAME * abs(ends[1] - ends[0]):
        states = _line(base, variable, low, high)
        values = field(states)[:, 0]
        steepest = int(np.argmax(np.abs(np.diff(values))))
        first, last = max(steepest - ABOUT, 0), min(steepest + 1 + ABOUT, FINE - 1)
        if not abs(values[last] - values[first]) > QUANTILE * abs(values[-1] - values[0]):
            break
        low, high = states[first, variable], states[last, variable]
    return _line(base, variable, low, high)


def _line(base: FloatArray, variable: int, low: float, high: float) -> FloatArray:
    states = np.repeat(base[None], FINE, axis=0)
    states[:, variable] = np.linspace(low, high, FINE)
    return states
