"""Laws that hold for all parameters: the paper's systems with their parameters varied too."""

from __future__ import annotations

from odevsr.bench.result import BenchResult, Cell, at_least
from odevsr.discovery.discover import discover
from odevsr.language.text import to_text
from odevsr.verdict.equivalence import is_equivalent
from odevsr.vertical.equation import Equation
from odevsr.world.simulators.lifted import lift
from odevsr.world.systems.registry import get_system
from odevsr.world.systems.system import System

VARIED: dict[str, dict[str, tuple[float, float]]] = {
    "lorenz": {"sigma": (5, 15), "rho": (20, 40), "beta": (2, 4)},
    "mhd": {"nu": (0.05, 0.5), "mu": (0.1, 0.4), "sigma": (0.1, 0.6)},
    # k1, K1 and q stay: a denominator that holds 1/K1**q is no law of K1 and q one could wish for.
    "glycolysis": {
        "J0": (1, 4),
        "k2": (3, 9),
        "k3": (8, 24),
        "k4": (50, 150),
        "k5": (0.6, 2),
        "k6": (6, 18),
        "K": (1, 3),
        "kappa": (6, 20),
        "phi": (0.05, 0.2),
        "N": (0.6, 1.5),
        "A": (3.5, 5),
    },
}


def bench_parameters(seed: int = 0) -> BenchResult:
    """Discover each system with its parameters as variables."""
    rows = [
        _row(system, equation)
        for name, ranges in VARIED.items()
        for system in [lift(get_system(name), ranges)]
        for equation in discover(system, seed=seed).equations
    ]
    exact = sum(bool(row["exact"]) for row in rows) / len(rows)
    return BenchResult("parameters", (at_least("share of exact laws", exact, 1),), tuple(rows))


def _row(system: System, equation: Equation) -> dict[str, Cell]:
    truth = system.closed_equations()[system.names.index(equation.variable)]
    return {
        "system": system.name,
        "variable": equation.variable,
        "varied": len(system.inputs),
        "exact": is_equivalent(equation.expression, truth, system.names, system.box),
        "status": equation.status.value,
        "states": equation.cost.states,
        "CPU s": equation.elapsed_s,
        "form": to_text(equation.expression),
    }
