"""Laws from one noisy run each, and whether they hold for another: a folder of recorded systems.

Each file holds runs of one system without noise. Every run is given alone, with noise that is a
share sigma of each value and a share rho of the samples removed; the other run tells whether the
laws generalise. At the noise named in `TOGETHER` both runs are also given at once.
"""

from __future__ import annotations

import json
import re
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from odevsr.bench.parallel import mapped
from odevsr.bench.recorded_scores import is_exact, reconstructs
from odevsr.bench.result import BenchResult, Cell, Figure, at_least, at_most
from odevsr.errors import UsageError
from odevsr.language.expression import Expression
from odevsr.language.text import to_text
from odevsr.recorded.discover import discover_recordings
from odevsr.settings import Settings
from odevsr.vertical.equation import Equation, Status
from odevsr.world.box import Box, plain_box
from odevsr.world.recordings.files import read_recordings
from odevsr.world.recordings.runs import Recordings, Run
from odevsr.world.systems.file import read_system
from odevsr.world.systems.system import System

Row = Mapping[str, Cell]

TARGETS = {
    "0:0": (0.98, 0.90, 0.82, 0.99),
    "0.01:0": (0.97, 0.82, 0.65, 0.97),
    "0.05:0": (0.93, 0.66, 0.50, 0.95),
    "0.05:0.5": (0.90, 0.60, 0.40, 0.95),
}
"""Cells as sigma:rho, and what to reach in them: shares of runs whose motion is reconstructed, that
generalise, of systems found exactly, and of exact laws among those identified."""
TOGETHER, TOGETHER_EXACT = "0.05:0", 0.65
NAMED = 0.8
"""Share of the laws that are not exact at that noise which are undecided and name the truth."""
MEDIAN_SECONDS, MOST_SECONDS = 5.0, 60.0
EVERY, QUICK_CELLS = 3, ("0:0", "0.05:0")
"""In a quick bench every third system is looked at, in these cells and with one seed."""


@dataclass(frozen=True)
class Task:
    """One discovery to be made."""

    recording: Path
    truth: Path
    cell: str
    seed: int
    given: tuple[int, ...]
    """Which of the runs."""

    @property
    def key(self) -> str:
        """What tells it from the others, in a file of results."""
        runs = "+".join(map(str, self.given))
        return f"{self.recording.stem} {self.cell} seed {self.seed} run {runs}"


def bench_recordings(
    folder: Path,
    truth: Path | None = None,
    seeds: int = 3,
    cells: Sequence[str] = tuple(TARGETS),
    jobs: int = 1,
    memory: Path | None = None,
    quick: bool = False,
) -> BenchResult:
    """Discover every system from each of its runs, in each cell, with this many seeds.

    `truth` is the folder of the systems' files, `systems` beside the folder if none is named.
    Results are kept in the file `memory`, if there is one, and not measured again.
    """
    truths = truth or folder.parent / "systems"
    _check(cells)
    if quick:
        seeds, cells = 1, [cell for cell in cells if cell in QUICK_CELLS]
    files = _files(folder, truths)[:: EVERY if quick else 1]
    tasks = list(_tasks(files, truths, cells, range(seeds)))
    known = _remembered(memory)
    rows = [known[task.key] for task in tasks if task.key in known]
    for row in mapped(row_of, [task for task in tasks if task.key not in known], jobs):
        rows.append(row)
        known[str(row["task"])] = row
        if memory is not None:
            memory.write_text(json.dumps(list(known.values()), indent=1), encoding="utf-8")
        print(f"{row['task']}: exact {row['exact']}", file=sys.stderr, flush=True)
    return BenchResult("recordings", figures_of(rows), tuple(rows), totals_of(rows))


def _check(cells: Sequence[str]) -> None:
    for cell in cells:
        if not re.fullmatch(r"\d*\.?\d+:\d*\.?\d+", cell):
            raise UsageError(f"a cell is noise:share removed, such as 0.05:0.5, not {cell!r}")


def _files(folder: Path, truths: Path) -> list[Path]:
    files = [path for path in sorted(folder.glob("*.csv")) if _truth(path, truths).is_file()]
    if not files:
        raise UsageError(f"{folder} has no .csv whose system is in {truths}; name it with --truth")
    return files


def _truth(recording: Path, truths: Path) -> Path:
    return truths / f"{recording.stem}.toml"


def _tasks(
    files: Sequence[Path], truths: Path, cells: Sequence[str], seeds: Sequence[int]
) -> Iterator[Task]:
    for cell in cells:
        for seed in seeds if float(cell.split(":")[0]) or float(cell.split(":")[1]) else [0]:
            for path in files:
                both = [(0, 1)] if cell == TOGETHER else []
                for given in [(0,), (1,), *both]:
                    yield Task(path, _truth(path, truths), cell, seed, given)


def _remembered(memory: Path | None) -> dict[str, Row]:
    if memory is None or not memory.is_file():
        return {}
    return {row["task"]: row for row in json.loads(memory.read_text(encoding="utf-8"))}


