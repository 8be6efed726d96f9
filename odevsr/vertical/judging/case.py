"""An equation as a case: who measures, how it is judged; and laws with what speaks against them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

from odevsr.evidence.agreement import Agreement
from odevsr.evidence.law import Law
from odevsr.language.expression import Expression
from odevsr.settings import Settings
from odevsr.vertical.asking.measuring import Measuring
from odevsr.vertical.judging.doubt import Doubt
from odevsr.vertical.judging.finish import finish
from odevsr.vertical.judging.judge import doubts
from odevsr.world.experiments.budget import LimitedOracle
from odevsr.world.sample import Sample


@dataclass(frozen=True)
class JudgedLaw:
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


@dataclass(frozen=True, eq=False)
class Case:
    """The equation that is sought."""

    oracle: LimitedOracle
    settings: Settings
    known: Callable[[], Iterable[Doubt]] = tuple
    """Tells, once a law is found, the doubts about any, whatever it says."""

    @property
    def agreement(self) -> Agreement:
        """What counts as agreement with what the oracle measures."""
        return Agreement(self.oracle.is_noisy, self.settings.limits)

    @property
    def measuring(self) -> Measuring:
        """The same with who measures."""
        return Measuring(self.oracle, self.agreement, self.settings.frugal)

    @property
    def is_frugal(self) -> bool:
        """True if as few states are measured as will do; noise takes many."""
        return self.settings.frugal and not self.oracle.is_noisy

    @property
    def uses_strategies(self) -> bool:
        """True if strategies lead from forms of single variables to the law, or to its breaks.

        The paper's algorithm and planes have rounds of their own, and look for nothing else.
        """
        return self.settings.expansion == "factored" and self.settings.sampling == "launches"

    def judged(self, law: Expression, rng: np.random.Generator) -> JudgedLaw:
        """The law at its best, held to fresh data and doubted."""
        is_needed = self.is_frugal or self.oracle.is_noisy
        seen = self.oracle.all_seen().measured() if is_needed else None
        finished, fresh = finish(law, self.measuring, rng, seen)
        found = doubts(finished, self.measuring, rng, self.oracle.all_seen().measured())
        return JudgedLaw(finished, (*found, *self.known()), fresh)
