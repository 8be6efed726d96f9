"""How often the paper's systems are found exactly, from how many launches, and at what cost.

Exact means symbolically equivalent to the truth, constants within 0.1 %. Cost is the CPU time of a
whole `odevsr discover` process, imports included, over that of a process which only imports the
libraries it stands on; the compiled engine is in its cache before anything is timed.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from odevsr.bench.result import BenchResult, Cell, Figure, at_least, at_most
from odevsr.discovery.discover import discover
from odevsr.discovery.result import Discovery
from odevsr.verdict.equivalence import is_equivalent
from odevsr.world.systems.registry import get_system
from odevsr.world.systems.system import System

MOST_LAUNCHES = 10_000
MOST_TIMES = {"lorenz": 3.0, "mhd": 6.0, "glycolysis": 8.0}
IMPORTS = "import torch, scipy.integrate, sympy, numba"
REPEATS = 3


@dataclass(frozen=True)
class Recovered:
    """A system's equations over all seeds: how many were exact, the most it took for one."""

    name: str
    equations: int
    exact: int
    states: int
    launches: int
    seconds: float

    def row(self) -> dict[str, Cell]:
        """Its line in the table."""
        return {
            "system": self.name,
            "equations": self.equations,
            "exact": self.exact,
            "most launches for one": self.launches,
            "CPU s of search a run": self.seconds,
        }


def bench_recovery(seeds: int = 20) -> BenchResult:
    """Discover each system with this many seeds; then time the command."""
    mhd = get_system("mhd")
    ideal = mhd.with_parameters(dict.fromkeys(mhd.parameters, 0))
    subjects = [(name, get_system(name)) for name in MOST_TIMES] + [("ideal mhd", ideal)]
    found = [recovered(name, system, range(seeds)) for name, system in subjects]
    figures = [
        at_least(f"{each.name}: exact equations of {each.equations}", each.exact, each.equations)
        for each in found
    ]
    most = max(each.launches for each in found)
    figures.append(at_most("launches for one equation", most, MOST_LAUNCHES))
    return BenchResult("recovery", (*figures, *_costs()), tuple(each.row() for each in found))


def recovered(
    name: str, system: System, seeds: Sequence[int], sampling: str = "launches"
) -> Recovered:
    """What is found of a system with these seeds."""
    runs = [discover(system, seed=seed, sampling=sampling) for seed in seeds]
    equations = [equation for run in runs for equation in run.equations]
    return Recovered(
        name=name,
        equations=len(equations),
        exact=sum(_exact(run, system) for run in runs),
        states=max(each.cost.states for each in equations),
        launches=max(each.cost.simulations for each in equations),
        seconds=sum(each.elapsed_s for each in equations) / len(runs),
    )


def _exact(run: Discovery, system: System) -> int:
    truth = dict(zip(system.names, system.closed_equations(), strict=True))
    return sum(
        is_equivalent(each.expression, truth[each.variable], system.names, system.box)
        for each in run.equations
    )


def _costs() -> list[Figure]:
    """CPU time of each command over that of the imports, taken in turns; medians."""
    commands = {name: ["-m", "odevsr", "discover", name] for name in MOST_TIMES}
    _cpu_seconds(commands["lorenz"])
    times = [
        {
            name: _cpu_seconds(words)
            for name, words in (("imports", ["-c", IMPORTS]), *commands.items())
        }
        for _ in range(REPEATS)
    ]
    imports = float(np.median([each["imports"] for each in times]))
    return [
        at_most(
            f"{name}: CPU time over that of the imports ({imports:.2f} s)",
            float(np.median([each[name] for each in times])) / imports,
            most,
        )
        for name, most in MOST_TIMES.items()
    ]


def _cpu_seconds(words: Sequence[str]) -> float:
    """CPU seconds of a Python process and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
