"""Whether "identified" can be believed: a battery of simulators, clean and rough.

A law is right if it is the truth with its constants moved by 0.1 % at most (20 % where launches are
noisy), or by five of their standard errors; under noise it may be simpler than the truth by what is
too weak for its status to speak of. Where no law can be written, only a law that agrees with the
simulator everywhere in the ranges is right. A law that is called identified and is not right is
false. A simulator that is refused, or that ends in an error, is missed if it has a law.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from odevsr.bench.parallel import mapped
from odevsr.bench.result import BenchResult, Cell, Figure, at_least, at_most
from odevsr.bench.rough.battery import battery
from odevsr.bench.rough.case import KINDS, NOISE, SMOOTH, WEAK, RoughCase
from odevsr.discovery.discover import discover
from odevsr.errors import SimulationError, UsageError, nearest
from odevsr.evidence.law import FittedNumber
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Expression, complexity
from odevsr.language.text import to_text
from odevsr.limits import DEFAULT_LIMITS, Limits
from odevsr.settings import Settings
from odevsr.verdict.equivalence import TOLERANCE, is_equivalent
from odevsr.vertical.equation import Equation, Status
from odevsr.world.experiments.mesh import random_states

Row = Mapping[str, Cell]

BUDGET = 20.0
MOVED, MOST_MOVED = 0.2, 0.5
"""How much constants may be off under noise, relatively, and how much at most: none may vanish."""
ERRORS = 5.0
STATES, AGREEMENT = 2000, 1e-6
"""At how many states, and how well, a law agrees with a simulator whose law cannot be written."""
SHARE = 0.95
FOUND = {1e-6: 0.95, 1e-5: 0.95, 1e-4: 0.9, 1e-3: 0.7, 1e-2: 0.4}
"""Shares of right laws to reach, by the level of noise."""
REFUSED, FAILED = "refused", "failed"
UNSEEN = (REFUSED, FAILED)


@dataclass(frozen=True)
class CaseTreatment:
    """How each case is treated."""

    budget: float = BUDGET
    seed: int = 0
    limits: Limits = DEFAULT_LIMITS


def bench_trust(
    jobs: int = 1, budget: float = BUDGET, seed: int = 0, cases: Sequence[str] | None = None
) -> BenchResult:
    """Discover the laws of all simulators of the battery, or of those named."""
    names = list(battery()) if cases is None else list(cases)
    for name in names:
        if name not in battery():
            raise UsageError(f"the battery has no case {name!r}; {nearest(name, battery())}")
    rows: list[Row] = []
    for some in mapped(partial(rows_of_case, task=CaseTreatment(budget, seed)), names, jobs):
        rows += some
        for row in some:
            said = f"{row['case']} {row['variable']}: {row['status']}, right {row['right']}"
            print(said, file=sys.stderr, flush=True)
    return BenchResult("trust", figures_of(rows), tuple(rows), totals_of(rows))


def rows_of_case(name: str, task: CaseTreatment) -> list[Row]:
    """One row for each variable of a simulator; an error counts for all of them."""
    case = battery()[name]
    settings = Settings(most_seconds=task.budget, limits=task.limits)
    try:
        found = discover(case.simulator(task.seed), settings=settings, seed=task.seed)
    except Exception as error:  # a bug is a row, not the end of the bench
        status = REFUSED if isinstance(error, SimulationError) else FAILED
        cause = f"{type(error).__name__}: {error}"
        return [_row(case, variable, status, False, None, cause) for variable in case.ranges]
    return [
        _row(case, each.variable, each.status.value, is_right(case, each), each,
             to_text(each.expression))
        for each in found.equations
    ]  # fmt: skip


def _row(
    case: RoughCase, variable: str, status: str, right: bool, found: Equation | None, form: str
) -> Row:
    identified = status == Status.IDENTIFIED.value
    return {
        "case": case.name,
        "kind": case.kind,
        "noise": case.noise,
        "variable": variable,
        "has a law": variable in case.laws,
        "expected": case.expected,
        "missed": case.expected and not (right and identified),
        "right": right,
        "status": status,
        "false": identified and not right,
        "CPU s": None if found is None else found.elapsed_s,
        "launches": None if found is None else found.cost.simulations,
        "form": form,
        "truth": case.laws.get(variable, case.says),
    }


def is_right(case: RoughCase, found: Equation) -> bool:
    """Whether a law is that of the simulator, as far as launches can tell its constants."""
    truth = case.truth(found.variable)
    if truth is None:
        return _agrees(case, found.variable, found.expression)
    least = MOVED if case.noise else TOLERANCE
    tolerance = tolerance_of(found.constants, least)
    if is_equivalent(found.expression, truth, case.names, case.box, tolerance):
        return True
    return bool(case.noise) and _is_as_near_as_claimed(found.expression, truth, case)


def _is_as_near_as_claimed(law: Expression, truth: Expression, case: RoughCase) -> bool:
    """Whether a law is the truth less what is too weak to be seen in noise, and no longer."""
    states = random_states(case.box, STATES, np.random.default_rng(0))
    found, true = compile_field([law, truth], case.names)(states).T
    near = np.mean((found - true) ** 2) <= DEFAULT_LIMITS.lacking**2 * np.mean(true**2)
    return bool(near) and complexity(law) <= complexity(truth)


def tolerance_of(constants: Sequence[FittedNumber], least: float) -> float:
    """How much the constants of a law may be off, relatively, by what it says of their errors."""
    errors = [abs(each.error / each.value) for each in constants if each.value]
    widest = ERRORS * max((error for error in errors if np.isfinite(error)), default=0.0)
    return min(max(least, widest), MOST_MOVED)


def _agrees(case: RoughCase, variable: str, law: Expression) -> bool:
    """Whether a law is a simulator's rate at all states in the ranges; never if it has none."""
    if case.rate is None:
        return False
    states = random_states(case.box, STATES, np.random.default_rng(0))
    true = case.rate(states)[:, case.names.index(variable)]
    missed = compile_field([law], case.names)(states)[:, 0] - true
    return bool(np.max(np.abs(missed)) <= AGREEMENT * np.sqrt(np.mean(true**2)))


