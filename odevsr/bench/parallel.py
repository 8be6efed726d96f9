"""Work for a bench in several processes, none of which pays for loading what it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import TypeVar

from odevsr.discovery.discover import discover
from odevsr.discovery.processes import own_processes
from odevsr.world.systems.registry import get_system

Item = TypeVar("Item")
Result = TypeVar("Result")


def mapped(
    work: Callable[[Item], Result], items: Sequence[Item], jobs: int = 1
) -> Iterator[Result]:
    """What the work makes of each item, in their order, whatever the number of processes."""
    warm = partial(_warm, work)
    if jobs == 1:
        yield from map(warm, items)
        return
    with own_processes(jobs) as pool:
        yield from pool.map(warm, items)


def _warm(work: Callable[[Item], Result], item: Item) -> Result:
    warm_up()
    return work(item)


@cache
def warm_up() -> None:
    """Load and compile everything once, so that no equation pays for it."""
    discover(get_system("pendulum"))
