"""Nothing is lost: `odevsr bench faults`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from odevsr.bench.faults.damages import damaged, equations
from odevsr.bench.faults.kills import main_killed, undisturbed, worker_killed
from odevsr.bench.faults.outcome import Outcome
from odevsr.bench.faults.places import disk_full, read_only, taken
from odevsr.bench.result import BenchResult, at_most

Fault = Callable[..., Outcome]


def bench_faults(count: int = 60, seed: int = 0, system: str = "lorenz") -> BenchResult:
    """Disturb runs of a system: `count` kills, as many damaged files, half as many full disks.

    A run that was disturbed must find, once it is resumed, what it finds undisturbed, or say which
    of its files is damaged.
    """
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        study = undisturbed(system, folder / "undisturbed")
        run = folder / "run"
        equations(system, run)
        faults: dict[str, Fault] = {
            "main process killed": partial(main_killed, study),
            "a worker killed": partial(worker_killed, study),
            "a file cut short": partial(damaged, system, run, flips=False),
            "a byte of a file flipped": partial(damaged, system, run, flips=True),
            "disk full": partial(disk_full, system),
            "read-only folder": partial(read_only, system),
            "folder taken": partial(taken, system),
        }
        half = {name: (count + index % 2) // 2 for index, name in enumerate(faults)}
        half |= {"read-only folder": 1, "folder taken": 1}
        rows = tuple(
            _row(name, fault, half[name], folder / str(index), np.random.default_rng([seed, index]))
            for index, (name, fault) in enumerate(faults.items())
        )
    lost = sum(int(row[each.value]) for row in rows for each in Outcome if not each.is_allowed)
    return BenchResult("faults", (at_most("runs that lost something", lost, 0),), rows)


def _row(
    name: str, fault: Fault, count: int, folder: Path, rng: np.random.Generator
) -> dict[str, str | int]:
    folder.mkdir()
    seen = Counter(fault(folder / str(number), rng=rng) for number in range(count))
    return {"fault": name, "runs": count, **{each.value: seen[each] for each in Outcome}}
