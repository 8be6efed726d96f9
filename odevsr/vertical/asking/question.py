"""The question that a search answers: what the law of a quantity is, and what is at hand for it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from odevsr.evidence.agreement import Agreement
from odevsr.evidence.controlled import Controlled, Setting, make_controlled
from odevsr.evidence.data import Data
from odevsr.language.expression import Constant, Expression, count, variables
from odevsr.language.text import to_text
from odevsr.limits import SPARE, Limits
from odevsr.search.loop import Epoch
from odevsr.search.tiers import Proposers
from odevsr.settings import Settings
from odevsr.vertical.asking.common import Common
from odevsr.vertical.asking.design import Design, Draw
from odevsr.vertical.asking.quantity import Quantity
from odevsr.vertical.asking.states import uniform_states
from odevsr.vertical.asking.story import (
    Conclusion,
    Journal,
    Place,
    WayToLaw,
    constant_names,
    numbered,
)
from odevsr.world.experiments.mesh import mesh, random_states
from odevsr.world.sample import Sample


@dataclass(frozen=True, eq=False)
class Attempt:
    """What all rounds of one attempt at an equation share, and the record they are written to."""

    proposers: Proposers
    agreement: Agreement
    check_budget: Callable[[], None] = lambda: None
    on_epoch: Callable[[Epoch], None] = lambda epoch: None
    journal: Journal = field(default_factory=Journal)
    number: int = 0
    """Attempts before this one."""
    experiments: Callable[[], int] = lambda: 0
    """How many experiments the oracle has made so far."""

    def knowing(self, fillings: Iterable[Expression]) -> Attempt:
        """The same, whose proposers also build on what other summary constants are."""
        known = [filling for filling in fillings if variables(filling)]
        learnt = (*self.proposers.learnt, *known)
        return replace(self, proposers=replace(self.proposers, learnt=learnt))


@dataclass(frozen=True, eq=False)
class Question:
    """A quantity whose law is asked for, and what is at hand to find it."""

    quantity: Quantity
    attempt: Attempt
    design: Design
    label: str
    """The name that its rounds are recorded under."""
    depth: int = 0
    """How many forms it is a summary constant within; 0 for the equation itself."""
    in_new_coordinates: bool = False
    within: str = ""
    """The form that the quantity is a constant of, as text; empty for the equation itself."""
    called: str = ""
    """The name of the constant in that form."""
    stands_for: tuple[tuple[str, str], ...] = ()
    """Variables that stand for others, as x for "x - y"."""
    is_brief: bool = False
    """True where only what is found at once is worth it."""

    @property
    def place(self) -> Place:
        """Where in the search it is asked."""
        return Place(self.label, self.attempt.number, self.within, self.called, self.stands_for)

    def constants_of(self, form: Expression) -> list[str]:
        """What the open constants of a form of the quantity are called."""
        return constant_names(count(form, Constant), self.quantity.names, self.depth)

    def conclude(
        self,
        law: Expression,
        strategy: WayToLaw,
        about: Sequence[int] = (),
        form: Expression | None = None,
    ) -> None:
        """Write down what the law is, and the strategy that led to it."""
        names = tuple(self.quantity.names[index] for index in about)
        frozen = "" if form is None else numbered(form, self.constants_of(form))
        self.attempt.journal.conclusions.append(
            Conclusion(self.place, strategy, names, frozen, to_text(law))
        )

    @property
    def uses_gradients(self) -> bool:
        """True if gradients were looked at before any round: they are dear for a constant."""
        return self.is_first and not self.attempt.agreement.is_noisy

    @property
    def is_first(self) -> bool:
        """True for the equation itself."""
        return self.depth == 0

    @property
    def is_frugal(self) -> bool:
        """True if its experiments are those of the other equations, too."""
        return isinstance(self.quantity, Common)

    @property
    def settings(self) -> Settings:
        """Those of the attempt."""
        return self.attempt.proposers.settings

    @property
    def limits(self) -> Limits:
        """What counts."""
        return self.attempt.agreement.limits

    @property
    def trials(self) -> int:
        """Settings of the held variables in a round; a summary constant gets fewer."""
        trials = self.settings.trials
        return min(trials, max(SPARE, math.ceil(self._share * trials)))

    @property
    def points(self) -> int:
        """States in a trial; each state of a summary constant is a fit of its own."""
        return math.ceil(self._share * self.settings.points)

    @property
    def _share(self) -> float:
        """Of the trials and points of the equation itself."""
        return 1.0 if self.is_first else self.settings.summary_share

    @property
    def states_of_rounds(self) -> int:
        """States that rounds over each variable alone would take: no other look may take more."""
        return len(self.quantity.names) * self.trials * self.points

    @property
    def check_points(self) -> int:
        """States at which a law is held to data."""
        return 2 * self.points if self.is_first else self.points

    @cached_property
    def checks(self) -> Data:
        """Measurements with every variable free, on which laws are fitted and held to."""
        return self.uncontrolled(self.check_points)

    def uncontrolled(self, count: int) -> Data:
        """Measurements with every variable free."""
        self.attempt.check_budget()
        quantity = self.quantity
        if isinstance(quantity, Common):
            sample = quantity.spread(count)
        else:
            rng = self.design.rng(Draw.CHECKS, count)
            sample = quantity.measure(random_states(quantity.box, count, rng))
        return Data(quantity.names, sample.measured(), self.attempt.agreement)

    def controlled(self, free: Sequence[int], points: int | None = None) -> Controlled | None:
        """Experiments with some variables free and the others held at several settings.

        None if too little of it could be measured. A trial has the usual number of points, or this.
        """
        self.attempt.check_budget()
        quantity, before = self.quantity, self.attempt.experiments()
        sample = self._trials(free, points or self.points)
        made = before, self.attempt.experiments()
        others = [index for index in range(len(quantity.names)) if index not in free]
        values = tuple(map(tuple, sample.states[:, 0, others].tolist()))
        sample = replace(sample, states=sample.states[..., list(free)])
        names = [quantity.names[index] for index in free]
        setting = Setting(tuple(quantity.names[index] for index in others), values, made)
        return make_controlled(names, sample, self.attempt.agreement, setting)

    def _trials(self, free: Sequence[int], points: int) -> Sample:
        """Measurements at states (K, N, n), or at (1, 2 N, n) where nothing is left to be held."""
        quantity, rng = self.quantity, self.design.rng(Draw.TRIALS, *free)
        everything = len(free) == len(quantity.names)
        trials, points = (1, 2 * points) if everything else (self.trials, points)
        if isinstance(quantity, Common) and everything:
            return quantity.spread(points).in_trials()
        if isinstance(quantity, Common) and len(free) == 1:
            return quantity.lines(free[0], trials, points)
        held = uniform_states(quantity.box, trials, rng)
        return quantity.measure(mesh(quantity.box, free, held, points, rng))
