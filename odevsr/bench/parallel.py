"""Work for a bench in several processes, none of which pays for loading what it needs."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

from odevsr.discovery.discover import discover
from odevsr.world.systems.registry import get_system

Item = TypeVar("Item")
Result = TypeVar("Result")


def mapped(
    work: Callable[[Item], Result], items: Sequence[Item], jobs: int = 1
) -> Iterator[Result]:
    """What the work makes of each item, in their order, whatever the number of processes."""
    if jobs == 1:
        warm_up()
        yield from map(work, items)
        return
    spawning = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=spawning, initializer=warm_up) as pool:
        yield from pool.map(work, items)


def warm_up() -> None:
    """Load and compile everything once, so that no equation pays for it."""
    discover(get_system("pendulum"))
