"""What a worker does of a simulator's calls; it loads little, for workers come and go."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import lru_cache

from odevsr.arrays import FloatArray
from odevsr.errors import SimulationError
from odevsr.world.simulators.launch import Launch

MakeLaunch = Callable[[], Launch]
Answer = FloatArray | SimulationError


def answer(made: MakeLaunch | bytes, rows: FloatArray) -> Answer:
    """Where states end, of rows that are states and steps; a simulator's failure is an answer."""
    try:
        return _launcher(made)(rows[:, :-1].copy(), rows[:, -1].copy())
    except SimulationError as error:
        return error


@lru_cache(maxsize=2)
def _launcher(made: MakeLaunch | bytes) -> Launch:
    """The launcher of this process, made once."""
    make: MakeLaunch = pickle.loads(made) if isinstance(made, bytes) else made
    return make()
