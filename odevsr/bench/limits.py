"""What each of the numbers that judge is worth: doubled and halved, on a small battery.

The battery holds laws without noise, laws under noise, and simulators of which some have no law.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial

from odevsr.bench.noise import MOVED
from odevsr.bench.parallel import mapped
from odevsr.bench.result import BenchResult, Cell, at_most
from odevsr.bench.trust import CaseTreatment, rows_of_case
from odevsr.discovery.discover import discover
from odevsr.limits import DEFAULT_LIMITS, Limits
from odevsr.settings import Settings
from odevsr.verdict.equivalence import TOLERANCE, is_equivalent
from odevsr.vertical.equation import Status
from odevsr.world.systems.registry import get_system

CLEAN = ("lorenz", "damped_pendulum", "toggle_switch", "chemostat", "goodwin", "kuramoto")
NOISY = ("lorenz", "van_der_pol", "michaelis_menten")
ROUGH = (
    "added_cubic_1e_4", "six_decimals", "weak_1e_6", "kinked_sign", "kinked_one_sided",
    "kinked_stop", "hysteresis", "delay", "buried_square", "smooth_steady",
)  # fmt: skip
NOISE = 0.01
FACTORS = (0.5, 2.0)
BUDGET = 10.0


@dataclass(frozen=True)
class Change:
    """A limit that is moved by a factor; a factor of 1 moves none."""

    name: str
    factor: float

    def limits(self) -> Limits:
        """All limits, with this one moved."""
        value = getattr(DEFAULT_LIMITS, self.name)
        return replace(DEFAULT_LIMITS, **{self.name: type(value)(value * self.factor)})


def bench_limits(jobs: int = 1, budget: float = BUDGET) -> BenchResult:
    """Each limit moved in turn: what is lost, what is falsely identified, what it costs."""
    rows: list[Mapping[str, Cell]] = []
    for row in mapped(partial(row_of, budget=budget), list(_changes()), jobs):
        rows.append(row)
        print(f"{row['limit']} x {row['factor']}: {row['exact']} exact", file=sys.stderr)
    false = float(rows[0]["false"] or 0)
    figures = (
        at_most("false laws among the identified, as the limits are", false, 0),
        at_most("limits that decide nothing", len(_idle(rows)), 0),
    )
    return BenchResult("limits", figures, tuple(rows))


def _idle(rows: Sequence[Mapping[str, Cell]]) -> set[Cell]:
    """Limits that change nothing, halved or doubled; the first row is of none."""
    counted = ("exact", "identified", "approximate", "false", "states")
    changed = {each["limit"] for each in rows if any(each[key] != rows[0][key] for key in counted)}
    return {each["limit"] for each in rows[1:]} - changed


def _changes() -> Iterator[Change]:
    names = [each.name for each in fields(Limits)]
    yield Change(names[0], 1.0)
    for name in names:
        for factor in FACTORS:
            yield Change(name, factor)


def row_of(change: Change, budget: float) -> dict[str, Cell]:
    """The battery under a change."""
    limits = change.limits()
    outcomes = [
        outcome
        for noise, systems in ((0.0, CLEAN), (NOISE, NOISY))
        for system in systems
        for outcome in _outcomes(system, noise, limits, budget)
    ]
    outcomes += [each for case in ROUGH for each in _rough_outcomes(case, limits, budget)]
    return {
        "limit": "none" if change.factor == 1 else change.name,
        "factor": change.factor,
        "exact": sum(each.is_exact for each in outcomes),
        "identified": sum(each.is_identified for each in outcomes),
        "approximate": sum(each.status is Status.APPROXIMATE for each in outcomes),
        "false": sum(each.is_identified and not each.is_exact for each in outcomes),
        "states": sum(each.states for each in outcomes),
        "CPU s": sum(each.seconds for each in outcomes),
    }


@dataclass(frozen=True)
class _Outcome:
    is_exact: bool
    status: Status
    states: int
    seconds: float

    @property
    def is_identified(self) -> bool:
        return self.status is Status.IDENTIFIED


def _outcomes(name: str, noise: float, limits: Limits, budget: float) -> Iterator[_Outcome]:
    system = get_system(name)
    settings = Settings(noise=noise, limits=limits, most_seconds=budget)
    truths = dict(zip(system.components, system.closed_equations(), strict=True))
    for each in discover(system, settings=settings).equations:
        tolerance = MOVED if noise else TOLERANCE
        truth = truths[each.variable]
        yield _Outcome(
            is_equivalent(each.expression, truth, system.names, system.box, tolerance),
            each.status,
            each.cost.states,
            each.elapsed_s,
        )


def _rough_outcomes(case: str, limits: Limits, budget: float) -> Iterator[_Outcome]:
    for row in rows_of_case(case, CaseTreatment(budget, limits=limits)):
        known = [each for each in Status if each.value == row["status"]]
        status = known[0] if known else Status.NOT_IDENTIFIED  # a refusal, or an error
        yield _Outcome(bool(row["right"]), status, 0, float(row["CPU s"] or 0.0))
