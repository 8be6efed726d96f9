"""Laws from one noisy run each, and whether they hold for another: a folder of recorded systems.

Each file holds runs of one system without noise, or the system, whose runs are simulated. Every run
is given alone, with noise that is a share sigma of each value, a share rho of the samples removed
and, where a cell has a third number, so many digits; the other run tells whether the laws
generalise. At the noise named in `TOGETHER` both runs are also given at once.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.bench.parallel import mapped
from odevsr.bench.recorded.scores import has_structure, is_alike, is_exact, reconstructs
from odevsr.bench.recorded_figures import SINDYS, TARGETS, TOGETHER, Row, figures_of, totals_of
from odevsr.bench.result import BenchResult, Cell
from odevsr.errors import UsageError
from odevsr.language.expression import Expression
from odevsr.language.text import to_text
from odevsr.recorded.discover import discover_recordings
from odevsr.vertical.equation import Equation, Status
from odevsr.world.box import Box, plain_box
from odevsr.world.recordings.files import read_recordings
from odevsr.world.recordings.runs import Recordings, Run
from odevsr.world.systems.file import read_system
from odevsr.world.systems.system import System
from odevsr.world.trajectories.simulate import simulate_many

EVERY, QUICK_CELLS = 3, ("0:0", "0.05:0")
"""In a quick bench every third system is looked at, in these cells and with one seed."""
SAMPLES = 512
"""Of a simulated run, which is as long as the system's own simulation."""


@dataclass(frozen=True)
class RecordedTask:
    """One discovery to be made."""

    recording: Path
    """A recording or, if it is the truth itself, a system to be simulated."""
    truth: Path
    cell: str
    seed: int
    given: tuple[int, ...]
    """Which of the runs."""
    sindy: bool = False
    """Whether SINDy is given them, too."""

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
    sindy: bool = False,
) -> BenchResult:
    """Discover every system from each of its runs, in each cell, with this many seeds.

    `truth` is the folder of the systems' files, `systems` beside the folder if none is named.
    Results are kept in the file `memory`, if there is one, and not measured again. With `sindy`,
    SINDy and weak SINDy are given the same runs.
    """
    _check(cells)
    if quick:
        seeds, cells = 1, [cell for cell in cells if cell in QUICK_CELLS]
    files = _files(folder, truth or folder.parent / "systems")[:: EVERY if quick else 1]
    tasks = list(_tasks(files, cells, range(seeds), sindy))
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
        if not re.fullmatch(r"\d*\.?\d+:\d*\.?\d+(:[1-9]\d?)?", cell):
            raise UsageError(
                "a cell is noise:share removed, such as 0.05:0.5, or 0:0:6 with six digits, "
                f"not {cell!r}"
            )


def _files(folder: Path, truths: Path) -> list[tuple[Path, Path]]:
    """Recordings with their systems, or else all systems that move, each with itself."""
    pairs = [(path, truths / f"{path.stem}.toml") for path in sorted(folder.glob("*.csv"))]
    files = [(path, truth) for path, truth in pairs if truth.is_file()]
    if not pairs:
        systems = sorted(folder.glob("*.toml"))
        files = [(path, path) for path in systems if read_system(path).kind.moves]
    if not files:
        raise UsageError(
            f"{folder} has no .csv whose system is in {truths}, and no system files of its own; "
            "name the folder of systems with --truth"
        )
    return files


def _tasks(
    files: Sequence[tuple[Path, Path]], cells: Sequence[str], seeds: Sequence[int], sindy: bool
) -> Iterator[RecordedTask]:
    for cell in cells:
        for seed in seeds if float(cell.split(":")[0]) or float(cell.split(":")[1]) else [0]:
            for path, truth in files:
                both = [(0, 1)] if cell == TOGETHER else []
                for given in [(0,), (1,), *both]:
                    yield RecordedTask(path, truth, cell, seed, given, sindy)


def _remembered(memory: Path | None) -> dict[str, Row]:
    if memory is None or not memory.is_file():
        return {}
    return {row["task"]: row for row in json.loads(memory.read_text(encoding="utf-8"))}


