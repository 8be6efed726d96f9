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
from odevsr.limits import DRAWN, FEWEST, SAME
from odevsr.vertical.asking.states import line, uniform_states
from odevsr.world.box import Box

GRID = DRAWN // FEWEST
"""Points on each of a few lines along a variable."""


def steep_states(
    law: Expression, names: Sequence[str], box: Box, variable: int, rng: np.random.Generator
) -> FloatArray | None:
    """States across the steepest place of a law along a variable; None if it is steep nowhere.

    It is steep if at this rate its whole change would lie among those few states whose residuals no
    deviation heeds.
    """
    field = compile_field([law], names)
    bases = uniform_states(box, FEWEST, rng)
    states = line(bases, variable, box.along(variable, np.linspace(0.0, 1.0, GRID)))
    with np.errstate(all="ignore"):
        values = field(states)[..., 0]
        jumps = np.abs(np.diff(values, axis=1))
        share = jumps / np.ptp(values, axis=1)[:, None]
    share = np.nan_to_num(share, nan=0.0, posinf=0.0)
    steepest, place = np.unravel_index(int(np.argmax(share)), share.shape)
    if not share[steepest, place] * GRID * (1 - QUANTILE) > 1:
        return None
    ends = states[steepest, place, variable], states[steepest, place + 1, variable]
    return _across(field, bases[steepest], variable, ends)


def _across(field: Field, base: FloatArray, variable: int, ends: tuple[float, float]) -> FloatArray:
    """States spread over where, between two ends, nearly all of the change happens.

    One looks from nearer by as long as that is in less than half of what is looked at.
    """
    low, high = ends
    outer = (1 - QUANTILE) / 2
    while abs(high - low) > SAME * abs(ends[1] - ends[0]):
        places = np.linspace(low, high, GRID)
        with np.errstate(all="ignore"):
            values = field(line(base, variable, places))[:, 0]
            done = np.insert(np.cumsum(np.abs(np.diff(values))), 0, 0.0)
            begun = np.searchsorted(done, outer * done[-1], side="right") - 1
            first, last = places[begun], places[np.searchsorted(done, (1 - outer) * done[-1])]
        if not abs(last - first) < abs(high - low) / 2:
            break
        low, high = float(first), float(last)
    return line(base, variable, np.linspace(low, high, FEWEST))
