"""How few states do: systems found exactly within so many, beside simpler methods on as many.

States are all that the simulator was launched from, those of the pilot and of every check
included, for all equations of a system together. Polynomial least squares and SINDy get the true
derivatives at as many random states, and need neither pilot nor checks. The same search without
`frugal` stands beside it: what it takes, and finds.
"""

from __future__ import annotations

import math
import statistics
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from odevsr.bench.baselines import polynomial_is_exact, sindy_is_exact
from odevsr.bench.parallel import mapped
from odevsr.bench.result import BenchResult, Cell, Figure, at_least, at_most
from odevsr.bench.systems import EquationCase, cases_of_system
from odevsr.discovery.discover import discover
from odevsr.discovery.result import Discovery
from odevsr.verdict.equivalence import is_equivalent
from odevsr.vertical.equation import Status
from odevsr.world.systems.file import read_system
from odevsr.world.systems.registry import get_system, systems
from odevsr.world.systems.system import System

LEVELS = (30, 100, 300, 1_000, 3_000)
MOST_STATES = {"lorenz": 150, "mhd": 400, "glycolysis": 2_000}
SHARES = {100: 0.5, 500: 0.9}
"""Shares of a folder's equations that should be exact within so many states an equation."""
DEARER = 2.0
"""How many times the CPU seconds of the default being frugal may take."""
BASELINES = {"polynomial": polynomial_is_exact, "SINDy": sindy_is_exact}


@dataclass(frozen=True)
class Usual:
    """What the default takes of the same system, and how many equations it finds exactly."""

    exact: int
    states: int
    seconds: float


@dataclass(frozen=True)
class Counted:
    """What one system took: equations, how many were exact, identified, and falsely so."""

    name: str
    equations: int
    exact: int
    identified: int
    false: int
    states: int
    launches: int
    seconds: float
    by_default: Usual
    rivals: tuple[float, ...]
    """From how many states on each baseline finds all of it."""

    @property
    def enough(self) -> float:
        """States with which all of it was found; infinite if not all was."""
        return self.states if self.exact == self.equations else math.inf

    def row(self) -> dict[str, Cell]:
        """As the table shows it."""
        rivals = [None if math.isinf(each) else each for each in self.rivals]
        return {
            "system": self.name,
            "equations": self.equations,
            "exact": self.exact,
            "identified": self.identified,
            "false": self.false,
            "states": self.states,
            "states an equation": self.states / self.equations,
            "launches": self.launches,
            "CPU s": self.seconds,
            "exact by default": self.by_default.exact,
            "states by default": self.by_default.states,
            "CPU s by default": self.by_default.seconds,
            **dict(zip(BASELINES, rivals, strict=True)),
        }


def bench_frugal(
    folder: Path | None = None, jobs: int = 1, seed: int = 0, quick: bool = False
) -> BenchResult:
    """The built-in systems and those of the folder; if `quick`, three built-in ones."""
    names = MOST_STATES if quick else [each.name for each in systems()]
    built_in = _counted([get_system(name) for name in names], jobs, seed)
    files = [] if folder is None else sorted(folder.glob("*.toml"))
    given = _counted([read_system(file) for file in files], jobs, seed)
    everything = [*built_in, *given]
    rows = tuple(each.row() for each in everything)
    return BenchResult("frugal", figures_of(built_in, given), rows, _totals(everything))


def _counted(subjects: Sequence[System], jobs: int, seed: int) -> list[Counted]:
    found = []
    for each in mapped(partial(count, seed=seed), subjects, jobs):
        said = f"{each.name}: {each.exact} of {each.equations} exact, {each.states} states"
        print(said, file=sys.stderr, flush=True)
        found.append(each)
    return found


def count(system: System, seed: int) -> Counted:
    """Discover a system, and count."""
    cases = list(cases_of_system(system).values())
    usual, usual_seconds = _timed(system, seed, frugal=False)
    found, seconds = _timed(system, seed, frugal=True)
    right = _exact(found, cases)
    sure = [each.status is Status.IDENTIFIED for each in found.equations]
    return Counted(
        system.name,
        len(cases),
        sum(right),
        sum(sure),
        sum(is_sure and not is_right for is_sure, is_right in zip(sure, right, strict=True)),
        found.cost.states,
        found.cost.simulations,
        seconds,
        Usual(sum(_exact(usual, cases)), usual.cost.states, usual_seconds),
        tuple(enough(method, cases) for method in BASELINES),
    )


def _timed(system: System, seed: int, *, frugal: bool) -> tuple[Discovery, float]:
    """A discovery, and its CPU seconds."""
    began = time.process_time()
    found = discover(system, seed=seed, frugal=frugal)
    return found, time.process_time() - began


def _exact(found: Discovery, cases: Sequence[EquationCase]) -> list[bool]:
    """Which equations are equivalent to the truth."""
    return [
        is_equivalent(each.expression, case.truth, case.names, case.box)
        for each, case in zip(found.equations, cases, strict=True)
    ]


def enough(method: str, cases: Sequence[EquationCase]) -> float:
    """The first level at which a baseline finds every equation; infinite if none does."""
    is_exact = BASELINES[method]
    levels = (
        level
        for level in LEVELS
        if all(is_exact(each.truth, each.names, each.box, level) for each in cases)
    )
    return next(levels, math.inf)


def figures_of(built_in: Sequence[Counted], given: Sequence[Counted]) -> tuple[Figure, ...]:
    """States of the paper's systems, shares of the folder's equations, laws falsely identified."""
    wanted = {each.name: each.enough for each in built_in if each.name in MOST_STATES}
    figures = [
        at_most(f"{name}: states with which all is exact", states, MOST_STATES[name])
        for name, states in wanted.items()
    ]
    total = sum(each.equations for each in given)
    for states, share in SHARES.items() if given else ():
        within = [each for each in given if each.enough <= states * each.equations]
        value = sum(each.equations for each in within) / total
        figures.append(at_least(f"share exact within {states} states an equation", value, share))
    everything = (*built_in, *given)
    usual = sum(each.by_default.seconds for each in everything)
    dearer = sum(each.seconds for each in everything) / usual
    figures.append(at_most("CPU seconds over those of the default", dearer, DEARER))
    false = sum(each.false for each in everything)
    return (*figures, at_most("laws falsely identified", false, 0))


def _totals(found: Sequence[Counted]) -> tuple[dict[str, Cell], ...]:
    """For each level the share of systems that were found within it, ours and the baselines'."""
    rivals = list(zip(*(each.rivals for each in found), strict=True))
    return tuple(
        {
            "states a system": level,
            "odevsr": _share(level, (each.enough for each in found)),
            **{name: _share(level, each) for name, each in zip(BASELINES, rivals, strict=True)},
        }
        for level in LEVELS
    )


def _share(level: float, states: Iterable[float]) -> float:
    """The share of systems for which so many states are enough."""
    return statistics.fmean(each <= level for each in states)
