"""One equation from first experiment to verdict: solve, fit all numbers, check on fresh data."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np

from odevsr.fitting.fit import start_multipliers
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Expression, variables
from odevsr.search.proposers import Proposers
from odevsr.search.train import Epoch
from odevsr.settings import Settings
from odevsr.vertical.approximate import best_polynomial
from odevsr.vertical.finish import (
    AGREES,
    AGREES_WITH_NOISE,
    FIT_STATES,
    FRESH_STATES,
    finish,
    holds_outside,
    is_determined,
    may_imitate,
    measured,
    simpler_laws,
    unmeasurable,
)
from odevsr.vertical.joint import solve_jointly
from odevsr.vertical.refine import Data, Refined, deviation
from odevsr.vertical.result import Equation, Status
from odevsr.vertical.rivals import Alternative, decide, telling_experiment
from odevsr.vertical.rounds import Bench, OutOfBudgetError, Round, Sizes
from odevsr.vertical.solve import solve
from odevsr.vertical.target import DerivativeTarget, RestrictedTarget, Target
from odevsr.world.budget import LimitedOracle
from odevsr.world.oracle import Oracle, random_states

STARTS = 16
APPROXIMATE_R2 = 0.99
EQUALLY_WELL = 1.1
"""A simpler law whose deviation is greater by no more than this factor is a rival."""


def discover_equation(
    oracle: Oracle,
    settings: Settings,
    seeds: np.random.SeedSequence,
    learnt: Sequence[Expression] = (),
    suspects: tuple[int, ...] | None = None,
    on_epoch: Callable[[Epoch], None] = lambda epoch: None,
) -> Equation:
    """The law of the oracle's component; the first attempt looks at the `suspects` alone."""
    if not isinstance(oracle, LimitedOracle):
        oracle = LimitedOracle(oracle, settings.most_states)
    budget = _Budget(settings)
    rounds: list[Round] = []
    note = ""
    best: Refined | None = None
    identified = False
    judge, *attempts = seeds.spawn(1 + settings.attempts)
    for number, seed in enumerate(attempts):
        bench = _bench(seed, _at_attempt(settings, number), budget, learnt, on_epoch, rounds)
        try:
            law = _solved(oracle, settings, bench, None if number else suspects)
            if law is None:
                continue
            checked = finish(law, oracle, bench.rng, is_noisy=bool(settings.noise))
            if best is None or checked.deviation < best.deviation:
                best = checked
            if not variables(checked.expression) and (note := unmeasurable(oracle, bench.rng)):
                break
            identified = _is_identified(checked, oracle, settings, bench.rng)
        except OutOfBudgetError as spent:
            note = str(spent)
            break
        if identified:
            best = checked
            break
    rng = np.random.default_rng(judge)
    alternatives: tuple[Alternative, ...] = ()
    if best is not None and (settings.noise or not identified):
        with suppress(OutOfBudgetError):
            alternatives = _alternatives(best, oracle, rng)
            if settings.decide:
                decided, alternatives = _decided(best, alternatives, oracle, rng)
                if decided is not best:
                    best, identified = decided, _is_identified(decided, oracle, settings, rng)
    oracle.release()
    equation = _judged(best, identified, oracle, rng, rounds, budget, note)
    return replace(equation, alternatives=alternatives)


def _is_identified(
    law: Refined, oracle: Oracle, settings: Settings, rng: np.random.Generator
) -> bool:
    """True if the law is all that the data allow, as far as they can tell."""
    return (
        law.deviation <= (AGREES_WITH_NOISE if settings.noise else AGREES)
        and is_determined(law)
        and not may_imitate(law)
        and holds_outside(law, oracle, rng)
    )


def _alternatives(
    law: Refined, oracle: Oracle, rng: np.random.Generator
) -> tuple[Alternative, ...]:
    """Simpler laws; for those as good as the law, the experiment that would tell."""
    found = []
    for simpler in simpler_laws(law, oracle, rng):
        experiment = None
        if simpler.deviation <= max(EQUALLY_WELL * law.deviation, 1.0):
            error = float(np.median(measured(oracle, oracle.box, FRESH_STATES, rng).errors))
            laws = (law.expression, simpler.expression)
            experiment = telling_experiment(laws, oracle.names, oracle.box, error, rng)
        found.append(Alternative(simpler.expression, simpler.deviation, experiment))
    return tuple(found)


