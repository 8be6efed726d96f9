"""Every searcher on one engine, with as many sequences each: which part of the method does what.

All stand behind one protocol (`sample`, `learn`), get their candidates fitted by the same engine
and have the same seeds and batches. Vertical: rounds of controlled experiments, with joint
expansion unless they factor. Horizontal: one search over all variables at once, on states drawn
from the whole box. What each part adds is the share of laws found with it, less that without it.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median

import numpy as np

from odevsr.bench.paper.algebraic import FRESH, STORED
from odevsr.bench.paper.expressions import Group, drawn
from odevsr.bench.result import BenchResult, Cell, Figure, at_least
from odevsr.discovery.discover import discover
from odevsr.evidence.agreement import Agreement
from odevsr.evidence.controlled import Controlled, make_controlled
from odevsr.evidence.form import fitted_forms
from odevsr.fitting.fit import EVERY_TRIAL, start_multipliers
from odevsr.language.drawing.grammar import make_grammar
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Expression, Number, with_constants
from odevsr.limits import DEFAULT_LIMITS
from odevsr.search.loop import search
from odevsr.search.proposer import REWARDS, PolicyProposer
from odevsr.search.tiers import make_policy
from odevsr.settings import Settings, preset
from odevsr.verdict.equivalence import is_equivalent
from odevsr.world.experiments.mesh import random_states
from odevsr.world.sample import Sample
from odevsr.world.systems.system import System

DEFAULT = "odevsr"
EQUAL = {"epochs": 8, "batch": 512, "attempts": 1, "most_seconds": 60.0}
"""The same for all but the default, which is as it is."""
JOINT = Settings(rules="weighted", expansion="joint", queue=0, **EQUAL)  # type: ignore[arg-type]
FACTORED = Settings(**EQUAL)  # type: ignore[arg-type]
UNSCREENED = replace(DEFAULT_LIMITS, noticeable=-1.0)
"""Every variable counts as one that matters."""
SEARCHERS = {
    DEFAULT: Settings(),
    "preset paper: policy gradient against the mean": preset("paper", **EQUAL),
    "preset paper without screening": preset("paper", limits=UNSCREENED, **EQUAL),
    "policy gradient, risk-seeking": replace(JOINT, proposers=("lstm",)),
    "policy gradient, risk-seeking with queue": replace(JOINT, proposers=("lstm",), queue=10),
    "policy gradient, factored": replace(FACTORED, proposers=("lstm",)),
    "trained policy, factored": replace(FACTORED, proposers=("trained",)),
    "probabilistic grammar, factored": replace(FACTORED, proposers=("uniform",)),
    "catalogue alone": replace(FACTORED, proposers=("readings", "catalogue")),
    "probabilistic grammar": replace(JOINT, proposers=("uniform",)),
    "genetic programming": replace(JOINT, proposers=("genetic",)),
    "genetic programming on a policy's draws": replace(JOINT, proposers=("melded",), queue=10),
    "Monte Carlo tree search": replace(JOINT, proposers=("tree",)),
}
PARTS = (
    (
        "screening",
        "preset paper: policy gradient against the mean",
        "preset paper without screening",
    ),
    ("factoring", "policy gradient, factored", "policy gradient, risk-seeking with queue"),
    ("training", "trained policy, factored", "policy gradient, factored"),
    ("learning", "policy gradient, factored", "probabilistic grammar, factored"),
    ("a policy's draws", "genetic programming on a policy's draws", "genetic programming"),
    ("catalogue and readings", DEFAULT, "policy gradient, factored"),
    ("sampling", DEFAULT, "catalogue alone"),
)
"""Parts of the method, who has them, and who is the same without."""
QUICK = (Group(2, 1, 1), Group(3, 2, 2), Group(2, 1, 1, total=5))
FULL = (*QUICK, Group(4, 4, 6), Group(5, 5, 5))
NUMBERS = 5
POINTS, STARTS, ERROR = 256, 16, 1e-10


@dataclass(frozen=True)
class Job:
    """One expression for one searcher, by rounds or all at once."""

    searcher: str
    way: str
    group: Group
    number: int


@dataclass(frozen=True)
class Measured:
    """What became of a job."""

    job: Job
    nmse: float
    exact: bool
    fits: int
    cpu_s: float


def bench_searchers(quick: bool = False, full: bool = False, folder: Path = STORED) -> BenchResult:
    """The kept results; `quick` measures three expressions for each, `full` all that lack."""
    path = folder / "searchers.json"
    found = {each.job: each for each in _read(path)}
    for job in _jobs(quick=quick) if quick or full else ():
        if job not in found:
            found[job] = measured(job)
            _write(path, found.values())
            print(f"{job}: {found[job].nmse:.1e}", file=sys.stderr, flush=True)
    rows = tuple(_rows(list(found.values())))
    return BenchResult("searchers", tuple(_figures(rows)), rows)


def _jobs(*, quick: bool) -> Iterator[Job]:
    for group in QUICK if quick else FULL:
        for number in range(1 if quick else NUMBERS):
            for name, settings in SEARCHERS.items():
                yield Job(name, "vertical", group, number)
                if settings.expansion == "joint" and settings.limits == DEFAULT_LIMITS:
                    yield Job(name, "horizontal", group, number)


def measured(job: Job) -> Measured:
    """Search, and hold what was found to the truth on fresh points."""
    system, settings = drawn(job.group, job.number), SEARCHERS[job.searcher]
    began = time.process_time()
    way = _vertical if job.way == "vertical" else _horizontal
    law, fits = way(system, settings, job.number)
    cpu_s = round(time.process_time() - began, 2)
    truth = system.closed_equations()[0]
    states = random_states(system.box, FRESH, np.random.default_rng(12345))
    with np.errstate(all="ignore"):
        ours, right = compile_field([law, truth], system.names)(states).T
        nmse = float(np.mean((ours - right) ** 2) / np.var(right))
    exact = is_equivalent(law, truth, system.names, system.box)
    return Measured(job, nmse if np.isfinite(nmse) else 1e99, exact, fits, cpu_s)


def _vertical(system: System, settings: Settings, seed: int) -> tuple[Expression, int]:
    found = discover(system, settings=settings, seed=seed).equations[0]
    return found.expression, found.candidates


def _horizontal(system: System, settings: Settings, seed: int) -> tuple[Expression, int]:
    """The best of one search over the grammar of all variables, with nothing held."""
    (name,) = settings.proposers
    grammar = make_grammar(
        system.names,
        operators=settings.operators,
        longest=settings.longest,
        is_weighted=settings.rules == "weighted",
    )
    controlled = _uncontrolled(system, seed)
    proposer = PolicyProposer(
        name,
        lambda restarts: make_policy(name, settings, grammar, seed + restarts, controlled),
        grammar,
        REWARDS[settings.reward],
        number=settings.epochs,
        size=settings.batch,
    )
    found = search(controlled, [proposer])
    nearest = [] if found.nearest is None else [found.nearest]
    forms = found.forms or tuple(fitted_forms(nearest, controlled, EVERY_TRIAL, name))
    laws = [with_constants(form.expression, form.constants[0].tolist()) for form in forms]
    return next(iter(laws), Number(0)), found.candidates


def _uncontrolled(system: System, seed: int) -> Controlled:
    rng = np.random.default_rng(seed)
    states = random_states(system.box, POINTS, rng)[None]
    values = compile_field(system.closed_equations(), system.names)(states)[..., 0]
    errors = np.full_like(values, ERROR * np.sqrt(np.mean(values**2)))
    sample = Sample(states, values + errors * rng.standard_normal(values.shape), errors)
    starts = start_multipliers(STARTS, rng)
    controlled = make_controlled(system.names, sample, Agreement(), starts=starts)
    assert controlled is not None
    return controlled


def _rows(found: Sequence[Measured]) -> Iterator[dict[str, Cell]]:
    for name in SEARCHERS:
        for way in ("vertical", "horizontal"):
            own = [each for each in found if (each.job.searcher, each.job.way) == (name, way)]
            if own:
                yield {
                    "searcher": name,
                    "way": way,
                    "expressions": len(own),
                    "median NMSE": median(each.nmse for each in own),
                    "exact, %": 100 * sum(each.exact for each in own) / len(own),
                    "median fits": median(each.fits for each in own),
                    "median CPU s": median(each.cpu_s for each in own),
                }


def _figures(rows: Sequence[dict[str, Cell]]) -> Iterator[Figure]:
    exact = {(row["searcher"], row["way"]): float(row["exact, %"] or 0) for row in rows}
    if (DEFAULT, "vertical") not in exact:
        return
    yield at_least(f"{DEFAULT}: exact, %", exact[DEFAULT, "vertical"], 100)
    for name in SEARCHERS:
        if (name, "horizontal") in exact:
            gain = exact[name, "vertical"] - exact[name, "horizontal"]
            yield at_least(f"rounds add to {name}: exact, %", gain, 0)
    for part, with_it, without in PARTS:
        gain = exact[with_it, "vertical"] - exact[without, "vertical"]
        yield at_least(f"{part} adds: exact, %", gain, 0)


def _read(path: Path) -> Iterator[Measured]:
    for record in json.loads(path.read_text(encoding="utf-8")) if path.exists() else ():
        job = record.pop("job")
        yield Measured(Job(**job | {"group": Group(**job["group"])}), **record)


def _write(path: Path, found: Iterable[Measured]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(json.dumps(asdict(each)) for each in found)
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
