"""How much faster vectorised launches are than a loop over a general solver, and how accurate.

CPU time of 10,000 launches of glycolysis, each by +h and by -h, against a loop of `solve_ivp` calls
at the same accuracy over the first of these launches, scaled up. Both are compared with a third
computation at the tightest tolerance a solver can keep.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import process_time

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.bench.result import BenchResult, at_least, at_most
from odevsr.language.evaluate import compile_field
from odevsr.world.simulators.launch import make_launcher
from odevsr.world.systems.registry import get_system
from odevsr.world.systems.system import System

STEP = 1e-3
FASTER = 50
RELATIVE_ERROR = 1e-12


@dataclass(frozen=True, eq=False)
class _Timed:
    """States after +h and -h: (launches, 2, n), and the CPU seconds they took."""

    states: FloatArray
    seconds: float

    def per_launch(self) -> float:
        return self.seconds / len(self.states)

    def error(self, truth: _Timed) -> float:
        """Largest relative error among the launches that the truth holds."""
        found = self.states[: len(truth.states)]
        return float(np.max(np.abs(found / truth.states - 1)))


def bench_launches(launches: int = 10_000, looped: int = 200) -> BenchResult:
    """The figures for `launches` at once, and a loop over the first `looped` of them."""
    system = get_system("glycolysis")
    low, high = system.box.limits.T
    starts = np.random.default_rng(0).uniform(low, high, (launches, len(low)))
    launch = make_launcher(system)
    launch(starts[:1], STEP)  # imports the solver's coefficients
    at_once = _timed(lambda: np.stack([launch(starts, STEP), launch(starts, -STEP)], axis=1))
    loop = _timed(lambda: _loop(system, starts[:looped], relative=1e-12, absolute=1e-14))
    truth = _timed(lambda: _loop(system, starts[:looped], relative=3e-14, absolute=1e-18))
    rows = (
        _row("launches at once", at_once, truth, launches),
        _row("loop of solve_ivp", loop, truth, launches),
    )
    faster = loop.per_launch() / at_once.per_launch()
    figures = (
        at_least("times faster than the loop", faster, FASTER),
        at_most("largest relative error", at_once.error(truth), RELATIVE_ERROR),
    )
    return BenchResult("launches", figures, rows)


def _timed(compute: Callable[[], FloatArray]) -> _Timed:
    begin = process_time()
    states = compute()
    return _Timed(states, process_time() - begin)


def _loop(system: System, starts: FloatArray, relative: float, absolute: float) -> FloatArray:
    from scipy.integrate import solve_ivp

    field = compile_field(system.closed_equations(), system.names)

    def end(start: FloatArray, step: float) -> FloatArray:
        solution = solve_ivp(
            lambda _, state: field(state),
            (0.0, step),
            start,
            method="DOP853",
            rtol=relative,
            atol=absolute,
        )
        last: FloatArray = solution.y[:, -1]
        return last

    return np.array([[end(start, STEP), end(start, -STEP)] for start in starts])


def _row(method: str, timed: _Timed, truth: _Timed, launches: int) -> dict[str, str | int | float]:
    return {
        "method": method,
        "launches measured": len(timed.states),
        f"CPU s for {launches:,}": timed.per_launch() * launches,
        "largest relative error": timed.error(truth),
    }
