"""The paper's tables of algebraic expressions beside what is measured here.

Table 1 has the median NMSE on eight groups of expressions, Table 2 on those of 5 variables among n,
Table 3 the share that is recovered exactly. Measured are the default and the paper's own method
(`--preset paper`), on expressions drawn by the same rules (see `expressions`); the latter knows, as
in the paper, which operators they are made of, the default does not. Each measurement is
kept as soon as it is made: a full run that was stopped goes on where it was.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

import numpy as np

from odevsr.bench.paper.expressions import RULES, Group, drawn
from odevsr.bench.parallel import mapped
from odevsr.bench.result import BenchResult, Cell, Figure, at_least, at_most
from odevsr.discovery.discover import discover
from odevsr.language.evaluate import compile_field
from odevsr.settings import preset
from odevsr.verdict.equivalence import is_equivalent
from odevsr.world.atomic import written_aside
from odevsr.world.experiments.mesh import random_states
from odevsr.world.systems.system import System

FRESH = 256
STORED = Path("data/bench")
DEFAULT, PAPER = "odevsr", "odevsr, preset paper"
PRESETS = {DEFAULT: "fast", PAPER: "paper"}
BUDGETS = {DEFAULT: 60.0, PAPER: 300.0}
"""CPU seconds for one expression."""
EXPRESSIONS, SEEDS = 10, 2
RECOVERED = ((2, 1, 1), (3, 2, 2), (4, 4, 6), (5, 5, 5))
SHAPES = (*RECOVERED, (5, 5, 8), (6, 6, 8), (6, 6, 10), (8, 8, 12))
TOTALS = (10, 20, 30, 40, 50)
EIGHT = tuple(Group(*shape) for shape in SHAPES)
BEYOND = (
    Group(10, 10, 16),
    Group(10, 10, 20),
    *(Group(*shape, operators) for operators in ("1/x", "sin, cos, 1/x") for shape in SHAPES),
)
"""Groups that the paper does not have."""
LARGE = tuple(Group(5, 5, 5, total=total) for total in (*TOTALS, 200, 1000))
MOST_SECONDS = {200: 20.0, 1000: 120.0}
"""CPU seconds that an expression among so many variables may take."""

PUBLISHED_1: dict[str, tuple[float | str, ...]] = {
    "VSR-GP": (0.005, 0.028, 0.086, 0.014, 0.066, 0.066, 0.104, "T.O."),
    "GP": (7e-4, 0.023, 0.044, 0.063, 0.102, 0.127, 0.159, 0.872),
    "Eureqa": ("< 1e-6", "< 1e-6", 0.024, 0.158, 0.284, 0.433, 0.910, 0.162),
    "SPL": (0.006, 0.033, 0.144, 0.147, 0.307, 0.391, 0.472, 0.599),
    "E2ETransformer": (0.018, 0.0015, 0.030, 0.121, 0.072, 0.194, 0.142, 0.112),
    "DSR": ("< 1e-6", 0.008, 2.815, 2.558, 2.535, 0.936, 6.121, 0.335),
    "PQT": (0.020, 0.161, 2.381, 2.168, 2.482, 0.983, 5.750, 0.232),
    "VPG": (0.030, 0.277, 2.990, 1.903, 2.440, 0.900, 3.857, 0.451),
    "GPMeld": ("< 1e-6", 0.112, 1.670, 1.501, 2.422, 0.964, 7.393, "T.O."),
    "VSR-DPG": ("< 1e-6", "< 1e-6", "< 1e-6", "< 1e-6", 0.026, 0.063, 0.114, 0.101),
}
PUBLISHED_2: dict[str, tuple[float | str, ...]] = {
    "SPL": (0.386, 0.554, 0.554, 0.714, 0.815),
    "GP": (0.159, 0.172, 0.218, 0.229, 0.517),
    "DSR": (0.284, 0.521, 0.522, 0.660, 0.719),
    "VPG": (0.415, 0.695, 0.726, 0.726, 0.779),
    "PQT": (0.384, 0.488, 0.615, 0.620, 0.594),
    "VSR-DPG": ("< 1e-6", "< 1e-6", "< 1e-6", 0.002, 0.021),
}
PUBLISHED_3: dict[str, tuple[float | str, ...]] = {
    "SPL": (20.0, 10.0, 0.0, 0.0),
    "E2ETransformer": (0.0, 0.0, 0.0, 0.0),
    "VSR-GP": (60.0, 50.0, 0.0, 0.0),
    "VSR-DPG": (100.0, 70.0, 60.0, 40.0),
}
"""The paper's Tables 1 and 2 (median NMSE) and 3 (exact recovery in per cent)."""
Published = dict[str, tuple[float | str, ...]]


