"""One equation from first experiment to verdict: attempts at its law, checked on fresh data."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np

from odevsr.evidence.data import Data
from odevsr.language.expression import Expression
from odevsr.limits import SPARE
from odevsr.search.loop import Epoch
from odevsr.search.tiers import Proposers
from odevsr.settings import Settings
from odevsr.vertical.asking.common import Common
from odevsr.vertical.asking.design import Design, Draw, design_of
from odevsr.vertical.asking.quantity import Held, Quantity
from odevsr.vertical.asking.question import Attempt, Question
from odevsr.vertical.asking.story import Journal
from odevsr.vertical.equation import Equation
from odevsr.vertical.judging.approximate import explaining_polynomial, nearest_polynomial
from odevsr.vertical.judging.case import Case, JudgedLaw
from odevsr.vertical.judging.doubt import Doubt
from odevsr.vertical.judging.front import beside_rivals
from odevsr.vertical.judging.judge import nmse_of, status_of
from odevsr.vertical.judging.rivals import Alternative
from odevsr.vertical.laws.first_look import explaining_guess, first_look
from odevsr.vertical.laws.paper import solve_jointly
from odevsr.vertical.laws.planes import solve_on_planes
from odevsr.vertical.laws.solve import steps_to_law
from odevsr.vertical.laws.strategy import is_law
from odevsr.vertical.parts import WHOLE, Parts, law_in_parts
from odevsr.vertical.spending import Spending
from odevsr.world.experiments.budget import LimitedOracle, OutOfBudgetError
from odevsr.world.experiments.mesh import random_states
from odevsr.world.experiments.oracle import Oracle


def discover_equation(
    oracle: Oracle,
    settings: Settings,
    seeds: np.random.SeedSequence,
    learnt: Sequence[Expression] = (),
    suspects: tuple[int, ...] | None = None,
    on_epoch: Callable[[Epoch], None] = lambda epoch: None,
    known: Callable[[], Iterable[Doubt]] = tuple,
    guesses: Sequence[Expression] = (),
) -> Equation:
    """The law of the oracle's component; the first attempt looks at the `suspects` alone.

    `known` tells, once a law is found, the doubts about any, whatever it says; `guesses` are laws
    to try first.
    """
    if not isinstance(oracle, LimitedOracle):
        oracle = LimitedOracle(oracle, settings.most_states)
    case = Case(oracle, settings, known)
    search = _Search(case, tuple(learnt), Spending(settings, on_epoch), tuple(guesses))
    oracle.watch(lambda: len(search.journal.conclusions))
    design, *designs = map(design_of, seeds.spawn(1 + settings.attempts))
    best, spent = _best_of(search.judged(designs, suspects))
    best = None if search.parts.has_known_laws else best
    rng = design.rng(Draw.JUDGE)
    alternatives: tuple[Alternative, ...] = ()
    with suppress(OutOfBudgetError):
        if best is None and not (search.parts.has_known_laws or oracle.is_noisy):
            best = explaining_polynomial(case, rng)
        best, alternatives = beside_rivals(case, best, rng)
    return search.equation(best, alternatives, spent, rng)


def _best_of(judged: Iterable[JudgedLaw]) -> tuple[JudgedLaw | None, OutOfBudgetError | None]:
    """The first law that nothing refutes, or the best of all; and what ended the search."""
    best = None
    try:
        for each in judged:
            if best is None or each.rank < best.rank:
                best = each
            if not best.is_refuted:
                break
    except OutOfBudgetError as error:
        return best, error
    return best, None


@dataclass(eq=False)
class _Search:
    """The search for one equation: what it spends, what is written down, where the law breaks."""

    case: Case
    learnt: tuple[Expression, ...]
    spending: Spending
    guesses: tuple[Expression, ...] = ()
    journal: Journal = field(default_factory=Journal)
    parts: Parts = WHOLE
    """Those that the law breaks into, as far as anybody has looked."""
    has_looked_for_breaks: bool = False

    def judged(
        self, designs: Sequence[Design], suspects: tuple[int, ...] | None
    ) -> Iterator[JudgedLaw]:
        """Laws that explain the derivative, attempt after attempt, with what speaks against them.

        Those of an attempt end with the law of parts that meet, if it is made of such.
        """
        for number, design in enumerate(designs):
            for law in self._laws(self._question(number, design, None if number else suspects)):
                yield self.case.judged(law, design.rng(Draw.FINISH))
            self._look_for_breaks(design)
            if self.parts.joined is not None:
                yield self.case.judged(self.parts.joined, design.rng(Draw.FINISH))
            if self.parts.has_known_laws:
                return

    def _question(self, number: int, design: Design, suspects: tuple[int, ...] | None) -> Question:
        """What is asked in an attempt."""
        attempt = self._attempt(_settings_of(self.case, number))
        attempt = replace(attempt, journal=self.journal, number=number)
        return Question(
            self._quantity(design, suspects), attempt, design, self.case.oracle.variable
        )

    def _laws(self, question: Question) -> Iterator[Expression]:
        """Laws that explain the derivative, guesses and what is seen at once before the others."""
        if question.attempt.number == 0:
            guess = explaining_guess(question, self.guesses)
            if guess is not None:
                yield guess
            seen = first_look(question) if question.is_frugal else None
            if seen is not None:
                yield seen
                return
        yield from self._solved(question)

    def _quantity(self, design: Design, suspects: tuple[int, ...] | None) -> Quantity:
        """What a law is sought for, as a function of the suspects alone if there are any."""
        quantity: Quantity = self.case.oracle
        if self.case.is_frugal:
            everything = tuple(range(len(quantity.names)))
            return Common(quantity, everything if suspects is None else suspects, design.root)
        if suspects is None:
            return quantity
        return Held(quantity, suspects, random_states(quantity.box, 1, design.rng(Draw.BASE))[0])

    def _attempt(self, settings: Settings) -> Attempt:
        oracle = self.case.oracle
        return Attempt(
            proposers=Proposers(settings, self.learnt),
            agreement=self.case.agreement,
            check_budget=self.spending.check,
            on_epoch=self.spending.count,
            experiments=lambda: oracle.cost.experiments,
        )

    def _solved(self, question: Question) -> Iterator[Expression]:
        """The laws found at one cost; if there are none, breaks are looked for, then more spent."""
        if not self.case.uses_strategies:
            own = solve_on_planes if self.case.settings.sampling == "crossings" else solve_jointly
            law = own(question)
            yield from () if law is None else (law,)
            return
        has_found = False
        for step in steps_to_law(question):
            if is_law(step):
                has_found = True
                yield step
            elif has_found:
                return
            else:
                self._look_for_breaks(question.design)
                if self.parts.has_known_laws or self.parts.joined is not None:
                    return

    def _look_for_breaks(self, design: Design) -> None:
        """Find out, once, where the law breaks, and which laws its parts have."""
        case = self.case
        if case.uses_strategies and not (self.has_looked_for_breaks or case.oracle.is_noisy):
            self.has_looked_for_breaks = True
            self.parts = law_in_parts(case.oracle, self._attempt(case.settings), design)

    def equation(
        self,
        best: JudgedLaw | None,
        alternatives: tuple[Alternative, ...],
        spent: OutOfBudgetError | None,
        rng: np.random.Generator,
    ) -> Equation:
        """The equation as the user sees it: the law found, or what comes nearest."""
        oracle, case = self.case.oracle, self.case
        oracle.release()
        if best is None:
            relevant = self.journal.relevant(oracle.names)
            best = nearest_polynomial(case, relevant, self.parts.doubt, rng)
        law, fresh = best.law, Data(oracle.names, best.fresh, case.agreement)
        nmse = nmse_of(law.expression, fresh)
        notes = [*([str(spent)] if spent else []), *(each.sentence for each in best.doubts)]
        return Equation(
            variable=oracle.variable,
            kind=oracle.kind,
            expression=law.expression,
            status=status_of(best.doubts, nmse, best.fresh),
            constants=law.constants,
            r2=1 - nmse,
            nmse=nmse,
            deviation=fresh.deviation(law.expression),
            rounds=tuple(self.journal.rounds),
            screenings=tuple(self.journal.screenings),
            conclusions=tuple(self.journal.conclusions),
            cost=oracle.cost,
            candidates=self.spending.candidates,
            elapsed_s=self.spending.elapsed_s,
            note="; ".join(notes),
            alternatives=alternatives,
            out_of_time=spent is not None and spent.by_time,
        )


def _settings_of(case: Case, number: int) -> Settings:
    """The settings of an attempt: noise hides what tells laws apart, so each measures more."""
    if case.oracle.is_noisy:
        return replace(case.settings, points=case.settings.points * 2**number)
    return frugal_settings(case.settings, number) if case.settings.frugal else case.settings


def frugal_settings(settings: Settings, number: int) -> Settings:
    """The settings of an attempt where states are dear: a quarter of the points, then half, ...

    The first has one trial more than will do.
    """
    points = min(settings.points, math.ceil(settings.points / 4) * 2**number)
    return replace(settings, points=points, trials=min(settings.trials, SPARE + 1 + number))
