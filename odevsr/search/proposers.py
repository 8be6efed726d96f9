"""Proposers for the search loop: families of functions, and policies over a grammar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from odevsr.fitting.fit import Effort
from odevsr.language.expression import Expression, variables
from odevsr.search.families import stages
from odevsr.settings import Settings


@dataclass(frozen=True)
class FamilyProposer:
    """Proposes the families of one variable, stage by stage."""

    variable: str
    learnt: Sequence[Expression] = ()
    name: str = "families"
    effort: Effort = Effort(starts=16, probing=6, kept=2, hopeless=1e-7)

    def batches(self) -> Iterator[list[Expression]]:
        """The stages of `families`."""
        return stages(self.variable, self.learnt)

    def learn(self, rewards: dict[Expression, float]) -> None:
        """Families have nothing to learn."""


def make_proposers(
    variable: str,
    dimension: int,
    settings: Settings,
    learnt: Sequence[Expression],
    rng: np.random.Generator,
) -> list[FamilyProposer]:
    """Who proposes in a round over one variable of a target with `dimension` of them, in order."""
    here = [each for each in learnt if variables(each) == {variable}]
    return [FamilyProposer(variable, here)] if settings.families else []