@dataclass(frozen=True)
class Job:
    """One expression for one method to find."""

    method: str
    group: Group
    number: int
    seed: int = 0


@dataclass(frozen=True)
class Measured:
    """What became of a job; `fits` are expressions whose constants were fitted."""

    job: Job
    nmse: float
    exact: bool
    status: str
    fits: int
    cpu_s: float


def bench_paper_table_1(
    quick: bool = False, full: bool = False, jobs: int = 1, folder: Path = STORED
) -> BenchResult:
    """Median NMSE and exact recovery, on the paper's eight groups and beyond them."""
    asked = [*_jobs(DEFAULT, (*EIGHT, *BEYOND), quick), *_jobs(PAPER, EIGHT, quick)]
    found = _kept("paper-table-1", asked, folder, jobs, measure=quick or full, keep=not quick)
    rows = [*_published(PUBLISHED_1, "median NMSE", EIGHT), *_rows(found, (*EIGHT, *BEYOND))]
    return BenchResult("paper-table-1", tuple(_default_figures(found)), tuple(rows))


def bench_paper_table_2(
    quick: bool = False, full: bool = False, jobs: int = 1, folder: Path = STORED
) -> BenchResult:
    """Median NMSE and CPU seconds where 5 of many variables matter."""
    asked = _jobs(DEFAULT, LARGE, quick)
    found = _kept("paper-table-2", asked, folder, jobs, measure=quick or full, keep=not quick)
    rows = [*_published(PUBLISHED_2, "median NMSE", LARGE), *_rows(found, LARGE)]
    figures = [*_default_figures(found), *_seconds_figures(found)]
    return BenchResult("paper-table-2", tuple(figures), tuple(rows))


def bench_paper_table_3(
    quick: bool = False, full: bool = False, jobs: int = 1, folder: Path = STORED
) -> BenchResult:
    """Exact recovery by the paper's own method and by default; Table 1 measures the same."""
    groups = EIGHT[: len(RECOVERED)]
    asked = [job for method in PRESETS for job in _jobs(method, groups, quick)]
    found = _kept("paper-table-1", asked, folder, jobs, measure=quick or full, keep=not quick)
    found = [each for each in found if each.job.group in groups]
    rows = [*_published(PUBLISHED_3, "exact, %", groups), *_rows(found, groups)]
    figures = [
        at_least(f"{PAPER}: {group.name} exact, %", _exact(own), float(published))
        for group, published in zip(groups, PUBLISHED_3["VSR-DPG"], strict=True)
        if (own := _of(found, PAPER, group))
    ]
    return BenchResult("paper-table-3", tuple(figures), tuple(rows))


def _jobs(method: str, groups: Sequence[Group], quick: bool) -> list[Job]:
    """All expressions and seeds of the groups; the first of each, of a few groups, if quick."""
    if quick:
        few = groups[:: 4 if method == DEFAULT else len(groups)]
        return [Job(method, group, 0) for group in few]
    numbers = range(EXPRESSIONS)
    return [
        Job(method, group, n, seed) for seed in range(SEEDS) for group in groups for n in numbers
    ]


