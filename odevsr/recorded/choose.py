"""The choice among candidates: they are fitted as motions, and the score decides.

The score is the sum of squares that the motion leaves, in errors of the samples, plus what the
constants and the form of the law cost. Motions are followed over short segments first, by many
systems, and over longer ones by the best.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from odevsr.language.algebra.normal import normal_form
from odevsr.recorded.again import searched_again
from odevsr.recorded.elimination import eliminated, fine_segments
from odevsr.recorded.libraries import Library
from odevsr.recorded.paths import Paths
from odevsr.recorded.responses import responses_of
from odevsr.recorded.score import NEAR
from odevsr.recorded.stepwise import BETTER, Term, improved, terms_of
from odevsr.recorded.systems import (
    FEW_STEPS,
    MANY_STEPS,
    Fitted,
    System,
    closed,
    fit_system,
    reweighted,
    without,
)

JOINT_SEGMENTS = (24, 12, 6, 3, 1)
"""Segments a run in which whole systems are fitted; fewer only where the best one can follow."""
FOLLOWS, STUMBLES = 1.3, 1.08
"""Factors by which the sum of squares may grow over longer segments: for any system, and for one
that is not made better first."""
CLEAN = 9.0
"""Sum of squares a sample that a law may leave where there is next to no noise."""
BEGINNINGS = 3
"""Systems that are followed over longer and longer segments."""
LISTED = 16
"""How many laws of each equation are tried in the best of them."""
SWEEPS, SWEEP_STEPS = 2, 4
AGAIN = 6
"""How often laws are searched again along a motion that became better."""
FRUGAL = 15.0
"""What each constant costs in addition where a second choice of systems begins."""
MISSED = 20.0
"""Errors that a constant may be from 0 for the motion to be fitted without it; what it costs is
made up for by four or five."""
DUST = 1e-6
"""Share of a rate that no term stands for."""


@dataclass(frozen=True, eq=False)
class Choice:
    """The best system, and for each equation its laws and rivals, scored in their place in it."""

    paths: Paths
    """With errors as the best system's motion tells them."""
    system: System
    ranked: tuple[tuple[Fitted, ...], ...]


def choose(
    paths: Paths, shortlists: Sequence[Sequence[Fitted]], found: Sequence[Library]
) -> Choice:
    """The best system that can be put together from laws listed for each equation, or of terms.

    Terms of libraries are tried where paths are noisy. Where they are not, slopes tell all that
    terms could: what is added one by one comes ever nearer, and is no law.
    """
    listed = [each[:LISTED] for each in shortlists]
    beginnings = [tuple(min(each, key=key) for each in listed) for key in (_score, _frugal)]
    fine = fine_segments(paths)
    systems = [fit_system(paths, laws, fine) for laws in dict.fromkeys(beginnings)]
    if not _decided(paths, systems):
        systems += eliminated(paths)
    terms = [] if paths.clean.all() else terms_of(found)
    systems = sorted(systems, key=lambda each: each.score)[: BEGINNINGS if terms else 1]
    longer = [_lengthened(paths, system, terms) for system in systems]
    system = min(longer, key=lambda each: (each.segments, each.score))
    if terms:
        paths = reweighted(paths, system)
        system = fit_system(paths, system.laws, system.segments, MANY_STEPS, system)
    swept = _swept(paths, system, listed, 1 if terms else SWEEPS)
    better = improved(paths, shortened(paths, swept.system), terms)
    best = _polished(paths, better.system)
    ranked = [
        [*laws, *(_in_place(each, k) for each in better.tried)]
        for k, laws in enumerate(swept.ranked)
    ]
    if terms:
        settled = _settled(paths, best, found)
        best = settled.system
        ranked = [[*laws, *more] for laws, more in zip(ranked, settled.ranked, strict=True)]
    return Choice(paths, best, tuple(_ranked(best, k, laws) for k, laws in enumerate(ranked)))


def _settled(paths: Paths, system: System, found: Sequence[Library]) -> Choice:
    """The system that no search along its own motion makes better, nor along those of rivals."""
    settled = _searched(paths, system, found)
    for k, rival in _beside(settled):
        laws = [*settled.system.laws]
        laws[k] = rival
        other = fit_system(paths, laws, system.segments, FEW_STEPS, settled.system)
        swept = _swept(paths, other, _along(paths, other, found, besides=k), 1).system
        if swept.score < settled.system.score - BETTER:
            return _searched(paths, swept, found)
    return settled


def _beside(choice: Choice) -> Iterator[tuple[int, Fitted]]:
    """For each equation the nearest law of another form, if it decides nothing beside the best.

    Two laws that are wrong may make up for each other, so that each is best beside the other: where
    there is but one, this cannot be.
    """
    for k, laws in enumerate(choice.ranked if len(choice.ranked) > 1 else ()):
        own = normal_form(choice.system.laws[k].law)
        near = [each for each in laws if each.score <= choice.system.score + NEAR]
        others = (each for each in sorted(near, key=_score) if normal_form(each.law) != own)
        yield from ((k, each) for each in islice(others, 1))


def _searched(paths: Paths, system: System, found: Sequence[Library]) -> Choice:
    """The system with laws that its own motion suggests, again and again while it gets better."""
    ranked: list[list[Fitted]] = [[] for _ in system.laws]
    for _ in range(AGAIN):
        if paths.effort.is_over:
            break
        swept = _swept(paths, system, _along(paths, system, found), 1)
        ranked = [[*laws, *more] for laws, more in zip(ranked, swept.ranked, strict=True)]
        before, system = system, _polished(paths, swept.system)
        if not system.score < before.score - BETTER:
            break
    return Choice(paths, system, tuple(map(tuple, ranked)))


