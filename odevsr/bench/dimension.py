"""What discovery costs as systems grow: rings of Lorenz-96 and chains of coupled oscillators.

The cost of a whole system should grow no faster than the square of its dimension: each law is found
from some experiments on its own few variables, after a look at all of them.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement

import numpy as np

from odevsr.bench.result import BenchResult, Cell, at_least, at_most
from odevsr.discovery.discover import discover
from odevsr.language.parse import parse
from odevsr.verdict.equivalence import is_equivalent
from odevsr.world.systems.registry import get_system
from odevsr.world.systems.system import StateVariable, System

SIZES = (6, 10, 20, 60)
GROWTH = 2.0


def ring(size: int) -> System:
    """Lorenz-96 of this many variables."""
    names = [f"x{index}" for index in range(size)]
    equations = [
        f"({names[(i + 1) % size]} - {names[i - 2]})*{names[i - 1]} - {names[i]} + 8"
        for i in range(size)
    ]
    source = "Lorenz, E. N. (1996). Predictability: a problem partly solved. ECMWF, Reading."
    return _system(f"ring-{size}", f"Lorenz-96 of {size} variables", source, names, equations)


def chain(size: int) -> System:
    """Half as many oscillators with cubic springs, each coupled to its neighbours."""
    count = size // 2
    names = [f"{letter}{index}" for index in range(count) for letter in "qv"]
    equations = []
    for index in range(count):
        neighbours = [i for i in (index - 1, index + 1) if 0 <= i < count]
        coupling = " ".join(f"+ 0.5*(q{i} - q{index})" for i in neighbours)
        equations += [f"v{index}", f"-q{index} - 0.3*q{index}**3 - 0.1*v{index} {coupling}"]
    title = f"Chain of {count} coupled Duffing oscillators"
    return _system(f"chain-{size}", title, "", names, equations)


def _system(
    name: str, title: str, source: str, names: Sequence[str], equations: Sequence[str]
) -> System:
    low, high = (-10.0, 15.0) if name.startswith("ring") else (-2.0, 2.0)
    return System(
        name=name,
        title=title,
        source=source,
        variables=tuple(StateVariable(each, low, high, (low + high) / 2) for each in names),
        equations=tuple(parse(equation, names) for equation in equations),
    )


def dense(size: int) -> System:
    """A law with every product of two of so many variables, beside plain decay of the others."""
    rng = np.random.default_rng(0)
    names = [f"x{index}" for index in range(size)]
    products = [*names, *(f"{a}*{b}" for a, b in combinations_with_replacement(names, 2))]
    numbers = rng.uniform(0.5, 3, len(products)).round(3).tolist()
    law = " + ".join(f"{number}*{each}" for number, each in zip(numbers, products, strict=True))
    equations = [law, *(f"-{name}" for name in names[1:])]
    return _system(f"dense-{size}", f"All products of {size} variables", "", names, equations)


def bench_dimension(seed: int = 0, full: bool = False) -> BenchResult:
    """Both families at growing sizes; the growth is the slope between logarithms.

    If `full`, also one law each of systems of hundreds of variables, and one of hundreds of terms.
    """
    discover(get_system("pendulum"))  # loads and compiles
    rows = [_row(make, size, seed) for make in (ring, chain) for size in SIZES]
    few = [(dense, 20), (dense, 24), (ring, 200), (ring, 1000)] if full else []
    rows += [_row(make, size, seed, ["x0"], frugal=True) for make, size in few]
    _draw(rows)
    figures = [at_least("share of exact laws", _exact(rows), 1)]
    for family in ("ring", "chain"):
        chosen = [row for row in rows if row["family"] == family and row["laws"] != 1]
        for cost in ("states", "CPU s"):
            growth = slope(chosen, cost)
            figures.append(at_most(f"{family}: growth exponent of {cost}", growth, GROWTH))
    return BenchResult("dimension", tuple(figures), tuple(rows))


def _row(
    make: Callable[[int], System],
    size: int,
    seed: int,
    components: list[str] | None = None,
    *,
    frugal: bool = False,
) -> dict[str, Cell]:
    system = make(size)
    began = time.process_time()
    found = discover(system, seed=seed, components=components, frugal=frugal)
    whole = time.process_time() - began
    truths = zip(found.equations, system.closed_equations(), strict=False)
    exact = [is_equivalent(e.expression, truth, system.names, system.box) for e, truth in truths]
    seconds = sum(equation.elapsed_s for equation in found.equations)
    return {
        "family": make.__name__,
        "variables": len(system.names),
        "laws": len(exact),
        "exact": sum(exact),
        "states": found.cost.states,
        "CPU s": seconds,
        "states a law": found.cost.states / len(exact),
        "CPU s a law": seconds / len(exact),
        "CPU s with pilot": whole,
        "MB at most so far": _most_megabytes(),
        "CPU s, each # twice the last": "",
    }


def _draw(rows: Sequence[dict[str, Cell]]) -> None:
    """The curve: a bar whose length is the logarithm of the CPU seconds."""
    seconds = [float(row["CPU s"] or 0) for row in rows]
    least = min(seconds)
    for row, value in zip(rows, seconds, strict=True):
        row["CPU s, each # twice the last"] = "#" * (1 + round(math.log2(value / least)))


def _exact(rows: Sequence[dict[str, Cell]]) -> float:
    return sum(int(row["exact"] or 0) for row in rows) / sum(int(row["laws"] or 0) for row in rows)


def _most_megabytes() -> float | None:
    """The most memory this process has had, as Linux tells it."""
    if sys.platform != "linux":
        return None
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def slope(rows: Sequence[dict[str, Cell]], cost: str) -> float:
    """The exponent with which a cost grows with the number of variables."""
    sizes = np.log([float(row["variables"] or 0) for row in rows])
    costs = np.log([float(row[cost] or 0) for row in rows])
    return float(np.polyfit(sizes, costs, 1)[0])
