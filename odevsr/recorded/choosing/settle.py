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
    for k, rival in () if choice.is_cut_short else _beside(choice):
        laws = [*choice.system.laws]
        laws[k] = rival
        other = fit_system(paths, laws, system.segments, FEW_STEPS, choice.system)
        better = swept(paths, other, _along(paths, other, found, FEW, besides=k), 1).system
        if better.score < choice.system.score - BETTER:
            return _searched(paths, better, found, choice.followed)
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


def _searched(
    paths: Paths, system: System, found: Sequence[Library], followed: float = 0.0
) -> Choice:
    """The system with laws that its own motion suggests, again and again while it gets better.

    First come the few that promise most; once they make nothing better, all others. So many numbers
    were `followed` before.
    """
    choice = Choice(paths, system, ((),) * len(system.laws), followed)
    for _ in range(AGAIN):
        if choice.is_cut_short:
            break
        before = choice.system
        for is_last in (False, True):
            choice = _once_more(choice, found, is_last)
            if choice.system.score < before.score - BETTER:
                break
        else:
            break
    return choice


def _once_more(choice: Choice, found: Sequence[Library], is_last: bool) -> Choice:
    """The choice after one sweep through the laws that the motion of its system suggests."""
    paths, system = choice.paths, choice.system
    most = _affordable(choice) if is_last else FEW
    steps = FEW_STEPS if is_last else STEPS
    tried = swept(paths, system, _along(paths, system, found, most, is_last=is_last), 1, steps)
    return Choice(
        paths,
        polished(paths, tried.system),
        tuple((*laws, *more) for laws, more in zip(choice.ranked, tried.ranked, strict=True)),
        choice.followed + tried.followed,
    )


def _along(
    paths: Paths,
    system: System,
    found: Sequence[Library],
    most: int,
    *,
    is_last: bool = False,
    besides: int | None = None,
) -> list[list[Fitted]]:
    """For each equation but one so many laws that the system's motion suggests."""
    responses = responses_of(paths, system)
    return [
        [] if k == besides else searched_again(paths, system, responses, k, found, most, is_last)
        for k in range(paths.variables)
    ]


def _affordable(choice: Choice) -> int:
    """Laws of each equation that may be fitted with what is left of the budget."""
    variables = choice.paths.variables
    constants = sum(len(each.theta) for each in choice.system.laws)
    fit = FEW_STEPS * (1 + constants + variables) * choice.paths.samples.size
    return int(np.clip(choice.left / (variables * fit), FEW, ALL // variables))
