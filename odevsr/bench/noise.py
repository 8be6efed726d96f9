"""What is found when derivatives are noisy: ten registered systems, 31 laws, two levels of noise.

A law has the right structure if it is the truth once its constants are moved, none by more than
20 %. A wrong one is a law that is called identified and has another structure.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from odevsr.bench.parallel import mapped
from odevsr.bench.result import BenchResult, Cell, Figure, at_least, at_most
from odevsr.discovery.discover import discover
from odevsr.language.text import to_text
from odevsr.settings import Settings
from odevsr.verdict.equivalence import is_equivalent
from odevsr.vertical.equation import Equation, Status
from odevsr.world.systems.registry import get_system
from odevsr.world.systems.system import System

Row = Mapping[str, Cell]

SYSTEMS = (
    "lorenz",
    "roessler",
    "lotka_volterra",
    "fitzhugh_nagumo",
    "van_der_pol",
    "damped_pendulum",
    "michaelis_menten",
    "glycolysis",
    "thomas",
    "goodwin",
)
"""Polynomials, sines and rational laws."""
LEVELS = (0.01, 0.05)
MOVED = 0.2
"""How much constants may be off, relatively, in a law of the right structure."""
RIGHT = {0.01: 0.95, 0.05: 0.9}
"""Shares of laws with the right structure to reach, by the level of noise."""
MEDIAN_SECONDS, MEDIAN_STATES = 1.0, 5_000
BUDGET = 60.0


@dataclass(frozen=True)
class Run:
    """One system, discovered once."""

    system: str
    level: float
    seed: int


def bench_noise(seeds: int = 5, jobs: int = 1, budget: float = BUDGET) -> BenchResult:
    """Discover each system at each level of noise with this many seeds."""
    runs = [Run(*each) for each in _runs(range(seeds))]
    rows: list[Row] = []
    for some in mapped(partial(rows_of_run, budget=budget), runs, jobs):
        rows += some
        for row in some:
            said = f"{row['system']} {row['variable']} at {row['noise']}: {row['status']}"
            print(f"{said}, right {row['right']}", file=sys.stderr, flush=True)
    return BenchResult("noise", figures_of(rows), tuple(rows), totals_of(rows))


def _runs(seeds: Sequence[int]) -> Iterator[tuple[str, float, int]]:
    for level in LEVELS:
        for name in SYSTEMS:
            for seed in seeds:
                yield name, level, seed


def rows_of_run(run: Run, budget: float) -> list[Row]:
    """One row for each law of the system."""
    system = get_system(run.system)
    settings = Settings(noise=run.level, most_seconds=budget)
    found = discover(system, settings=settings, seed=run.seed)
    return [row_of(equation, system, run) for equation in found.equations]


def row_of(equation: Equation, system: System, run: Run) -> Row:
    """A law beside the truth, and what it took."""
    truth = system.closed_equations()[system.names.index(equation.variable)]
    return {
        "system": run.system,
        "variable": equation.variable,
        "noise": run.level,
        "seed": run.seed,
        "right": is_equivalent(equation.expression, truth, system.names, system.box, MOVED),
        "status": equation.status.value,
        "states": equation.cost.states,
        "CPU s": equation.elapsed_s,
        "form": to_text(equation.expression),
    }


def figures_of(rows: Sequence[Row]) -> tuple[Figure, ...]:
    """For each level of noise what was found, what was wrong, and the cost."""
    figures: list[Figure] = []
    for total in totals_of(rows):
        level = float(total["noise"] or 0)
        name = f"noise {100 * level:g} %"
        figures += [
            at_least(f"{name}: share of right structures", _number(total, "right"), RIGHT[level]),
            at_most(f"{name}: wrong among identified", _number(total, "wrong"), 0),
            at_most(f"{name}: median CPU s", _number(total, "median CPU s"), MEDIAN_SECONDS),
            at_most(f"{name}: median states", _number(total, "median states"), MEDIAN_STATES),
        ]
    return tuple(figures)


def totals_of(rows: Sequence[Row]) -> tuple[Row, ...]:
    """A row for each level of noise: shares of all laws, and how many were wrong."""
    levels = sorted({float(row["noise"] or 0) for row in rows})
    return tuple(_total(level, [row for row in rows if row["noise"] == level]) for level in levels)


def _total(level: float, rows: Sequence[Row]) -> Row:
    identified = [row for row in rows if row["status"] == Status.IDENTIFIED.value]
    return {
        "noise": level,
        "laws": len(rows),
        "right": sum(bool(row["right"]) for row in rows) / len(rows),
        "identified": len(identified) / len(rows),
        "wrong": sum(not row["right"] for row in identified),
        "median CPU s": statistics.median(_number(row, "CPU s") for row in rows),
        "median states": statistics.median(_number(row, "states") for row in rows),
    }


def _number(row: Row, key: str) -> float:
    return float(row[key] or 0)
