"""Every system of a folder, discovered with one default setting, beside simpler methods.

A law is exact if it is equivalent to the truth; its size over the truth's is that of its text over
that of the file's equation (see `odevsr.bench.size`). Baselines: polynomial least squares and SINDy
get the same number of states; the pure method is the paper's, a policy over the bare grammar.
"""

from __future__ import annotations

import math
import statistics
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from odevsr.bench.baselines import polynomial_is_exact, sindy_is_exact
from odevsr.bench.kinds import KINDS, kind_of
from odevsr.bench.parallel import mapped
from odevsr.bench.result import BenchResult, Cell, Figure, at_least, at_most
from odevsr.bench.size import written_size
from odevsr.discovery.discover import discover
from odevsr.errors import SystemFileError, UsageError
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Expression, variables
from odevsr.language.text import to_text
from odevsr.settings import Settings, changed, preset
from odevsr.verdict.equivalence import is_equivalent
from odevsr.vertical.equation import Status
from odevsr.world.box import Box, box_of, plain_box
from odevsr.world.experiments.mesh import random_states
from odevsr.world.simulators.sbml.file import is_sbml
from odevsr.world.simulators.sbml.study import open_model
from odevsr.world.systems.file import read_system
from odevsr.world.systems.system import System

Row = Mapping[str, Cell]

BUDGET = 120.0
DEFAULT = Settings(most_seconds=BUDGET)
LARGER = 1.5
SCORED_STATES = 1000
PRECISION, MEDIAN_SECONDS, MOST_STATES = 0.99, 1.0, 20_000
MEDIAN_SIZE, LARGEST_SIZE = 1.1, 1.6
FAILED = "failed"
GROUPED = {
    "dimension": "dimension {}",
    "variables": "variables in the law: {}",
    "decades": "decades of the widest range: {}",
}


@dataclass(frozen=True)
class FolderTreatment:
    """How each system of a folder is treated."""

    settings: Settings = DEFAULT
    seed: int = 0
    components: tuple[str, ...] | None = None
    pure: bool = False


@dataclass(frozen=True)
class EquationCase:
    """One equation to be found, of what is experimented on, and what it truly is."""

    target: System | Path
    name: str
    variable: str
    names: tuple[str, ...]
    box: Box
    truth: Expression


def bench_systems(
    folder: Path,
    jobs: int = 1,
    budget: float = BUDGET,
    seed: int = 0,
    components: Sequence[str] | None = None,
    pure: bool = False,
    share: float = 97.0,
    proposers: Sequence[str] | None = None,
) -> BenchResult:
    """Discover all systems of the folder; `share` is the percentage of exact laws to reach.

    `proposers` are those of the default, or only these.
    """
    files = sorted(path for path in folder.glob("*") if path.suffix == ".toml" or is_sbml(path))
    if not files:
        raise UsageError(f"{folder} holds no system files (*.toml, *.xml); give a folder that does")
    changes = {} if proposers is None else {"proposers": proposers}
    settings = changed(Settings(most_seconds=budget), changes)
    task = FolderTreatment(settings, seed, None if components is None else tuple(components), pure)
    rows: list[Row] = []
    for some in mapped(partial(rows_of_file, task=task), files, jobs):
        rows += some
        for row in some:
            said = f"{row['system']} {row['variable']}: {row['status']}, exact {row['exact']}"
            print(said, file=sys.stderr, flush=True)
    if not rows:
        raise UsageError(f"{folder} holds no equation that can be judged; give another folder")
    models = [path.stem for path in files if is_sbml(path)]
    totals = totals_of(rows, models)
    return BenchResult("systems", figures_of(rows, share / 100), tuple(rows), totals)


def rows_of_file(file: Path, task: FolderTreatment) -> list[Row]:
    """One row for each equation of a system file, or of a model in SBML, that can be judged."""
    try:
        cases = cases_of_model(file) if is_sbml(file) else cases_of_system(read_system(file))
    except SystemFileError as error:
        if not is_sbml(file):
            raise
        print(f"left out: {error}", file=sys.stderr, flush=True)
        return []
    names = task.components or list(cases)
    return [row_of(cases[name], task) for name in names if name in cases]


def cases_of_system(system: System) -> dict[str, EquationCase]:
    """Every equation of a system."""
    laws = dict(zip(system.names, system.closed_equations(), strict=True))
    return {
        name: EquationCase(system, system.name, name, system.names, system.box, laws[name])
        for name in system.components
    }


def cases_of_model(file: Path) -> dict[str, EquationCase]:
    """The equations of a model in SBML whose kinetics can be written; the others are told."""
    opened = open_model(file)
    for name, why in opened.kinetics.lacking.items():
        print(f"left out: {file.stem} {name}: {why}", file=sys.stderr, flush=True)
    box = box_of(each.range for each in opened.variables)
    return {
        name: EquationCase(file, file.stem, name, opened.names, box, law)
        for name, law in opened.closed_equations().items()
    }


