"""The paper's systems from trajectories that only are watched: where they cross mesh planes.

No state is set: trajectories begin anywhere in the ranges. Exact means equivalent to the truth.
"""

from __future__ import annotations

from odevsr.bench.recovery import Recovered, recovered
from odevsr.bench.result import BenchResult, Cell, at_least
from odevsr.world.systems.registry import get_system

LEAST = {"lorenz": 3, "mhd": 6, "glycolysis": 5}
"""Equations of a run that are to be exact."""


def bench_crossings(seeds: int = 3) -> BenchResult:
    """Discover each system with so many seeds."""
    found = [recovered(name, get_system(name), range(seeds), "crossings") for name in LEAST]
    figures = [
        at_least(f"{each.name}: exact equations of {each.equations}", each.exact, seeds * least)
        for each, least in zip(found, LEAST.values(), strict=True)
    ]
    return BenchResult("crossings", tuple(figures), tuple(map(_row, found)))


def _row(found: Recovered) -> dict[str, Cell]:
    return {
        "system": found.name,
        "equations": found.equations,
        "exact": found.exact,
        "most crossings for one": found.states,
        "CPU s of search a run": found.seconds,
    }