def _decided(
    law: Refined,
    alternatives: tuple[Alternative, ...],
    oracle: Oracle,
    rng: np.random.Generator,
) -> tuple[Refined, tuple[Alternative, ...]]:
    """Make the telling experiments: what they confirm is the law, what they refute is marked."""
    judged: list[Alternative] = []
    for each in alternatives:
        winner = None if each.experiment is None else decide(each.experiment, oracle)
        if winner == 1:
            # What is left to tell was about the law that is no longer it.
            refuted = Alternative(law.expression, law.deviation, each.experiment, is_refuted=True)
            return finish(each.expression, oracle, rng, is_noisy=True), (*judged, refuted)
        judged.append(replace(each, is_refuted=winner == 0))
    return law, tuple(judged)


def _solved(
    oracle: Oracle, settings: Settings, bench: Bench, suspects: tuple[int, ...] | None
) -> Expression | None:
    method = solve_jointly if settings.expansion == "joint" else solve
    target: Target = DerivativeTarget(oracle)
    if suspects is not None:
        base = random_states(oracle.box, 1, bench.rng)[0]
        target = RestrictedTarget(target, suspects, base)
    return method(target, bench, oracle.names[oracle.component])


@dataclass(frozen=True)
class _Budget:
    """CPU seconds since the start, and whether they are spent."""

    settings: Settings
    began: float = field(default_factory=time.process_time)

    @property
    def elapsed(self) -> float:
        return time.process_time() - self.began

    def check(self) -> None:
        if self.elapsed > self.settings.most_seconds:
            raise OutOfBudgetError(f"stopped after {self.settings.most_seconds:g} CPU seconds")


def _at_attempt(settings: Settings, number: int) -> Settings:
    """Where noise hides what tells laws apart, each attempt measures more."""
    return replace(settings, points=settings.points * 2**number) if settings.noise else settings


def _bench(
    seed: np.random.SeedSequence,
    settings: Settings,
    budget: _Budget,
    learnt: Sequence[Expression],
    on_epoch: Callable[[Epoch], None],
    rounds: list[Round],
) -> Bench:
    rng = np.random.default_rng(seed)
    return Bench(
        proposers=Proposers(settings, learnt, rng),
        starts=start_multipliers(STARTS, np.random.default_rng(0)),
        rng=rng,
        check_budget=budget.check,
        on_epoch=on_epoch,
        sizes=Sizes(settings.trials, settings.points, 2 * settings.points, checks=80),
        rounds=rounds,
    )


def _last_data(oracle: LimitedOracle, count: int, rng: np.random.Generator) -> Data:
    """Fresh measurements as far as the limits allow; else all that was measured."""
    affordable = oracle.affordable(count)
    if affordable >= count // 4:
        with suppress(OutOfBudgetError):
            return measured(oracle, oracle.box, affordable, rng)
    seen = oracle.all_seen()
    usable = np.isfinite(seen.values) & np.isfinite(seen.errors)
    return Data(seen.states[usable], seen.values[usable], seen.errors[usable])


def _judged(
    law: Refined | None,
    identified: bool,
    oracle: LimitedOracle,
    rng: np.random.Generator,
    rounds: Sequence[Round],
    budget: _Budget,
    note: str,
) -> Equation:
    fresh = _last_data(oracle, FRESH_STATES, rng)
    if law is None:
        law = best_polynomial(oracle.names, _last_data(oracle, 4 * FIT_STATES, rng))
    nmse = _nmse(law.expression, oracle.names, fresh)
    status = Status.IDENTIFIED if identified else Status.NOT_IDENTIFIED
    if not identified and 1 - nmse >= APPROXIMATE_R2 and _varies(fresh):
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
        elapsed_s=budget.elapsed,
        note=note,
    )


def _nmse(law: Expression, names: Sequence[str], fresh: Data) -> float:
    """Mean square residual over the variance; of values that do not vary, over their error."""
    predicted = compile_field([law], names)(fresh.states)[:, 0]
    residual = float(np.mean((predicted - fresh.values) ** 2))
    if _varies(fresh):
        return residual / float(np.var(fresh.values))
    return 0.0 if residual <= AGREES**2 * float(np.mean(fresh.errors**2)) else float("inf")


def _varies(fresh: Data) -> bool:
    return bool(np.var(fresh.values) > np.mean(fresh.errors**2))
