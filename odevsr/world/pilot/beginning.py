"""What a simulator answered first of all: asked the same again later, it must answer the same.

A fuse that blows, a relay that latches, a rate that drifts: what was measured afterwards is no law
of the simulator as it was. The first states lie in the middle of the ranges, where nothing has
happened yet; every answer counts, from the very first, before which nothing was asked at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.errors import SimulationError
from odevsr.world.box import Box
from odevsr.world.experiments.launched import Calibration
from odevsr.world.experiments.oracle import World
from odevsr.world.experiments.schemes import ROUNDING
from odevsr.world.simulators.guard import HangingError
from odevsr.world.simulators.launch import Launch

FIRST_STATES, MIDDLE = 3, (0.1, 0.9)
"""How many states are launched from first, and between which shares of the ranges they lie."""
MOVED = 1e-3
"""Share of a range by which one of them must move: near a rest, all that do may be slow."""
SAME = 30.0
"""Ends that differ by no more than so many errors are the same."""

Rows = tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Beginning:
    """Launches before all others, a row each: from where, for how long, and where that led."""

    states: Rows
    steps: tuple[float, ...]
    ends: Rows

    def otherwise(self, launch: Launch, component: int, known: Calibration) -> BoolArray:
        """Which answers (calls, rows) of a component are others, if the same calls are made again.

        A solver that takes one step for all states of a call may tell others in other company.
        """
        calls = len(set(self.steps))
        states, before = np.array(self.states), np.array(self.ends)[:, component]
        asked = zip(np.split(states, calls), np.split(np.array(self.steps), calls), strict=True)
        now = np.concatenate([launch(*call)[:, component] for call in asked])
        size = np.maximum(np.abs(before), np.max(np.abs(states)))
        error = known.state_error + known.relative_error * np.abs(before) + ROUNDING * size
        elsewhere: BoolArray = ~(np.abs(now - before) <= SAME * error)
        return elsewhere.reshape(calls, -1)


def first_answers(
    world: World,
    times: Sequence[float],
    rng: np.random.Generator,
    dear: FloatArray | None = None,
) -> Beginning | None:
    """Launch from the middle of the ranges, until the first of the times in which a state moves.

    Where states are dear, it is from those of them that lie farthest from the ends of the ranges.
    None if that leads nowhere: other states may do.
    """
    box = world.box
    states = middle_states(box, FIRST_STATES, rng) if dear is None else _innermost(box, dear)
    led: list[FloatArray] = []
    for step in times:
        try:
            led.append(world.launch(states, np.full(len(states), step)))
        except HangingError:
            raise
        except SimulationError:
            return None
        if not np.all(np.isfinite(led[-1])):
            return None
        if step == times[-1] or np.max(np.abs(led[-1] - states) / world.width) >= MOVED:
            break
    steps = tuple(step for step in times[: len(led)] for _ in states)
    return Beginning(_rows(states) * len(led), steps, _rows(np.concatenate(led)))


def middle_states(box: Box, count: int, rng: np.random.Generator) -> FloatArray:
    """States (count, n) far from the ends of the ranges."""
    return box.at(rng.uniform(*MIDDLE, (count, len(box))))


def _innermost(box: Box, states: FloatArray) -> FloatArray:
    """Of states (m, n), the few that are farthest from the ends of all ranges."""
    off = np.max(np.abs(box.shares(states) - 0.5), axis=1)
    innermost: FloatArray = states[np.argsort(off)[:FIRST_STATES]]
    return innermost


def _rows(values: FloatArray) -> Rows:
    return tuple(tuple(float(each) for each in row) for row in values)
