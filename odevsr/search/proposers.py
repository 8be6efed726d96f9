"""Proposers for the search loop: families of functions, and policies over a grammar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from odevsr.fitting.fit import Effort
from odevsr.language.expression import Expression
from odevsr.search.families import stages


@dataclass(frozen=True)
class FamilyProposer:
    """Proposes the families of one variable, stage by stage."""

    variable: str
    learnt: Sequence[Expression] = ()
    name: str = "families"
    effort: Effort = Effort(starts=8, probing=6, kept=2, hopeless=1e-7)

    def batches(self) -> Iterator[list[Expression]]:
        """The stages of `families`."""
        return stages(self.variable, self.learnt)

    def learn(self, rewards: dict[Expression, float]) -> None:
        """Families have nothing to learn."""