def figures_of(rows: Sequence[Row]) -> tuple[Figure, ...]:
    """No false law; clean ones recognised; what is found at each level of noise."""
    plain = [row for row in rows if row["kind"] in (SMOOTH, WEAK) and not row["noise"]]
    right = [row for row in plain if row["right"]]
    named = [row for row in right if row["status"] == Status.IDENTIFIED.value]
    figures = [at_most("false laws among the identified", _count(rows, "false"), 0)]
    if plain:
        figures += [
            at_least("smooth, no noise: share of laws found", len(right) / len(plain), SHARE),
            at_least(
                "smooth, no noise: share of right laws called identified",
                len(named) / max(len(right), 1),
                SHARE,
            ),
        ]
    for level, least in FOUND.items():
        noisy = [row for row in rows if row["kind"] == NOISE and row["noise"] == level]
        if noisy:
            found = _count(noisy, "right") / len(noisy)
            figures.append(at_least(f"noise {level:g}: share of laws found", found, least))
    return tuple(figures)


def totals_of(rows: Sequence[Row]) -> tuple[Row, ...]:
    """What became of each kind, of each level of noise, and of all."""
    groups = [(kind, [row for row in rows if row["kind"] == kind]) for kind in KINDS]
    groups += [
        (f"noise {level:g}", [r for r in rows if r["kind"] == NOISE and r["noise"] == level])
        for level in FOUND
    ]
    return tuple(_total(name, some) for name, some in [*groups, ("all", list(rows))] if some)


def _total(name: str, rows: Sequence[Row]) -> Row:
    identified = [row for row in rows if row["status"] == Status.IDENTIFIED.value]
    return {
        "group": name,
        "laws": len(rows),
        "right": _count(rows, "right"),
        "identified": len(identified),
        "right and identified": _count(identified, "right"),
        "false": _count(rows, "false"),
        "expected and missed": _count(rows, "missed"),
        "refused or failed": sum(row["status"] in UNSEEN for row in rows),
        "median CPU s": _median(rows, "CPU s"),
        "median launches": _median(rows, "launches"),
    }


def _count(rows: Sequence[Row], key: str) -> int:
    return sum(bool(row[key]) for row in rows)


def _median(rows: Sequence[Row], key: str) -> float | None:
    values = [float(value) for row in rows if isinstance(value := row[key], int | float)]
    return statistics.median(values) if values else None
