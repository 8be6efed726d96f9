"""The search again, along motions that follow the samples already, until nothing gets better."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from odevsr.language.algebra.normal import normal_form
from odevsr.recorded.choosing.again import searched_again
from odevsr.recorded.choosing.sweeps import STEPS, Choice, polished, score_of, swept
from odevsr.recorded.motions.responses import responses_of
from odevsr.recorded.motions.stepwise import BETTER
from odevsr.recorded.motions.systems import FEW_STEPS, Fitted, System, fit_system
from odevsr.recorded.paths import Paths
from odevsr.recorded.proposing.libraries import Library
from odevsr.recorded.score import NEAR

AGAIN = 6
"""How often laws are searched again along a motion that became better."""
FEW, ALL = 12, 1500
"""Laws of an equation that are fitted each time; and in the end, of one variable: nearly all that
may be named. Of more variables fits are dearer."""


def settled(paths: Paths, system: System, found: Sequence[Library]) -> Choice:
    """The system that no search along its own motion makes better, nor along those of rivals."""
    choice = _searched(paths, system, found)
    for k, rival in _beside(choice):
        laws = [*choice.system.laws]
        laws[k] = rival
        other = fit_system(paths, laws, system.segments, FEW_STEPS, choice.system)
        better = swept(
            paths, other, _along(paths, other, found, is_last=False, besides=k), 1
        ).system
        if better.score < choice.system.score - BETTER:
            return _searched(paths, better, found)
    return choice


def _beside(choice: Choice) -> Iterator[tuple[int, Fitted]]:
    """For each equation the nearest law of another form, if it decides nothing beside the best.

    Two laws that are wrong may make up for each other, so that each is best beside the other: where
    there is but one, this cannot be.
    """
    for k, laws in enumerate(choice.ranked if len(choice.ranked) > 1 else ()):
        own = normal_form(choice.system.laws[k].law)
        near = [each for each in laws if each.score <= choice.system.score + NEAR]
        others = (each for each in sorted(near, key=score_of) if normal_form(each.law) != own)
        yield from ((k, each) for each in islice(others, 1))


def _searched(paths: Paths, system: System, found: Sequence[Library]) -> Choice:
    """The system with laws that its own motion suggests, again and again while it gets better.

    First come the few that promise most; once they make nothing better, all others.
    """
    ranked: list[list[Fitted]] = [[] for _ in system.laws]
    for _ in range(AGAIN):
        if paths.effort.is_over:
            break
        before = system
        for is_last in (False, True):
            steps = FEW_STEPS if is_last else STEPS
            tried = swept(paths, system, _along(paths, system, found, is_last=is_last), 1, steps)
            ranked = [[*laws, *more] for laws, more in zip(ranked, tried.ranked, strict=True)]
            system = polished(paths, tried.system)
            if system.score < before.score - BETTER:
                break
        else:
            break
    return Choice(paths, system, tuple(map(tuple, ranked)))


def _along(
    paths: Paths,
    system: System,
    found: Sequence[Library],
    *,
    is_last: bool,
    besides: int | None = None,
) -> list[list[Fitted]]:
    """For each equation but one the laws that the system's motion suggests; in the end, all."""
    responses = responses_of(paths, system)
    most = _affordable(paths, system) if is_last else FEW
    return [
        [] if k == besides else searched_again(paths, system, responses, k, found, most, is_last)
        for k in range(paths.variables)
    ]


def _affordable(paths: Paths, system: System) -> int:
    """Laws of each equation that may be fitted with what is left of the budget."""
    constants = sum(len(each.theta) for each in system.laws)
    fit = FEW_STEPS * (1 + constants + paths.variables) * paths.samples.size
    return int(np.clip(paths.effort.left / (paths.variables * fit), FEW, ALL // paths.variables))