def _along(
    paths: Paths, system: System, found: Sequence[Library], besides: int | None = None
) -> list[list[Fitted]]:
    """For each equation but one the laws that the system's own motion suggests."""
    responses = responses_of(paths, system)
    return [
        [] if k == besides else searched_again(paths, system, responses, k, found)
        for k in range(paths.variables)
    ]


def _polished(paths: Paths, system: System) -> System:
    """The system without what it does not need, its constants where they are best."""
    best = shortened(paths, system)
    return fit_system(paths, best.laws, best.segments, MANY_STEPS, best)


def _decided(paths: Paths, systems: Sequence[System]) -> bool:
    """Whether there is next to no noise and a system that leaves no more than that."""
    samples = paths.motion(list(range(paths.variables))).count
    return bool(paths.clean.all()) and min(each.chi2 for each in systems) < CLEAN * samples


def _score(law: Fitted) -> float:
    return law.score


def _frugal(law: Fitted) -> float:
    """A score in which size counts more: beside paths with errors, small terms make up for them."""
    return law.score + FRUGAL * len(law.theta)


def _lengthened(paths: Paths, system: System, terms: Sequence[Term]) -> System:
    """The system over the longest segments it can follow, made better where it stumbles."""
    samples = paths.motion(list(range(paths.variables))).count
    for segments in (each for each in JOINT_SEGMENTS if each < system.segments):
        usual = max(system.chi2, samples if paths.clean.all() else 0)
        longer = fit_system(paths, system.laws, segments, MANY_STEPS, system)
        if longer.chi2 > STUMBLES * usual:
            longer = improved(paths, longer, terms).system
        if longer.chi2 > FOLLOWS * usual:
            break
        system = longer
    return system


def _swept(paths: Paths, system: System, lists: Sequence[Sequence[Fitted]], sweeps: int) -> Choice:
    """Each law replaced in turn by the best of its list, until nothing changes."""
    ranked: list[tuple[Fitted, ...]] = [()] * len(lists)
    for _ in range(sweeps if len(lists) > 1 else 1):
        before = system
        for k, listed in enumerate(lists):
            around = (system.laws[:k], system.laws[k + 1 :])
            trials = [
                fit_system(
                    paths, [*around[0], each, *around[1]], system.segments, SWEEP_STEPS, system
                )
                for each in listed
                if each.law != system.laws[k].law
            ]
            trials = sorted([system, *trials], key=lambda trial: trial.score)
            ranked[k] = tuple(_in_place(trial, k) for trial in trials)
            system = trials[0]
        if system is before:
            break
    return Choice(paths, system, tuple(ranked))


def _in_place(system: System, k: int) -> Fitted:
    """A law with the score of the system it stands in."""
    return replace(system.laws[k], score=system.score, chi2=system.chi2)


def _ranked(best: System, k: int, laws: Sequence[Fitted]) -> tuple[Fitted, ...]:
    """The best system's law, then all others of that equation, best first."""
    return _in_place(best, k), *sorted(laws, key=_score)


def shortened(paths: Paths, system: System) -> System:
    """The system without what its score is better without, and without what is next to nothing."""
    system = _without_dust(paths, system)
    while True:
        trials = [
            fit_system(paths, laws, system.segments, SWEEP_STEPS, system)
            for laws in _shorter(system, _noise_left(paths, system))
        ]
        best = min(trials, key=lambda each: each.score, default=system)
        if not best.score < system.score:
            return system
        system = best


def _without_dust(paths: Paths, system: System) -> System:
    """Without terms so small that they only make up for errors of rounding and of solvers."""
    laws = list(system.laws)
    for k, each in enumerate(laws):
        size = float(np.sqrt(np.mean(paths.slopes[:, k] ** 2)))
        for place in reversed(range(len(each.theta))):
            law, kept = without(laws[k].law, place)
            if law is not None:
                shorter = Fitted(law, laws[k].theta[kept])
                apart = paths.along([closed(laws[k]), closed(shorter)])
                if np.max(np.abs(apart[:, 0] - apart[:, 1])) < DUST * size:
                    laws[k] = shorter
    if all(own is new for own, new in zip(system.laws, laws, strict=True)):
        return system
    return fit_system(paths, laws, system.segments, FEW_STEPS, system)


def _noise_left(paths: Paths, system: System) -> float:
    """The size of residuals in errors where those are upper bounds, as without noise; else 1."""
    count = paths.motion(list(range(paths.variables))).count
    return min(1.0, math.sqrt(system.chi2 / count)) if paths.clean.all() else 1.0


def _shorter(system: System, noise: float) -> Iterator[list[Fitted]]:
    """The laws with one constant less, and what it stands for, unless it is surely missed."""
    laws, errors = system.laws, iter(system.shot.errors.tolist())
    for k, each in enumerate(laws):
        for place, value in enumerate(each.theta):
            is_missed = abs(value) > MISSED * noise * next(errors)
            law, kept = (None, []) if is_missed else without(each.law, place)
            if law is not None:
                yield [*laws[:k], Fitted(law, each.theta[kept]), *laws[k + 1 :]]