def measured(job: Job) -> Measured:
    """Discover the expression and hold what was found to the truth on fresh points."""
    system = drawn(job.group, job.number)
    known = {"operators": RULES[job.group.operators]} if job.method == PAPER else {}
    settings = preset(PRESETS[job.method], most_seconds=BUDGETS[job.method], **known)
    began = time.process_time()
    found = discover(system, settings=settings, seed=job.seed).equations[0]
    cpu_s = time.process_time() - began
    truth = system.closed_equations()[0]
    exact = is_equivalent(found.expression, truth, system.names, system.box)
    nmse = _nmse(system, compile_field([found.expression, truth], system.names))
    return Measured(job, nmse, exact, found.status.value, found.candidates, round(cpu_s, 2))


def _nmse(system: System, laws: object) -> float:
    states = random_states(system.box, FRESH, np.random.default_rng(12345))
    ours, truth = laws(states).T  # type: ignore[operator]
    return float(np.mean((ours - truth) ** 2) / np.var(truth))


def _kept(
    name: str, asked: Sequence[Job], folder: Path, jobs: int, *, measure: bool, keep: bool
) -> list[Measured]:
    """The measurements asked for: those in the file, and with `measure` those that it lacks."""
    path = folder / f"{name}.json"
    found = {each.job: each for each in _read(path)} if keep else {}
    lacking = [job for job in asked if job not in found] if measure else []
    for each in mapped(measured, lacking, jobs) if lacking else ():
        found[each.job] = each
        if keep:
            _write(path, found.values())
    return [found[job] for job in asked if job in found]


def _read(path: Path) -> list[Measured]:
    if not path.exists():
        return []
    records = json.loads(path.read_text(encoding="utf-8"))
    return [
        Measured(Job(**(each.pop("job") | {"group": Group(**each.pop("group"))})), **each)
        for each in records
    ]


def _write(path: Path, found: Iterable[Measured]) -> None:
    records = []
    for each in found:
        record = asdict(each)
        group = record["job"].pop("group")
        records.append({"group": group, **record})
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(json.dumps(record) for record in records)
    with written_aside(path) as aside:
        aside.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def _published(
    figures: Published, measure: str, groups: Sequence[Group]
) -> Iterator[dict[str, Cell]]:
    for method, values in figures.items():
        for group, value in zip(groups, values, strict=False):
            yield _row(f"{method} (published)", group, **{measure: value})


def _rows(found: Sequence[Measured], groups: Sequence[Group]) -> Iterator[dict[str, Cell]]:
    for method in PRESETS:
        for group in groups:
            if own := _of(found, method, group):
                yield _row(
                    f"{method} (measured)",
                    group,
                    **{
                        "expressions": len(own),
                        "median NMSE": median(each.nmse for each in own),
                        "exact, %": _exact(own),
                        "median fits": median(each.fits for each in own),
                        "median CPU s": median(each.cpu_s for each in own),
                    },
                )


COLUMNS = ("expressions", "median NMSE", "exact, %", "median fits", "median CPU s")


def _row(method: str, group: Group, **cells: Cell) -> dict[str, Cell]:
    head: dict[str, Cell] = {"method": method, "group": group.name, "operators": group.operators}
    return head | {column: cells.get(column) for column in COLUMNS}


def _of(found: Sequence[Measured], method: str, group: Group) -> list[Measured]:
    return [each for each in found if each.job.method == method and each.job.group == group]


def _exact(found: Sequence[Measured]) -> float:
    return 100 * sum(each.exact for each in found) / len(found)


def _default_figures(found: Sequence[Measured]) -> Iterator[Figure]:
    ours = [each for each in found if each.job.method == DEFAULT]
    if ours:
        yield at_least(f"{DEFAULT}: exact, %", _exact(ours), 100)
        groups = {each.job.group for each in ours}
        worst = max(median(each.nmse for each in _of(ours, DEFAULT, group)) for group in groups)
        yield at_most(f"{DEFAULT}: largest median NMSE of a group", worst, 1e-12)
        false = sum(each.status == "identified" and not each.exact for each in found)
        yield at_most("false laws called identified", false, 0)


def _seconds_figures(found: Sequence[Measured]) -> Iterator[Figure]:
    for total, most in MOST_SECONDS.items():
        taken = [each.cpu_s for each in found if each.job.group.total == total]
        if taken:
            yield at_most(f"CPU s among {total} variables, median", median(taken), most)
