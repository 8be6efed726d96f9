"""The search again, along motions that follow the samples already, until nothing gets better."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from operator import attrgetter

import numpy as np

from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.term import terms
from odevsr.recorded.choosing.again import foretold
from odevsr.recorded.choosing.sweeps import STEPS, Choice, polished, score_of, swept
from odevsr.recorded.motions.contest import distinct
from odevsr.recorded.motions.stepwise import BETTER
from odevsr.recorded.motions.systems import (
    FEW_STEPS,
    MANY_STEPS,
    FittedLaw,
    FittedSystem,
    fit_system,
    honest_score,
    with_law,
)
from odevsr.recorded.paths import Paths
from odevsr.recorded.proposing.candidates import Candidate
from odevsr.recorded.proposing.libraries import Library
from odevsr.recorded.score import NEAR, constants_cost, prior, reach

AGAIN = 6
"""How often laws are searched again along a motion that became better."""
FEW, ALL = 12, 2000
"""Laws of an equation that are fitted each time; and in the end, of one variable: nearly all that
may be named. Of more variables fits are dearer."""
RESPONSE = 0.25
"""Numbers that are followed in the time in which one is told of a term's response."""
NEARLY = 10.0
"""How much farther behind than those that are named a law is fitted with more steps."""


def settled(paths: Paths, system: FittedSystem, found: Sequence[Library]) -> Choice:
    """The system that no search along its own motion makes better, nor along those of rivals."""
    choice = _searched(paths, system, found)
    for k, rival in _beside(choice):
        if choice.is_cut_short:
            break
        laws = with_law(choice.system.laws, k, rival)
        other = fit_system(paths, laws, system.segments, FEW_STEPS, choice.system)
        others = [each for each in range(paths.variables) if each != k]
        few = _few(foretold(paths, other, others, found, FEW))
        choice = _having_listed(choice, others, found)
        better = swept(paths, other, [*few[:k], [], *few[k:]], 1).system
        if _is_better(better, choice.system):
            return _searched(paths, better, found, choice.effort)
    return choice


def reproposed(paths: Paths, system: FittedSystem, found: Sequence[Library]) -> FittedSystem:
    """The system with the best of the few laws that its own motion suggests in place of each."""
    listed = foretold(paths, system, range(paths.variables), found, FEW)
    return swept(paths, system, _few(listed), 1).system


def _beside(choice: Choice) -> Iterator[tuple[int, FittedLaw]]:
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
    paths: Paths, system: FittedSystem, found: Sequence[Library], effort: float = 0.0
) -> Choice:
    """The system with laws that its own motion suggests, again and again while it gets better.

    First come the few that promise most; if they make nothing better, all of them. So many numbers
    of `effort` were followed before.
    """
    choice = Choice(paths, system, ((),) * len(system.laws), effort)
    for _ in range(AGAIN):
        if choice.is_cut_short:
            break
        before, most, every = choice.system, _affordable(choice), range(paths.variables)
        listed = foretold(paths, before, every, found, most, forgiving=True)
        choice = _having_listed(choice, every, found)
        choice = _tried(choice, _few(listed), STEPS)
        if not _is_better(choice.system, before):
            choice = _tried_all(choice, listed, most)
            if not _is_better(choice.system, before):
                break
    return choice


def _few(listed: Sequence[Sequence[Candidate]]) -> list[list[FittedLaw]]:
    """Those of each equation that promise most as they are."""
    return [distinct(sorted(each, key=attrgetter("score")), FEW, 0) for each in listed]


def _is_better(system: FittedSystem, before: FittedSystem) -> bool:
    return system.score < before.score - BETTER


def _tried(choice: Choice, listed: Sequence[Sequence[FittedLaw]], steps: int) -> Choice:
    """The choice after one sweep through such laws."""
    tried = swept(choice.paths, choice.system, listed, 1, steps, choice.left)
    return Choice(
        choice.paths,
        polished(choice.paths, tried.system),
        tuple((*laws, *more) for laws, more in zip(choice.ranked, tried.ranked, strict=True)),
        choice.effort + tried.effort,
    )


def _tried_all(choice: Choice, listed: Sequence[Sequence[Candidate]], most: int) -> Choice:
    """The choice after many laws were fitted, and those that are nearly named some more.

    Of laws of which no fit would tell more, none is made.
    """
    told = [[_told(choice, k, each) for each in its] for k, its in enumerate(listed)]
    others = [
        distinct([each for each, known in zip(*both, strict=True) if known is None], most, 0)
        for both in zip(listed, told, strict=True)
    ]
    tried = _tried(choice, others, FEW_STEPS)
    named = honest_score(tried.paths, tried.system) + reach(len(choice.paths.times))
    most = _affordable(tried) * FEW_STEPS // MANY_STEPS
    new = [laws[len(old) :] for laws, old in zip(tried.ranked, choice.ranked, strict=True)]
    nearly = [
        [law for law in laws if named < honest_score(tried.paths, law) <= named + NEARLY][:most]
        for laws in new
    ]
    tried = _tried(tried, nearly, MANY_STEPS) if any(nearly) else tried
    ranked = zip(tried.ranked, told, strict=True)
    return replace(tried, ranked=tuple((*laws, *filter(None, more)) for laws, more in ranked))


def _told(choice: Choice, k: int, candidate: Candidate) -> FittedLaw | None:
    """The candidate as the responses of the motion tell it, if it is the law with idle terms more.

    What terms bring beside those of a law that follows the samples is linear, but for constants of
    their own.
    """
    paths, system, own = choice.paths, choice.system, choice.system.laws[k]
    if not set(terms(own.law)) < set(terms(candidate.law)):
        return None
    cost = constants_cost(len(own.theta), len(paths.times)) + prior(own.law, len(paths.names))
    if candidate.hoped <= system.chi2 + cost + NEAR:
        return None
    return FittedLaw(
        candidate.law,
        candidate.theta,
        score=honest_score(paths, system) + candidate.score - system.chi2 - cost,
        chi2=candidate.chi2,
        relative=system.relative + candidate.chi2 - system.chi2,
    )


def _having_listed(choice: Choice, equations: Sequence[int], found: Sequence[Library]) -> Choice:
    """The choice after the laws of so many equations were listed."""
    terms = sum(each.terms for each in found if not each.is_quotient)
    numbers = RESPONSE * terms * choice.paths.samples.size * len(equations)
    return replace(choice, effort=choice.effort + numbers)


def _affordable(choice: Choice) -> int:
    """Laws of each equation that may be fitted with what is left of the budget."""
    variables = choice.paths.variables
    fit = FEW_STEPS * max(choice.system.shot.last_effort, 1)
    return int(np.clip(choice.left / (variables * fit), FEW, ALL // variables))
