"""How fast and how reliably constants are fitted, beside sympy with scipy, and what it costs.

Throughput: distinct candidates drawn from the default grammar over three variables (1 to 8
constants, at most 40 nodes), 256 points of a law with 1 % noise, one start each, one thread, CPU
time from the normal form to the fitted constants. A candidate is solved where the loss is the best
that is known, within 1e-6; known are those of all methods, and ours with twelve starts.

Reliability: laws drawn from the grammar with 2 to 8 constants, signed lognormal(0.7), values
without noise at 256 points of [-3, 3]^2, poles and all; solved at a normalised error of 1e-10.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice
from time import perf_counter, process_time

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.bench.engine.candidates import sampled_forms, sampled_laws
from odevsr.bench.engine.evaluation import machine_speed, operon_speed
from odevsr.bench.engine.fresh import engine_start, memory_growth
from odevsr.bench.engine.rivals import fit_compiled_once, fit_parsing_every_call
from odevsr.bench.result import BenchResult, Cell, Figure, at_least, at_most
from odevsr.fitting.fit import Effort, fit_programs, make_trials, start_multipliers
from odevsr.fitting.program import compile_program
from odevsr.language.algebra.normal import is_invalid
from odevsr.language.drawing.forest import Forest
from odevsr.language.drawing.grammar import make_grammar
from odevsr.language.expression import Constant, Expression, count, with_constants
from odevsr.search.policy.prior import PriorPolicy
from odevsr.settings import DEFAULT_OPERATORS

Row = dict[str, Cell]

NAMES = ("x0", "x1", "x2")
OPERATOR_SETS = {
    "rational": ("+", "-", "*", "/"),
    "trigonometric": ("+", "-", "*", "sin", "cos"),
    "all": DEFAULT_OPERATORS,
}
SOLVED_SHARES = {"rational": 65, "trigonometric": 85, "all": 55}
SOLVED = 1e-10
STARTS = (1, 2, 4, 8, 12)
REPEATS = 3
PAGE = 4096


@dataclass(frozen=True)
class _Size:
    """How many candidates each method fits, how many laws are drawn, how long speeds are timed."""

    candidates: int
    compiled_once: int
    parsing: int
    laws: int
    seconds: float
    fits: int


_FULL = _Size(1024, compiled_once=128, parsing=8, laws=500, seconds=1.0, fits=1_000_000)
_QUICK = _Size(32, compiled_once=4, parsing=1, laws=8, seconds=0.01, fits=1000)


def bench_fitting(quick: bool = False, seed: int = 0) -> BenchResult:
    """All figures; `quick` takes samples too small to judge by."""
    size = _QUICK if quick else _FULL
    task = _make_task(size.candidates, np.random.default_rng(seed))
    methods = _methods(task, size)
    curve = [row for name in OPERATOR_SETS for row in _curve(name, size.laws, seed)]
    start = engine_start()
    figures = [
        *_speed_figures(methods),
        *(_share_figure(row) for row in curve if row["starts"] == max(STARTS)),
        at_most(f"MB grown over {size.fits:,} fits", memory_growth(size.fits), 10),
        at_least("times throughput with two threads", _gain_of_threads(task), 1.6),
        at_most("CPU s to compile at first use", start["cold"], 12),
        at_most("CPU s to load later, beyond its libraries", start["warm"], 0.5),
        _evaluation_figure(task, size.seconds),
    ]
    return BenchResult("fitting", tuple(figures), tuple(curve), tuple(map(_method_row, methods)))


# Throughput


@dataclass(frozen=True, eq=False)
class _Task:
    """Candidates and the data they are fitted to: points (256, 3), values (256,)."""

    forms: list[Expression]
    points: FloatArray
    values: FloatArray


@dataclass(frozen=True, eq=False)
class _Method:
    """Sums of squares of the first candidates by one method, and the CPU seconds it took."""

    name: str
    losses: FloatArray
    seconds: float
    share: float | None = None

    @property
    def speed(self) -> float:
        return len(self.losses) / self.seconds


def _make_task(candidates: int, rng: np.random.Generator) -> _Task:
    forms = sampled_forms(NAMES, DEFAULT_OPERATORS, rng, fewest_constants=1)
    points = rng.uniform(0.5, 3.0, (256, len(NAMES)))
    x0, x1, x2 = points.T
    values = 2.0 * x0 * np.sin(1.5 * x1) + x2 / (0.7 + x0) - 0.3 * x1 * x2
    noise = 0.01 * np.std(values) * rng.normal(size=len(values))
    return _Task(list(islice(forms, candidates)), points, values + noise)


def _methods(task: _Task, size: _Size) -> list[_Method]:
    """Every method; two of them with the share they solved of the candidates both fitted."""
    compared = task.forms[: size.compiled_once]
    ours = _timed("odevsr", lambda: _sums_of_squares(task.forms, task, starts=1), REPEATS)
    scipy_once = _rival("sympy once + scipy", fit_compiled_once, compared, task)
    published = _rival(
        "parsing every call", fit_parsing_every_call, task.forms[: size.parsing], task
    )
    thorough = _sums_of_squares(compared, task, starts=12)
    best = np.min([ours.losses[: len(compared)], scipy_once.losses, thorough], axis=0)
    good = best * (1 + 1e-6) + 1e-12 * np.sum((task.values - np.mean(task.values)) ** 2)
    return [
        *(
            replace(each, share=float(np.mean(each.losses[: len(compared)] <= good)) * 100)
            for each in (ours, scipy_once)
        ),
        published,
        _timed("odevsr, from rules", lambda: _from_rules(task, size.candidates), 1),
    ]


def _timed(name: str, fit: Callable[[], FloatArray], repeats: int) -> _Method:
    fit()
    start = process_time()
    for _ in range(repeats):
        losses = fit()
    return _Method(name, losses, (process_time() - start) / repeats)


def _sums_of_squares(forms: Sequence[Expression], task: _Task, starts: int) -> FloatArray:
    trials = make_trials(task.points[None], task.values[None])
    programs = [compile_program(form, NAMES) for form in forms]
    draws = start_multipliers(starts, np.random.default_rng(1))
    effort = Effort(starts=starts, kept=max(1, starts // 3))
    losses = fit_programs(programs, trials, draws, effort).losses[:, 0] * trials.variances()[0]
    return np.where(np.isnan(losses), np.inf, losses)


def _rival(
    name: str,
    fit: Callable[[Expression, Sequence[str], FloatArray, FloatArray], float],
    forms: Sequence[Expression],
    task: _Task,
) -> _Method:
    start = process_time()
    losses = [fit(form, NAMES, task.points, task.values) for form in forms]
    return _Method(name, np.array(losses), process_time() - start)


def _from_rules(task: _Task, sequences: int) -> FloatArray:
    """Sampled rules to distinct normal forms to constants, as in a search; new each time."""
    grammar = make_grammar(NAMES)
    sampled = PriorPolicy(grammar, np.random.default_rng(2)).sample(sequences)
    forms = [form for form in dict.fromkeys(Forest(grammar).plant(sampled)) if not is_invalid(form)]
    return _sums_of_squares(forms, task, starts=1)


def _method_row(method: _Method) -> Row:
    return {
        "method": method.name,
        "candidates": len(method.losses),
        "per CPU s": method.speed,
        "% at best known loss": method.share,
    }


def _speed_figures(methods: Sequence[_Method]) -> list[Figure]:
    ours, scipy_once, published, _ = methods
    assert ours.share is not None
    assert scipy_once.share is not None
    return [
        at_least("times sympy compiled once + scipy", ours.speed / scipy_once.speed, 50),
        at_least("times parsing every call", ours.speed / published.speed, 2000),
        at_least("% at best known loss, scipy's as target", ours.share, scipy_once.share),
    ]


# Reliability


def _curve(name: str, number: int, seed: int) -> list[Row]:
    """Share of laws solved, and its cost, by number of starts."""
    laws = sampled_laws(number, OPERATOR_SETS[name], (-3.0, 3.0), np.random.default_rng(seed))
    rows: list[Row] = []
    for starts in STARTS:
        draws = start_multipliers(starts, np.random.default_rng(1))
        effort = Effort(starts=starts, kept=max(1, starts // 3))
        start = process_time()
        fits = [fit_programs([law.program], law.trials, draws, effort) for law in laws]
        seconds = process_time() - start
        rows.append(
            {
                "operators": name,
                "starts": starts,
                "% solved": float(np.mean([fit.losses[0, 0] <= SOLVED for fit in fits])) * 100,
                "evaluations": sum(fit.runs for fit in fits) / number,
                "CPU ms": seconds / number * 1000,
            }
        )
    return rows


def _share_figure(row: Row) -> Figure:
    name, share = row["operators"], row["% solved"]
    assert isinstance(name, str)
    assert isinstance(share, float)
    return at_least(f"% of {name} laws solved, {row['starts']} starts", share, SOLVED_SHARES[name])


# Threads and evaluation


def _gain_of_threads(task: _Task) -> float:
    """Throughput with two threads over that with one, wall time, the best of several."""
    trials = make_trials(task.points[None], task.values[None])
    programs = [compile_program(form, NAMES) for form in task.forms]
    draws = start_multipliers(4, np.random.default_rng(1))
    times: dict[int, float] = {}
    for number in (1, 2) * REPEATS:
        with ThreadPoolExecutor(number) as threads:
            start = perf_counter()
            fit_programs(programs, trials, draws, Effort(), threads)
            times[number] = min(times.get(number, np.inf), perf_counter() - start)
    return times[1] / times[2]


def _evaluation_figure(task: _Task, seconds: float) -> Figure:
    """Our machine beside pyoperon's, which has no target: it says where we stand."""
    points = np.tile(task.points, (PAGE // len(task.points), 1))
    forms = [with_constants(form, [1.5] * count(form, Constant)) for form in task.forms[:200]]
    ours = machine_speed(forms, NAMES, points, seconds) / 1e6
    operon = operon_speed(forms, NAMES, points, seconds)
    beside = "pyoperon is not installed: pip install 'odevsr[bench]'"
    if operon is not None:
        beside = f"pyoperon, single precision: {operon / 1e6:.0f}"
    return Figure("million nodes*points per CPU s, evaluation", ours, beside, True)
