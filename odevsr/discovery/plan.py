"""Which searches a pass makes: of every equation at first, then of those that others help with."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from odevsr.discovery.learning import learnt_rules
from odevsr.discovery.request import Request
from odevsr.discovery.task import Task
from odevsr.language.expression import Expression
from odevsr.settings import CHEAP, Settings
from odevsr.vertical.equation import Equation, Status
from odevsr.world.experiments.budget import NOTHING
from odevsr.world.pilot.pilot import Pilot

FIRST_SHARE = 64
"""The first pass has one in so many of the candidates, some 3,000: 106 of the 108 laws of the
systems in `systems/` take fewer."""


@dataclass(frozen=True, eq=False)
class Plan:
    """What is wanted, what the pilot told and what was found so far decide what comes next."""

    request: Request
    pilot: Pilot
    found: Mapping[str, Equation]

    def tasks(self, number: int) -> list[Task]:
        """Searches of a pass: of all components, then of those that are not identified.

        Where others may still teach, half of the seconds are left for later.
        """
        learnt = self._rules_for(number)
        is_taught = number > 1 and learnt != self._rules_for(number - 1)
        share = 2 if len(self.request.chosen) - len(self._settled_before(number)) > 1 else 1
        return [
            replace(self._task(component, number, share), learnt=learnt)
            for component, name in zip(self.request.chosen, self.request.wanted, strict=True)
            if self._is_worth_a_search(self.found.get(name), number, is_taught)
        ]

    @property
    def _first_candidates(self) -> int:
        """What is fitted before it is asked what others have found; all, where all is sampled."""
        settings = self.request.settings
        share = FIRST_SHARE if CHEAP & set(settings.proposers) else 1
        return max(settings.most_candidates // share, 1)

    def _settings_left(self, before: Equation | None, share: int) -> Settings:
        """What an equation has left of the settings; a first search of several ends early."""
        settings = self.request.settings
        seconds, candidates = (before.elapsed_s, before.candidates) if before else (0.0, 0)
        most = settings.most_candidates - candidates
        return replace(
            settings,
            most_seconds=(settings.most_seconds - seconds) / share,
            most_candidates=most if before or share == 1 else self._first_candidates,
        )

    def _is_worth_a_search(self, before: Equation | None, number: int, is_taught: bool) -> bool:
        """Whether an equation is searched: for the first time, or with more to spend and to try."""
        if before is None:
            return number == 1
        settings, cost = self.request.settings, before.cost
        states, launches = settings.most_states or math.inf, settings.max_launches or math.inf
        return (
            before.passes == number - 1
            and not _is_settled(before)
            and (is_taught or (number == 2 and before.candidates > self._first_candidates))
            and before.elapsed_s < settings.most_seconds
            and before.candidates < settings.most_candidates
            and 2 * cost.states <= states
            and 2 * cost.simulations <= launches
        )

    def _settled_before(self, number: int) -> list[Equation]:
        """Equations that were identified before a pass."""
        names = self.request.studied.components
        found = (self.found[name] for name in names if name in self.found)
        return [each for each in found if _is_settled(each) and each.found_in < number]

    def _rules_for(self, number: int) -> tuple[Expression, ...]:
        """What they teach the others in it."""
        return learnt_rules([each.expression for each in self._settled_before(number)])

    def _task(self, component: int, number: int, share: int) -> Task:
        """The search for one equation; all have the same seeds where they share experiments."""
        request, name = self.request, self.request.studied.components[component]
        before = self.found.get(name)
        settings = self._settings_left(before, share)
        is_shared = settings.frugal and settings.noise == 0 and not self.pilot.is_noisy
        return Task(
            request.studied,
            self.pilot,
            component,
            settings,
            request.seeds(0 if is_shared else component, number),
            spent=NOTHING if before is None else before.cost,
            guesses=request.guesses.get(name, ()),
        )


def _is_settled(equation: Equation) -> bool:
    """Whether another search would tell nothing new: what is undecided takes experiments."""
    return equation.status in (Status.IDENTIFIED, Status.UNDECIDED)
