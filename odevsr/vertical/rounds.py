"""Rounds of controlled experiments: free some variables, hold the others, search for the form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from odevsr.language.expression import CONSTANT, Expression, variables
from odevsr.language.text import to_text
from odevsr.search.problem import (
    MOST_DEVIATION,
    NOISY_DEVIATION,
    Problem,
    make_problem,
    usable_trials,
)
from odevsr.search.proposers import Proposers
from odevsr.search.train import Epoch, Found, Proposer, search
from odevsr.vertical.refine import Data
from odevsr.vertical.target import Target, trials_along
from odevsr.world.budget import OutOfBudgetError as OutOfBudgetError
from odevsr.world.oracle import random_states

FloatArray = NDArray[np.float64]
NOTHING = Found((), None, ())


@dataclass(frozen=True)
class Round:
    """One search: what was freed for which target, who proposed what, and how well it fits."""

    target: str
    variable: str
    trials: int
    points: int
    proposer: str
    form: str
    deviation: float
    candidates: int


@dataclass(frozen=True)
class Sizes:
    """How much is measured: more for the equation itself than for its summary constants."""

    trials: int
    points: int
    alone: int
    """Points where nothing is held."""
    checks: int
    """Uncontrolled measurements a law is refined on and held to."""


@dataclass(eq=False)
class Bench:
    """What the rounds of one equation share: proposers, start values, randomness, the record."""

    proposers: Proposers
    starts: FloatArray
    rng: np.random.Generator
    check_budget: Callable[[], None]
    on_epoch: Callable[[Epoch], None]
    sizes: Sizes
    rounds: list[Round] = field(default_factory=list)

    @property
    def most_deviation(self) -> float:
        """What counts as agreement: noise is known, numerical errors are only estimated."""
        return NOISY_DEVIATION if self.proposers.settings.noise else MOST_DEVIATION

    def knowing(self, fillings: Iterable[Expression]) -> Bench:
        """The same bench, whose proposers also build on what other summary constants are."""
        proposers = self.proposers
        known = [filling for filling in fillings if variables(filling)]
        return replace(self, proposers=replace(proposers, learnt=(*proposers.learnt, *known)))

    def sizes_at(self, depth: int) -> Sizes:
        """Each summary constant costs a fit of its own, so below the top all is smaller."""
        return self.sizes if depth == 0 else Sizes(trials=3, points=24, alone=40, checks=24)


def controlled(target: Target, free: Sequence[int], bench: Bench, depth: int = 0) -> Problem | None:
    """Experiments with some variables free and the others held at several settings.

    None if too little of it could be measured.
    """
    bench.check_budget()
    sizes = bench.sizes_at(depth)
    everything = len(free) == len(target.names)
    trials, points = (1, sizes.alone) if everything else (sizes.trials, sizes.points)
    states, values, errors = trials_along(target, free, trials, points, bench.rng)
    if not np.any(usable_trials(values, errors)):
        return None
    names = [target.names[index] for index in free]
    return make_problem(
        names, states[..., list(free)], values, errors, bench.starts, bench.most_deviation
    )


def search_round(
    problem: Problem | None,
    variable: str,
    proposers: Sequence[Proposer],
    bench: Bench,
    label: str,
) -> Found:
    """Let the proposers search, and write the round down."""
    if problem is None:
        return NOTHING
    found = search(
        problem,
        proposers,
        on_epoch=lambda epoch: bench.on_epoch(replace(epoch, variable=variable)),
        check_budget=bench.check_budget,
    )
    best = found.forms[0] if found.forms else None
    trials, _, points = problem.trials.points.shape
    bench.rounds.append(
        Round(
            target=label,
            variable=variable,
            trials=trials,
            points=points,
            proposer=best.proposer if best else "none",
            form=to_text(best.expression if best else found.nearest or CONSTANT),
            deviation=best.deviation if best else float("inf"),
            candidates=found.candidates,
        )
    )
    return found


def search_tier(
    problem: Problem | None, variable: str, tier: int, bench: Bench, label: str
) -> Found:
    """A round in which one tier of the proposers searches."""
    if problem is None:
        return NOTHING
    proposers = bench.proposers.tier(tier, variable, problem)
    return search_round(problem, variable, proposers, bench, label)


def uncontrolled(target: Target, count: int, bench: Bench) -> Data | None:
    """Measurements with every variable free; None if nothing could be measured."""
    bench.check_budget()
    states = random_states(target.box, count, bench.rng)
    values, errors = target.measure(states)
    usable = np.isfinite(errors) & np.isfinite(values)
    if not np.any(usable):
        return None
    return Data(states[usable], values[usable], errors[usable])