def row_of(task: RecordedTask) -> Row:
    """What was found for one task, and how it scores."""
    system = read_system(task.truth)
    is_recorded = task.recording != task.truth
    clean = read_recordings(task.recording) if is_recorded else simulated(system)
    given = spoilt(clean, task)
    began = time.process_time()
    found = discover_recordings(given, seed=task.seed)
    seconds = time.process_time() - began
    laws = [each.expression for each in found.equations]
    exact = _exact(laws, system, _box(clean))
    return {
        "task": task.key,
        "cell": task.cell,
        "runs": len(task.given),
        "dimension": len(clean.names),
        **_scores(laws, exact, clean, task.given),
        "laws": len(laws),
        "identified": sum(each.status is Status.IDENTIFIED for each in found.equations),
        "identified, exact": sum(
            each.status is Status.IDENTIFIED and good
            for each, good in zip(found.equations, exact, strict=True)
        ),
        "not exact": sum(not good for good in exact),
        "not exact, truth named": _named(found.equations, exact, system, _box(clean), is_exact),
        "not exact, structure named": _named(
            found.equations, exact, system, _box(clean), has_structure
        ),
        "CPU s": seconds,
        "found": "; ".join(to_text(law) for law in laws),
        **(_sindy_scores(task, given, clean, system) if task.sindy else {}),
    }


def _scores(
    laws: Sequence[Expression], exact: Sequence[bool], clean: Recordings, given: Sequence[int]
) -> dict[str, Cell]:
    """How laws do on the runs they are from, on the others, and as a whole."""
    others = [k for k in range(len(clean.runs)) if k not in given] or list(given)
    return {
        "reconstructs": all(reconstructs(laws, clean.names, clean.runs[k]) for k in given),
        "generalises": all(reconstructs(laws, clean.names, clean.runs[k]) for k in others),
        "exact": all(exact),
    }


def _sindy_scores(task: RecordedTask, given: Recordings, clean: Recordings, system: System) -> Row:
    """The same of SINDy and weak SINDy, which are told whether the truth has sines."""
    from odevsr.verdict.recordings.sindy import sindy_laws, smoothed

    runs = [smoothed(run) for run in given.runs]
    row: dict[str, Cell] = {}
    for name, weak in SINDYS.items():
        laws = sindy_laws(given, runs, system.closed_equations(), weak=weak)
        scores = _scores(laws, _exact(laws, system, _box(clean)), clean, task.given)
        row |= {f"{name} {key}": value for key, value in scores.items()}
    return row


def simulated(system: System) -> Recordings:
    """Two runs of a system, from its own start and from a random one."""
    duration = system.simulation.duration
    rng, step = np.random.default_rng(0), duration / (SAMPLES - 1)
    pair = simulate_many(system, 2, rng, duration=duration, step=step)
    runs = [
        Run(str(k), each.time, each.states, np.empty((len(each.time), 0)))
        for k, each in enumerate(pair)
    ]
    return Recordings(system.names, tuple(runs), source=system.name)


def spoilt(clean: Recordings, task: RecordedTask) -> Recordings:
    """The runs given, with the noise and the gaps of the cell, and with its digits."""
    sigma, rho, *digits = map(float, task.cell.split(":"))
    number = int(re.sub(r"\D", "", task.recording.stem) or 0)
    runs = []
    for k in task.given:
        run = clean.runs[k]
        rng = np.random.default_rng([task.seed, number, k])
        states = run.states * (1 + sigma * rng.standard_normal(run.states.shape))
        states = states if not digits else _rounded(states, int(digits[0]))
        kept = rng.random(len(run.times)) >= rho
        runs.append(Run(run.name, run.times[kept], states[kept], run.inputs[kept]))
    return Recordings(clean.names, tuple(runs), source=clean.source)


def _rounded(states: FloatArray, digits: int) -> FloatArray:
    written = [float(f"{value:.{digits}g}") for value in states.ravel().tolist()]
    return np.array(written).reshape(states.shape)


def _box(clean: Recordings) -> Box:
    states = np.concatenate([run.states for run in clean.runs])
    return plain_box(np.stack([states.min(axis=0), states.max(axis=0)], axis=1))


def _exact(laws: Sequence[Expression], system: System, box: Box) -> list[bool]:
    truths = system.closed_equations()
    return [
        is_exact(law, truth, system.names, box) for law, truth in zip(laws, truths, strict=True)
    ]


def _named(
    equations: Sequence[Equation],
    exact: Sequence[bool],
    system: System,
    box: Box,
    is_true: Callable[[Expression, Expression, Sequence[str], Box], bool],
) -> int:
    """How many laws that are not exact are undecided and have the truth among their rivals."""
    return sum(
        equation.status is Status.UNDECIDED
        and any(
            is_true(each.expression, truth, system.names, box)
            for each in equation.alternatives
            if is_alike(each.expression, truth)
        )
        for equation, truth, good in zip(equations, system.closed_equations(), exact, strict=True)
        if not good
    )
