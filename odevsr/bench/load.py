"""What does not grow: `odevsr bench load`.

Discoveries in one process, one after the other, each with a folder; files of many trajectories.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from odevsr.bench.result import BenchResult, Cell, Figure, at_most
from odevsr.discovery.discover import discover
from odevsr.errors import UsageError
from odevsr.world.trajectories.recording import Recording, record
from odevsr.world.trajectories.store import list_trajectories, save_trajectories

SYSTEM = "pendulum"
WARM = 0.2
"""Share of the discoveries after which what is loaded once is loaded."""
MOST_GROWTH = 0.1
"""Megabytes a discovery by which memory may grow: 1,000 of them fit into any machine."""
TRAJECTORIES = (1000, 10_000)
LISTED = 1_000_000
"""Trajectories of a file that is only listed."""
LINEAR = 1.5
"""How much dearer a trajectory may be in the largest file than in the smallest."""


@dataclass(frozen=True)
class Held:
    """What this process holds."""

    megabytes: float
    threads: int
    handles: int


def bench_load(count: int = 200) -> BenchResult:
    """So many discoveries in this process, then files of thousands of trajectories."""
    if not Path("/proc/self/statm").exists():
        raise UsageError("bench load looks into /proc, as Linux has it; run it there")
    with TemporaryDirectory() as scratch:
        figures, rows = _discoveries(count, Path(scratch))
        more_figures, more_rows = _files(Path(scratch))
    return BenchResult("load", figures + more_figures, rows + more_rows)


def held() -> Held:
    """What this process holds now, as Linux tells it."""
    import resource

    pages = int(Path("/proc/self/statm").read_text().split()[1])
    handles = len(list(Path("/proc/self/fd").iterdir()))
    return Held(pages * resource.getpagesize() / 1e6, threading.active_count(), handles)


def _discoveries(
    count: int, folder: Path
) -> tuple[tuple[Figure, ...], tuple[dict[str, Cell], ...]]:
    before = held()
    warm = int(WARM * count)
    for number in range(count):
        if number == warm:
            before = held()
        discover(SYSTEM, seed=number, out=folder / str(number))
    after, rest = held(), max(count - warm, 1)
    growth = (after.megabytes - before.megabytes) / rest
    figures = (
        at_most("MB that a discovery leaves behind", growth, MOST_GROWTH),
        at_most("threads left behind", after.threads - before.threads, 0),
        at_most("handles left behind", after.handles - before.handles, 0),
    )
    rows = ((warm, before), (count, after))
    return figures, tuple(_row(f"{number} discoveries", **vars(each)) for number, each in rows)


def _files(folder: Path) -> tuple[tuple[Figure, ...], tuple[dict[str, Cell], ...]]:
    """What it takes to append trajectories one by one, and to list them."""
    one = record(SYSTEM, 1, 0, command="odevsr", duration=0.5, step=0.01)
    taken = {count: _appended_and_listed(one, count, folder) for count in TRAJECTORIES}
    least, most = TRAJECTORIES[0], TRAJECTORIES[-1]
    figures = tuple(
        at_most(f"{what} {most:,} trajectories, each, over that of {least:,}",
                taken[most][index] * least / (taken[least][index] * most), LINEAR)
        for index, what in enumerate(("appending", "listing"))
    )  # fmt: skip
    rows = [
        _row(f"{count} trajectories", append_s=append, list_s=listing)
        for count, (append, listing) in taken.items()
    ]
    many = _written(
        record(SYSTEM, 1, 0, command="odevsr", duration=0.02, step=0.01), LISTED, folder
    )
    rows.append(_row(f"{LISTED} trajectories", list_s=_seconds(lambda: list_trajectories(many))))
    return figures, tuple(rows)


def _appended_and_listed(one: Recording, count: int, folder: Path) -> tuple[float, float]:
    """CPU seconds to append so many trajectories, one by one, and to list them."""
    path = folder / f"appended {count}.h5"

    def append() -> None:
        for _ in range(count):
            save_trajectories(path, one, append=True)

    return _seconds(append), _seconds(lambda: list_trajectories(path))


def _written(one: Recording, count: int, folder: Path) -> Path:
    """A file of so many trajectories."""
    path = folder / f"{count}.h5"
    many = replace(one, trajectories=one.trajectories * count, seeds=one.seeds * count)
    save_trajectories(path, many)
    return path


def _seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _row(what: str, **known: float) -> dict[str, Cell]:
    columns = ("megabytes", "threads", "handles", "append_s", "list_s")
    return {"after": what, **{name: known.get(name) for name in columns}}
