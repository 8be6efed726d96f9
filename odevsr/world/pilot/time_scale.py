"""How long launches may last: the times in which a simulator moves, and stays near."""

from __future__ import annotations

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.errors import SimulationError
from odevsr.world.experiments.oracle import World

SHORTEST_TIME, LONGEST_TIME = 1e-12, 1e12
TIMES = tuple(10.0**power for power in range(-12, 13))
"""From the one to the other."""
NO_TIME = 1e-60
"""What moves far even in this time does not move, but jumps."""
NEAR = 0.1
"""Share of the ranges by which states may move and still be near."""


def time_scale(world: World, states: FloatArray) -> float:
    """A time in which most states move by no more than a tenth of their box."""
    step = SHORTEST_TIME
    while _moves_far(world, states, 10 * step):
        if step < NO_TIME:
            raise SimulationError(
                f"a step of {10 * step:g} leads far from where it starts, or nowhere; check what "
                "the simulator returns after short steps"
            )
        step /= 1000
    step *= 10
    while step < LONGEST_TIME and not _moves_far(world, states, 10 * step):
        step *= 10
    return step if step < LONGEST_TIME else _heeded(world, states, step)


def stillness(world: World, states: FloatArray, longest: float) -> list[str]:
    """What to say if not even the longest time leads anywhere."""
    if longest < LONGEST_TIME:
        return []
    stays = np.all(world.launch(states, np.full(len(states), longest)) == states)
    return [f"nothing moves, not even in a time of {longest:g}"] if stays else []


def moved_shares(world: World, states: FloatArray, step: float) -> FloatArray:
    """By which share of the ranges states (m,) move in a step; nan where it fails."""
    ends = world.launch(states, np.full(len(states), step))
    moved: FloatArray = np.max(np.abs(ends - states) / world.width, axis=1)
    return moved


def _moves_far(world: World, states: FloatArray, step: float) -> bool:
    """True if not nearly all states stay near where they were; nan counts as moved too far."""
    return bool(np.mean(moved_shares(world, states, step) <= NEAR) < 0.9)


def _heeded(world: World, states: FloatArray, longest: float) -> float:
    """A time in which states still move, though a longer one leads no farther; else the longest.

    So it is if the simulator makes so many steps at most. If it makes one, whatever it is asked
    for, it is refused.
    """
    ends = world.launch(states, np.full(len(states), longest))
    if np.all(ends == states):
        return longest
    step = longest
    while np.array_equal(ends, world.launch(states, np.full(len(states), step / 10))):
        step /= 10
        if step < SHORTEST_TIME:
            raise SimulationError(
                "the simulator moves states as far in no time at all as in any other; let it heed "
                "the time that it is asked to move them for"
            )
    return step if step == longest else step / 10
