"""One equation from first experiment to verdict: solve, fit all numbers together, check on fresh data."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from odevsr.errors import SimulationError
from odevsr.fitting.fit import start_multipliers
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import ZERO, Apply, Expression, Number, Op, complexity
from odevsr.language.normal import normal_form, terms
from odevsr.search.proposers import make_proposers
from odevsr.search.train import Epoch
from odevsr.settings import Settings
from odevsr.vertical.approximate import best_polynomial
from odevsr.vertical.refine import Data, Refined, deviation, refine, with_exact_numbers
from odevsr.vertical.result import Equation, Status
from odevsr.vertical.solve import Bench, OutOfBudget, Round, solve
from odevsr.vertical.target import DerivativeTarget
from odevsr.world.oracle import Oracle, random_states

FloatArray = NDArray[np.float64]
STARTS = 16
FIT_STATES, FRESH_STATES, OUTSIDE_STATES = 120, 80, 60
MARGIN = 0.1
AGREES = 3.0
APPROXIMATE_R2 = 0.99


def discover_equation(
    oracle: Oracle,
    settings: Settings,
    seeds: np.random.SeedSequence,
    learnt: Sequence[Expression] = (),
    on_epoch: Callable[[Epoch], None] = lambda epoch: None,
) -> Equation:
    """The law of the oracle's component."""
    clock = _Clock(oracle, settings)
    name = oracle.names[oracle.component]
    rounds: list[Round] = []
    note = ""
    best: Refined | None = None
    for seed in seeds.spawn(settings.attempts):
        bench = _bench(seed, settings, clock, learnt, on_epoch, rounds)
        try:
            law = solve(DerivativeTarget(oracle), bench, name)
            checked = None if law is None else _finish(law, oracle, bench.rng)
        except OutOfBudget as spent:
            note = str(spent)
            break
        if checked is not None and (best is None or checked.deviation < best.deviation):
            best = checked
        if best is not None and best.deviation <= AGREES:
            break
    return _judged(best, oracle, seeds, rounds, clock, note)


@dataclass(frozen=True)
class _Clock:
    """CPU seconds since the start, and whether time or states are spent."""

    oracle: Oracle
    settings: Settings
    began: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "began", time.process_time())

    @property
    def elapsed(self) -> float:
        return time.process_time() - self.began

    def check(self) -> None:
        if self.elapsed > self.settings.most_seconds:
            raise OutOfBudget(f"stopped after {self.settings.most_seconds:g} CPU seconds")
        if self.oracle.cost.states > self.settings.most_states:
            raise OutOfBudget(f"stopped after {self.settings.most_states:,} states")


def _bench(
    seed: np.random.SeedSequence,
    settings: Settings,
    clock: _Clock,
    learnt: Sequence[Expression],
    on_epoch: Callable[[Epoch], None],
    rounds: list[Round],
) -> Bench:
    rng = np.random.default_rng(seed)
    return Bench(
        proposers=lambda variable, dimension: make_proposers(
            variable, dimension, settings, learnt, rng
        ),
        starts=start_multipliers(STARTS, np.random.default_rng(0)),
        rng=rng,
        check_budget=clock.check,
        on_epoch=on_epoch,
        trials=settings.trials,
        points=settings.points,
        rounds=rounds,
    )


def _finish(law: Expression, oracle: Oracle, rng: np.random.Generator) -> Refined:
    """All numbers fitted together on uncontrolled data, idle terms dropped, exact values found."""
    data = _measured(oracle, oracle.box, FIT_STATES, rng)
    refined = _without_idle_terms(refine(law, oracle.names, data), oracle.names, data)
    exact = with_exact_numbers(refined, oracle.names, data)
    fresh = _measured(oracle, oracle.box, FRESH_STATES, rng)
    return Refined(exact.expression, exact.constants, deviation(exact.expression, oracle.names, fresh))


def _without_idle_terms(law: Refined, names: Sequence[str], data: Data) -> Refined:
    """Leave out whole terms as long as the data do not notice."""
    while len(summands := terms(law.expression)) > 1:
        sizes = np.max(np.abs(compile_field(summands, names)(data.states)) / data.errors[:, None], axis=0)
        weakest = int(np.argmin(sizes))
        if sizes[weakest] > 1e4:
            return law
        rest = tuple(term for index, term in enumerate(summands) if index != weakest)
        smaller = refine(rest[0] if len(rest) == 1 else Apply(Op.ADD, rest), names, data)
        if not smaller.deviation <= max(1.2 * law.deviation, 1.0):
            return law
        law = smaller
    return law


def _measured(oracle: Oracle, box: FloatArray, count: int, rng: np.random.Generator) -> Data:
    batch = oracle.measure(random_states(box, count, rng))
    return Data(batch.states, batch.values, batch.errors)


def _holds_outside(law: Refined, oracle: Oracle, rng: np.random.Generator) -> bool:
    """True if the law also holds in ranges wider by a tenth, as far as the simulator goes there."""
    width = oracle.box[:, 1] - oracle.box[:, 0]
    wider = oracle.box + MARGIN * width[:, None] * np.array([-1.0, 1.0])
    try:
        outside = _measured(oracle, wider, OUTSIDE_STATES, rng)
    except SimulationError:
        return True
    return deviation(law.expression, oracle.names, outside) <= AGREES


def _judged(
    law: Refined | None,
    oracle: Oracle,
    seeds: np.random.SeedSequence,
    rounds: Sequence[Round],
    clock: _Clock,
    note: str,
) -> Equation:
    rng = np.random.default_rng(seeds.spawn(1)[0])
    fresh = _measured(oracle, oracle.box, FRESH_STATES, rng)
    status = Status.NOT_IDENTIFIED
    if law is not None and law.deviation <= AGREES and _holds_outside(law, oracle, rng):
        status = Status.IDENTIFIED
    if law is None:
        law = best_polynomial(oracle.names, _measured(oracle, oracle.box, 4 * FIT_STATES, rng))
    predicted = compile_field([law.expression], oracle.names)(fresh.states)[:, 0]
    residual = float(np.mean((predicted - fresh.values) ** 2))
    spread = float(np.var(fresh.values))
    nmse = residual / spread if spread > 0 else (0.0 if residual <= np.mean(fresh.errors**2) * 9 else np.inf)
    if status is not Status.IDENTIFIED and 1 - nmse >= APPROXIMATE_R2:
        status = Status.APPROXIMATE
    return Equation(
        variable=oracle.names[oracle.component],
        expression=law.expression,
        status=status,
        constants=law.constants,
        r2=1 - nmse,
        nmse=nmse,
        deviation=deviation(law.expression, oracle.names, fresh),
        rounds=tuple(rounds),
        cost=oracle.cost,
        candidates=sum(each.candidates for each in rounds),
        elapsed_s=clock.elapsed,
        note=note,
    )