def row_of(case: EquationCase, task: FolderTreatment) -> Row:
    """What was found for one variable, beside the truth and the baselines."""
    found = _outcome(case, task.settings, task.seed)
    states = int(found.get("states") or 0) or 1000
    baselines: dict[str, Cell] = {
        "polynomial": polynomial_is_exact(case.truth, case.names, case.box, states),
        "SINDy": sindy_is_exact(case.truth, case.names, case.box, states),
    }
    if task.pure:
        settings = preset("paper", most_seconds=task.settings.most_seconds)
        baselines["pure"] = _outcome(case, settings, task.seed)["exact"]
    head: dict[str, Cell] = {
        "system": case.name,
        "variable": case.variable,
        "kind": kind_of(case.truth),
        "dimension": len(case.names),
        "variables": len(variables(case.truth)),
        "decades": decades(case.box),
    }
    form = found.pop("form")
    return head | found | baselines | {"form": form}


def _outcome(case: EquationCase, settings: Settings, seed: int) -> dict[str, Cell]:
    """Exactness, status, scores and cost of one discovery; a bug counts as a failure of its own."""
    wanted, truth = [case.variable], case.truth
    try:
        found = discover(case.target, components=wanted, settings=settings, seed=seed).equations[0]
    except Exception as error:
        nothing = dict.fromkeys(("R2", "R2 at 1.5", "states", "CPU s", "size", "size over truth's"))
        cause = f"{type(error).__name__}: {error}"
        return {"exact": False, "status": FAILED, **nothing, "form": cause}
    law = found.expression
    size = written_size(law)
    return {
        "exact": is_equivalent(law, truth, case.names, case.box),
        "status": found.status.value,
        "R2": score(law, case, 1.0),
        "R2 at 1.5": score(law, case, LARGER),
        "states": found.cost.states,
        "CPU s": found.elapsed_s,
        "size": size,
        "size over truth's": size / written_size(truth),
        "form": to_text(law),
    }


def decades(box: Box) -> int:
    """How many powers of ten the widest range spans; 0 for ranges that hold nought."""
    sizes = np.abs(box.limits[box.low * box.high > 0])
    ratios = sizes.max(axis=1) / sizes.min(axis=1) if len(sizes) else np.ones(1)
    return math.floor(math.log10(ratios.max()) + 1e-9)


def score(law: Expression, case: EquationCase, enlarged: float) -> float | None:
    """R2 of the law in ranges enlarged by a factor, as far as the truth has values there."""
    limits = case.box.limits
    middle = limits.mean(axis=1, keepdims=True)
    box = plain_box(middle + enlarged * (limits - middle))
    states = random_states(box, SCORED_STATES, np.random.default_rng(0))
    true, predicted = compile_field([case.truth, law], case.names)(states).T
    usable = np.isfinite(true)
    spread = float(np.sum((true[usable] - np.mean(true[usable])) ** 2)) if usable.any() else 0.0
    missed = float(np.sum((true[usable] - predicted[usable]) ** 2))
    if spread == 0.0:
        return 1.0 if missed == 0.0 else None
    result = 1 - missed / spread
    return result if np.isfinite(result) else None


def figures_of(rows: Sequence[Row], share: float) -> tuple[Figure, ...]:
    """What was promised: exact laws, no wrong one called identified, cheaply."""
    identified = [row for row in rows if row["status"] == Status.IDENTIFIED.value]
    precision = _share(identified) if identified else 1.0
    sizes = _numbers([row for row in rows if row["exact"]], "size over truth's")
    return (
        at_least("share of laws that are exact", _share(rows), share),
        at_least("share of identified laws that are exact", precision, PRECISION),
        at_most("median CPU s", statistics.median(_numbers(rows, "CPU s")), MEDIAN_SECONDS),
        at_most("most states for a law", max(_numbers(rows, "states")), MOST_STATES),
        at_most(
            "median size of exact laws over the truth's", statistics.median(sizes), MEDIAN_SIZE
        ),
        at_most("largest size of exact laws over the truth's", max(sizes), LARGEST_SIZE),
    )


def totals_of(rows: Sequence[Row], models: Sequence[str] = ()) -> tuple[Row, ...]:
    """Exact laws, ours and the baselines': by model, kind, dimension, variables, decades."""
    groups = [(model, [row for row in rows if row["system"] == model]) for model in models]
    groups += [(kind, [row for row in rows if row["kind"] == kind]) for kind in KINDS]
    for key, name in GROUPED.items():
        values = sorted({str(row[key]) for row in rows}, key=int)
        groups += [(name.format(n), [row for row in rows if str(row[key]) == n]) for n in values]
    groups.append(("all", list(rows)))
    return tuple(_total(name, chosen) for name, chosen in groups if chosen)


def _total(name: str, rows: Sequence[Row]) -> Row:
    methods = [method for method in ("polynomial", "SINDy", "pure") if method in rows[0]]
    others = {method: sum(bool(row[method]) for row in rows) for method in methods}
    called = [row for row in rows if row["status"] == Status.IDENTIFIED.value]
    return {
        "group": name,
        "laws": len(rows),
        "exact": sum(bool(row["exact"]) for row in rows),
        "identified": len(called),
        "false": sum(not row["exact"] for row in called),
        **others,
        "median CPU s": statistics.median(_numbers(rows, "CPU s")),
        "CPU s": sum(_numbers(rows, "CPU s")),
    }


def _share(rows: Sequence[Row]) -> float:
    return sum(bool(row["exact"]) for row in rows) / len(rows)


def _numbers(rows: Iterable[Row], key: str) -> list[float]:
    """The numbers of a column; where all failed, not a number, which keeps no target."""
    values = [float(value) for row in rows if isinstance(value := row[key], int | float)]
    return values or [float("nan")]