def row_of(task: Task) -> Row:
    """What was found for one task, and how it scores."""
    clean, system = read_recordings(task.recording), read_system(task.truth)
    given = spoilt(clean, task)
    began = time.process_time()
    found = discover_recordings(given, Settings(), seed=task.seed)
    seconds = time.process_time() - began
    box = _box(clean)
    laws = [each.expression for each in found.equations]
    exact = _exact(laws, system, box)
    others = [k for k in range(len(clean.runs)) if k not in task.given] or list(task.given)
    return {
        "task": task.key,
        "cell": task.cell,
        "runs": len(task.given),
        "dimension": len(clean.names),
        "reconstructs": all(reconstructs(laws, clean.names, clean.runs[k]) for k in task.given),
        "generalises": all(reconstructs(laws, clean.names, clean.runs[k]) for k in others),
        "exact": all(exact),
        "laws": len(laws),
        "identified": sum(each.status is Status.IDENTIFIED for each in found.equations),
        "identified, exact": sum(
            each.status is Status.IDENTIFIED and good
            for each, good in zip(found.equations, exact, strict=True)
        ),
        "not exact": sum(not good for good in exact),
        "not exact, truth named": _named(found.equations, exact, system, box),
        "CPU s": seconds,
        "found": "; ".join(to_text(law) for law in laws),
    }


def spoilt(clean: Recordings, task: Task) -> Recordings:
    """The runs given, with the noise and the gaps of the cell."""
    sigma, rho = map(float, task.cell.split(":"))
    number = int(re.sub(r"\D", "", task.recording.stem) or 0)
    runs = []
    for k in task.given:
        run = clean.runs[k]
        rng = np.random.default_rng([task.seed, number, k])
        states = run.states * (1 + sigma * rng.standard_normal(run.states.shape))
        kept = rng.random(len(run.times)) >= rho
        runs.append(Run(run.name, run.times[kept], states[kept], run.inputs[kept]))
    return Recordings(clean.names, tuple(runs), source=clean.source)


def _box(clean: Recordings) -> Box:
    states = np.concatenate([run.states for run in clean.runs])
    return plain_box(np.stack([states.min(axis=0), states.max(axis=0)], axis=1))


def _exact(laws: Sequence[Expression], system: System, box: Box) -> list[bool]:
    truths = system.closed_equations()
    return [
        is_exact(law, truth, system.names, box) for law, truth in zip(laws, truths, strict=True)
    ]


def _named(equations: Sequence[Equation], exact: Sequence[bool], system: System, box: Box) -> int:
    """How many laws that are not exact are undecided and have the truth among their rivals."""
    return sum(
        equation.status is Status.UNDECIDED
        and any(
            is_exact(each.expression, truth, system.names, box) for each in equation.alternatives
        )
        for equation, truth, good in zip(equations, system.closed_equations(), exact, strict=True)
        if not good
    )


def totals_of(rows: Sequence[Row]) -> tuple[Row, ...]:
    """A row for each cell, one run given or both."""
    kinds = dict.fromkeys((str(row["cell"]), _number(row, "runs")) for row in rows)
    return tuple(
        _total(cell, int(runs), [r for r in rows if (r["cell"], r["runs"]) == (cell, runs)])
        for cell, runs in kinds
    )


def _total(cell: str, runs: int, rows: Sequence[Row]) -> Row:
    def share(key: str, of: str) -> float | None:
        whole = sum(_number(row, of) for row in rows)
        return sum(_number(row, key) for row in rows) / whole if whole else None

    def mean(key: str) -> float:
        return statistics.fmean(_number(row, key) for row in rows)

    return {
        "cell": cell,
        "runs": runs,
        "discoveries": len(rows),
        "reconstructs": mean("reconstructs"),
        "generalises": mean("generalises"),
        "exact": mean("exact"),
        "identified": share("identified", "laws"),
        "of identified exact": share("identified, exact", "identified"),
        "of not exact named": share("not exact, truth named", "not exact"),
        "median CPU s": statistics.median(_number(row, "CPU s") for row in rows),
        "most CPU s": max(_number(row, "CPU s") for row in rows),
    }


def figures_of(rows: Sequence[Row]) -> tuple[Figure, ...]:
    """For each cell what was reached, and what it took in all."""
    figures: list[Figure] = []
    for total in totals_of(rows):
        cell, runs = str(total["cell"]), int(_number(total, "runs"))
        keys = ("reconstructs", "generalises", "exact", "of identified exact")
        if runs == 1 and cell in TARGETS:
            figures += [
                at_least(f"{cell}: {key}", _share(total, key), target)
                for key, target in zip(keys, TARGETS[cell], strict=True)
            ]
        if cell == TOGETHER and runs == 1:
            share = _share(total, "of not exact named")
            figures.append(at_least(f"{cell}: of not exact, truth among rivals", share, NAMED))
        if runs == 2:
            share = _share(total, "exact")
            figures.append(at_least(f"{cell}: exact from both runs", share, TOGETHER_EXACT))
    seconds = [_number(row, "CPU s") for row in rows] or [0.0]
    figures.append(at_most("median CPU s", statistics.median(seconds), MEDIAN_SECONDS))
    figures.append(at_most("most CPU s", max(seconds), MOST_SECONDS))
    return tuple(figures)


def _share(total: Row, key: str) -> float:
    """A share of nothing is whole."""
    value = total[key]
    return 1.0 if value is None else float(value)


def _number(row: Row, key: str) -> float:
    return float(row[key] or 0)
