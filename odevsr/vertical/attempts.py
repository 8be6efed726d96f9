"""One equation from first experiment to verdict: attempts at its law, checked on fresh data."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np

from odevsr.evidence.agreement import Agreement
from odevsr.evidence.law import Law, deviation_of
from odevsr.fitting.fit import start_multipliers
from odevsr.language.expression import Expression
from odevsr.search.loop import Epoch
from odevsr.search.tiers import Proposers
from odevsr.settings import Settings
from odevsr.vertical.approximate import best_polynomial, sparse_polynomial
from odevsr.vertical.common import Common
from odevsr.vertical.design import Design, Draw, design_of
from odevsr.vertical.doubt import Doubt, Weight
from odevsr.vertical.equation import Equation
from odevsr.vertical.finish import FIT_STATES, FRESH_STATES, finish, measured, simpler_laws
from odevsr.vertical.first_look import first_look
from odevsr.vertical.judge import doubts, nmse_of, status_of
from odevsr.vertical.paper import solve_jointly
from odevsr.vertical.parts import law_in_parts
from odevsr.vertical.planes import solve_on_planes
from odevsr.vertical.quantity import Derivative, Held, Quantity
from odevsr.vertical.rivals import Alternative, decide, telling_experiment
from odevsr.vertical.rounds import Attempt, Question
from odevsr.vertical.solve import steps_to_law
from odevsr.vertical.step import is_law
from odevsr.vertical.story import Conclusion, Round, Screening
from odevsr.world.experiments.budget import LimitedOracle, OutOfBudgetError
from odevsr.world.experiments.oracle import Oracle, random_states
from odevsr.world.sample import Sample

STARTS = 16
"""Start values of the constants of a form."""
FEW_POINTS, FEW_TRIALS = 10, 4
"""Points in a trial, and trials, of the first attempt where states are dear; the next attempt has
twice as many points, up to what is usual."""


def discover_equation(
    oracle: Oracle,
    settings: Settings,
    seeds: np.random.SeedSequence,
    learnt: Sequence[Expression] = (),
    suspects: tuple[int, ...] | None = None,
    on_epoch: Callable[[Epoch], None] = lambda epoch: None,
    known: Sequence[Doubt] = (),
) -> Equation:
    """The law of the oracle's component; the first attempt looks at the `suspects` alone.

    `known` are doubts about any law, whatever it says.
    """
    if not isinstance(oracle, LimitedOracle):
        oracle = LimitedOracle(oracle, settings.most_states)
    search = _Search(oracle, settings, tuple(learnt), on_epoch, tuple(known))
    design, *designs = map(design_of, seeds.spawn(1 + settings.attempts))
    best: Candidate | None = None
    spent: OutOfBudgetError | None = None
    for number, each in enumerate(designs):
        try:
            found = search.attempt(number, each, None if number else suspects)
            if found is None or found.is_refuted:
                search.look_for_breaks(each)
        except OutOfBudgetError as error:
            spent = error
            break
        if found is not None and (best is None or found.rank < best.rank):
            best = found
        if search.is_in_parts or (best is not None and not best.is_refuted):
            break
    rng = design.rng(Draw.JUDGE)
    alternatives: tuple[Alternative, ...] = ()
    if search.is_in_parts:
        best = None
    with suppress(OutOfBudgetError):
        if best is None and not (search.is_in_parts or oracle.is_noisy):
            best = search.polynomial(rng)
        best, alternatives = search.beside_rivals(best, rng)
    equation = search.equation(best, spent, rng)
    return replace(equation, alternatives=alternatives)


@dataclass(frozen=True)
class Candidate:
    """A law, and what speaks against it."""

    law: Law
    doubts: tuple[Doubt, ...]
    fresh: Sample = field(compare=False)
    """Measurements that it was not fitted to."""

    @property
    def rank(self) -> tuple[bool, float]:
        """What nothing refutes first, then the nearest."""
        return self.is_refuted, self.law.deviation

    @property
    def is_refuted(self) -> bool:
        """True if there are doubts that another attempt might do without."""
        return any(each.refutes for each in self.doubts)


@dataclass(eq=False)
class _Search:
    """The search for one equation: who measures, what may be spent, the record of its rounds."""

    oracle: LimitedOracle
    settings: Settings
    learnt: tuple[Expression, ...]
    on_epoch: Callable[[Epoch], None]
    known: tuple[Doubt, ...] = ()
    began: float = field(default_factory=time.process_time)
    candidates: int = 0
    rounds: list[Round] = field(default_factory=list)
    screenings: list[Screening] = field(default_factory=list)
    conclusions: list[Conclusion] = field(default_factory=list)
    breaks: Doubt | None = None
    """Where the law breaks, if it was looked for and does."""
    has_looked: bool = False

    @property
    def is_in_parts(self) -> bool:
        """True if the law breaks, and some part of it is known."""
        return self.breaks is not None and self.breaks.weight is Weight.BREAKS

    @property
    def is_frugal(self) -> bool:
        """True if as few states are measured as will do; noise takes many."""
        return self.settings.frugal and not self.oracle.is_noisy

    @property
    def is_plain(self) -> bool:
        """True if nothing is looked for but the law of the whole."""
        return self.settings.expansion == "joint" or self.settings.sampling == "crossings"

    @property
    def agreement(self) -> Agreement:
        """What counts as agreement with what the oracle measures."""
        return Agreement(self.oracle.is_noisy, self.settings.limits)

    def attempt(
        self, number: int, design: Design, suspects: tuple[int, ...] | None
    ) -> Candidate | None:
        """A law that explains the derivative, and what speaks against it; None if none does."""
        oracle, settings = self.oracle, self.settings
        if self.agreement.is_noisy:  # It hides what tells laws apart: each attempt measures more.
            settings = replace(settings, points=settings.points * 2**number)
        elif settings.frugal:
            settings = _begun_small(settings, number)
        attempt = replace(
            self._attempt(settings),
            rounds=self.rounds,
            screenings=self.screenings,
            conclusions=self.conclusions,
            number=number,
            experiments=lambda: oracle.cost.experiments,
        )
        question = Question(self._quantity(design, suspects), attempt, design, oracle.variable)
        law = first_look(question) if question.is_frugal and not number else None
        if law is None:
            law = self._solved(question, design)
        return None if law is None else self._checked(law, design.rng(Draw.FINISH))

    def _quantity(self, design: Design, suspects: tuple[int, ...] | None) -> Quantity:
        """What a law is sought for, as a function of the suspects alone if there are any."""
        quantity, count = Derivative(self.oracle), len(self.oracle.names)
        if self.is_frugal:
            everything = tuple(range(count))
            return Common(quantity, everything if suspects is None else suspects, design.root)
        if suspects is None:
            return quantity
        return Held(quantity, suspects, random_states(quantity.box, 1, design.rng(Draw.BASE))[0])

    def _attempt(self, settings: Settings) -> Attempt:
        return Attempt(
            proposers=Proposers(settings, self.learnt),
            starts=start_multipliers(STARTS, np.random.default_rng(0)),
            agreement=self.agreement,
            check_budget=self._check_budget,
            on_epoch=self._count,
        )

    def _solved(self, question: Question, design: Design) -> Expression | None:
        """The law; None if there is none, or if it breaks: that is looked for before sampling."""
        if self.settings.sampling == "crossings":
            return solve_on_planes(question)
        if self.settings.expansion == "joint":
            return solve_jointly(question)
        for step in steps_to_law(question):
            if is_law(step):
                return step
            self.look_for_breaks(design)
            if self.is_in_parts:
                return None
        return None

    def look_for_breaks(self, design: Design) -> None:
        """Find out, once, where the law breaks, and which laws its parts have."""
        if not (self.has_looked or self.agreement.is_noisy or self.is_plain):
            self.has_looked = True
            self.breaks = law_in_parts(self.oracle, self._attempt(self.settings), design)

    def polynomial(self, rng: np.random.Generator) -> Candidate | None:
        """A sum of powers and products: terms far weaker than others may lead rounds astray."""
        sample = measured(self.oracle, self.oracle.box, 4 * FIT_STATES, rng)
        law = sparse_polynomial(self.oracle.names, sample, self.agreement)
        return None if law is None else self._checked(law, rng)

    def beside_rivals(
        self, best: Candidate | None, rng: np.random.Generator
    ) -> tuple[Candidate | None, tuple[Alternative, ...]]:
        """The law, or the one that experiments decided for, and simpler laws beside it."""
        if best is None or not (self.agreement.is_noisy or best.is_refuted):
            return best, ()
        alternatives = [self._alternative(best.law, each, rng) for each in
                        simpler_laws(best.law, self.oracle, rng)]  # fmt: skip
        if not self.settings.decide:
            return best, tuple(alternatives)
        judged: list[Alternative] = []
        for each in alternatives:
            winner = None if each.experiment is None else decide(each.experiment, self.oracle)
            if winner == 1:
                # What is left to tell was about the law that is no longer it.
                law = best.law
                refuted = Alternative(law.expression, law.deviation, each.experiment, True)
                return self._checked(each.expression, rng), (*judged, refuted)
            judged.append(replace(each, is_refuted=winner == 0))
        return best, tuple(judged)

    def equation(
        self, best: Candidate | None, spent: OutOfBudgetError | None, rng: np.random.Generator
    ) -> Equation:
        """The equation as the user sees it: the law found, or what comes nearest."""
        oracle = self.oracle
        oracle.release()
        if best is None:
            fresh = self._last_sample(FRESH_STATES, rng)
            sample = self._last_sample(4 * FIT_STATES, rng)
            doubt = self.breaks or Doubt("no law explains the rounds")
            nearest = best_polynomial(oracle.names, sample, self._relevant())
            best = Candidate(nearest, (doubt,), fresh)
        law, names, fresh = best.law, oracle.names, best.fresh
        nmse = nmse_of(law.expression, names, fresh, self.agreement)
        return Equation(
            variable=oracle.variable,
            kind=oracle.kind,
            expression=law.expression,
            status=status_of(best.doubts, nmse, fresh, self.settings.limits),
            constants=law.constants,
            r2=1 - nmse,
            nmse=nmse,
            deviation=deviation_of(law.expression, names, fresh),
            rounds=tuple(self.rounds),
            screenings=tuple(self.screenings),
            conclusions=tuple(self.conclusions),
            cost=oracle.cost,
            candidates=self.candidates,
            elapsed_s=self._elapsed(),
            note="; ".join(self._notes(best, spent)),
            out_of_time=spent is not None and spent.by_time,
        )

    def _notes(self, best: Candidate, spent: OutOfBudgetError | None) -> Iterator[str]:
        """What ended the search, what speaks against the law, and where it was not asked."""
        if spent:
            yield str(spent)
        yield from (each.sentence for each in best.doubts)

    def _checked(self, law: Expression, rng: np.random.Generator) -> Candidate:
        seen = self.oracle.all_seen().measured() if self.is_frugal else None
        finished, fresh = finish(law, self.oracle, self.agreement, rng, seen)
        seen = self.oracle.all_seen().measured() if self.agreement.is_noisy else None
        found = doubts(finished, self.oracle, self.agreement, rng, seen)
        return Candidate(finished, (*found, *self.known), fresh)

    def _last_sample(self, count: int, rng: np.random.Generator) -> Sample:
        """Fresh measurements as far as the limits allow; else all that was measured."""
        oracle = self.oracle
        affordable = oracle.affordable(count)
        if affordable >= count // 4:
            with suppress(OutOfBudgetError):
                return measured(oracle, oracle.box, affordable, rng)
        return oracle.all_seen().measured()

    def _alternative(self, law: Law, simpler: Law, rng: np.random.Generator) -> Alternative:
        """A simpler law; if it is as good, with the experiment that would tell."""
        oracle, experiment = self.oracle, None
        if self.agreement.no_worse(simpler.deviation, law.deviation):
            error = float(np.median(measured(oracle, oracle.box, FRESH_STATES, rng).errors))
            laws = (law.expression, simpler.expression)
            experiment = telling_experiment(laws, oracle.names, oracle.box, error, rng)
        return Alternative(simpler.expression, simpler.deviation, experiment)

    def _relevant(self) -> list[str]:
        """Variables that were seen to move the derivative; all, if none was looked at."""
        names = self.oracle.names
        looks = [each for each in self.screenings if not each.place.within]
        seen = {name for each in looks for name in each.relevant}
        return [name for name in names if name in seen or not looks]

    def _elapsed(self) -> float:
        """CPU seconds since the start."""
        return time.process_time() - self.began

    def _count(self, epoch: Epoch) -> None:
        self.candidates += epoch.candidates
        self.on_epoch(epoch)

    def _check_budget(self) -> None:
        """Candidates decide, as states do, so that all machines end alike; seconds only end it."""
        settings = self.settings
        if self.candidates > settings.most_candidates:
            raise OutOfBudgetError(f"stopped after {settings.most_candidates:,} candidates")
        if self._elapsed() > settings.most_seconds:
            raise OutOfBudgetError(
                f"stopped after {settings.most_seconds:g} CPU seconds", by_time=True
            )


def _begun_small(settings: Settings, number: int) -> Settings:
    """The settings of an attempt where states are dear."""
    points = min(settings.points, FEW_POINTS * 2**number)
    return replace(settings, points=points, trials=min(settings.trials, FEW_TRIALS + number))
