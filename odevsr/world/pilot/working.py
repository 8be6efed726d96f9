"""Where in its ranges a simulator works: slices that fail are cut off, other failures left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.errors import SimulationError
from odevsr.world.box import Box
from odevsr.world.experiments.mesh import random_states
from odevsr.world.experiments.oracle import World

TEST_STATES = 200
PEEL = 0.03
"""Share of a range that is given up at a time where the simulator fails."""
MOST_TESTS = 6
LITTLE = 0.1
"""Share of the states that work which may be given up to be rid of all failures,"""
MOSTLY = 3.0
"""else only slices are cut off in which so many launches fail for one that works."""
WORTH = 0.05
"""Share of all launches that must fail less for it, so that no slice is cut off by chance."""
LEAST = 0.05
"""Share of the ranges that must work."""
NARROW = 0.5
"""Ranges that shrink below this share are told with it."""


@dataclass(frozen=True, eq=False)
class Working:
    """Ranges, the share of them from which launches work, and states (k, n) that do."""

    box: Box
    coverage: float
    states: FloatArray
    tested: int
    """States that were launched from to know it."""


def working_ranges(
    world: World,
    works: Callable[[FloatArray], BoolArray],
    rng: np.random.Generator,
    first: FloatArray | None = None,
) -> Working:
    """The world's ranges less what fails, tested by fresh launches each time they shrink.

    If launches work from all states that are given `first`, these will do.
    """
    box, tested = world.box, 0
    if first is not None and works(first).all():
        return Working(box, 1.0, first, tested)
    for _ in range(MOST_TESTS):
        states = random_states(box, TEST_STATES, rng)
        tested += len(states)
        good = works(states)
        if good.any() and not good.all():
            good |= works(states)  # what fails once may have failed by chance
        smaller = box if good.all() else _peeled(world, box, states, good)
        if smaller is box:
            break
        box = smaller
    if np.mean(good) < LEAST:
        raise SimulationError(
            "the simulator gives a finite state from next to nowhere in the ranges; narrow them to "
            "where it works"
        )
    return Working(box, float(np.mean(good)), states[good], tested)


def range_warnings(world: World, box: Box, coverage: float) -> list[str]:
    """What a user should know of ranges that have shrunk, and of failures left in them."""
    kept = [
        f"{name} from {low:.6g} to {high:.6g}" + _share(share)
        for name, (low, high), before, share in zip(
            world.names, box.limits, world.box.limits, _shares(world.box, box), strict=True
        )
        if (low, high) != tuple(before)
    ]
    said = []
    if kept:
        said.append(
            "the simulator fails at some states in the ranges: experiments keep to "
            + ", ".join(kept)
        )
    if coverage < 1:
        share = max(100 * (1 - coverage), 1)
        said.append(f"launches fail in {share:.0f} % of the ranges: states there are left out")
    return said


def _shares(whole: Box, part: Box) -> FloatArray:
    """Which share (n,) of each range is left."""
    shares: FloatArray = np.diff(whole.shares(part.limits.T), axis=0)[0]
    return shares


def _share(share: float) -> str:
    return f" ({100 * share:.0f} % of its range)" if share < NARROW else ""


def _peeled(world: World, box: Box, states: FloatArray, good: BoolArray) -> Box:
    """The box less slices that fail; itself where too much would be lost with them."""
    if not good.any():
        raise SimulationError(
            f"the simulator gives a finite state from none of {len(states)} states all over the "
            "ranges; check that it returns states, and narrow the ranges to where it works"
        )
    best, gained = box, WORTH * len(states)
    for smaller, kept in _slices_off(world, box, states, good):
        lost, rid = np.sum(good & ~kept), np.sum(~good & ~kept)
        if rid == np.sum(~good) and lost <= LITTLE * np.sum(good):
            return smaller
        if rid - MOSTLY * lost > gained:
            best, gained = smaller, float(rid - MOSTLY * lost)
    return best


def _slices_off(
    world: World, box: Box, states: FloatArray, good: BoolArray
) -> Iterator[tuple[Box, BoolArray]]:
    """Ever smaller boxes, each less a slice off the face that frees it of failures best.

    With each, which of the states (m, n) it still holds.
    """
    inside = np.ones(len(states), dtype=bool)
    while not good[inside].all():
        ends = world.box.shares(box.limits.T).T
        choices = []
        for variable in range(len(box)):
            for side, sign in ((0, 1.0), (1, -1.0)):
                edge = float(world.box.along(variable, ends[variable, side] + sign * PEEL))
                kept = inside & (sign * (states[:, variable] - edge) >= 0)
                if kept.any():
                    share = float(np.mean(good[kept]))
                    choices.append((share, int(kept.sum()), variable, side, edge, kept))
        if not choices:
            return
        _, _, variable, side, edge, inside = max(choices, key=lambda choice: choice[:2])
        limits = (edge, box.high[variable]) if side == 0 else (box.low[variable], edge)
        box = box.with_limits(variable, *limits)
        yield box, inside
