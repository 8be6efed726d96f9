"""The choice among candidates: they are fitted as motions, and the score decides.

The score is the sum of squares that the motion leaves, in errors of the samples, plus what the
constants and the form of the law cost. Motions are followed over short segments first, by many
systems, and over longer ones by the best.
"""

from __future__ import annotations

from collections.abc import Sequence

from odevsr.recorded.choosing.settle import reproposed, settled
from odevsr.recorded.choosing.sweeps import (
    Choice,
    in_place,
    polished,
    score_of,
    shortened,
    swept,
)
from odevsr.recorded.motions.elimination import eliminated, fine_segments, full_systems
from odevsr.recorded.motions.flows import flowed
from odevsr.recorded.motions.stepwise import Terms, improved, terms_for
from odevsr.recorded.motions.systems import (
    MANY_STEPS,
    FittedLaw,
    FittedSystem,
    fit_system,
    honest_score,
    reweighted,
    with_law,
)
from odevsr.recorded.paths import Paths
from odevsr.recorded.proposing.libraries import Library
from odevsr.recorded.score import EXPLAINED, NEAR

SAMPLES = (14, 7)
"""In each of the segments over which systems are fitted first."""
JOINT_SEGMENTS = (24, 12, 6, 3, 2, 1)
"""Segments a run in which whole systems are fitted; fewer only where the best one can follow."""
FOLLOWS, STUMBLES = 1.3, 1.08
"""Factors by which the sum of squares may grow over longer segments: for any system, and for one
that is not made better first."""
CLEAN = 9.0
"""Sum of squares a sample that a law may leave where there is next to no noise."""
BEGINNINGS, LAWS_BEGUN = 3, 12
"""Systems that are followed over longer and longer segments, and how many laws they may have."""
LISTED = 16
"""How many laws of each equation are tried in the best of them."""
SWEEPS = 2
"""Of clean laws through their lists; noisy ones are searched again."""
FRUGAL = 15.0
"""What each constant costs in addition where a second choice of systems begins."""


def choose(
    paths: Paths, shortlists: Sequence[Sequence[FittedLaw]], found: Sequence[Library]
) -> Choice:
    """The best system that can be put together from laws listed for each equation, or of terms."""
    listed = [each[:LISTED] for each in shortlists]
    beginnings = [tuple(min(each, key=key) for each in listed) for key in (score_of, _frugal)]
    systems, full_ones = _begun(paths, list(dict.fromkeys(beginnings)))
    for full in full_ones:
        few = reproposed(paths, full, found[:1])
        systems += [eliminated(paths, each) for each in (full, few)]
    terms = terms_for(paths, found)
    most = min(BEGINNINGS, max(1, LAWS_BEGUN // paths.variables)) if terms else 1
    systems = sorted(systems, key=lambda each: each.score)[:most]
    longer = [_lengthened(paths, system, terms) for system in systems]
    system = min(longer, key=lambda each: (each.segments, each.score))
    if terms:
        paths = reweighted(paths, system)
        system = fit_system(paths, system.laws, system.segments, MANY_STEPS, system)
    tried = swept(paths, system, listed, 1 if terms else SWEEPS)
    short = [shortened(paths, tried.system)] if terms else _shortest(tried)
    better = improved(paths, short[0], terms)
    best = polished(paths, flowed(paths, better.system) if terms else better.system)
    last = settled(paths, best, found) if terms else Choice(paths, best, ((),) * len(listed))
    others = (*short[1:], *better.tried)
    ranked = [
        _ranked(last.system, k, [*laws, *(in_place(each, k) for each in others), *more])
        for k, (laws, more) in enumerate(zip(tried.ranked, last.ranked, strict=True))
    ]
    return Choice(paths, last.system, tuple(ranked), last.effort)


def _begun(
    paths: Paths, beginnings: Sequence[Sequence[FittedLaw]]
) -> tuple[list[FittedSystem], list[FittedSystem]]:
    """Systems of such laws, and those of all terms if these do not decide, over short segments.

    Where noise is large and motion fast, both may be lost unless segments are shorter yet.
    """
    begun = []
    for segments in dict.fromkeys(fine_segments(paths, samples) for samples in SAMPLES):
        systems = [fit_system(paths, laws, segments) for laws in beginnings]
        full = [] if _decided(paths, systems) else full_systems(paths, segments)
        begun.append((systems, full))
        least = min(each.chi2 for each in (*systems, *full))
        if paths.clean.all() or least <= EXPLAINED * paths.whole.count:
            return begun[-1]
    return begun[0]


def _shortest(tried: Choice) -> list[FittedSystem]:
    """What is left of the best system, and of those with a law that does as well, plainest first.

    Without noise a law in other terms explains as much, and more of these may be to spare.
    """
    systems = [tried.system]
    for k, laws in enumerate(tried.ranked):
        near = (each for each in laws[1:] if each.score <= tried.system.score + NEAR)
        systems += [
            fit_system(tried.paths, with_law(tried.system.laws, k, each), tried.system.segments)
            for each in near
        ]
    short = [shortened(tried.paths, each) for each in systems]
    return sorted(short, key=lambda each: honest_score(tried.paths, each))


def _decided(paths: Paths, systems: Sequence[FittedSystem]) -> bool:
    """Whether there is next to no noise and a system that leaves no more than that."""
    samples = paths.whole.count
    return bool(paths.clean.all()) and min(each.chi2 for each in systems) < CLEAN * samples


def _frugal(law: FittedLaw) -> float:
    """A score in which size counts more: beside paths with errors, small terms make up for them."""
    return law.score + FRUGAL * len(law.theta)


def _lengthened(paths: Paths, system: FittedSystem, terms: Terms) -> FittedSystem:
    """The system over the longest segments it can follow, made better where it stumbles.

    Without noise one that explains its segments follows whole runs at once, as a rule.
    """
    if _decided(paths, [system]):
        whole = fit_system(paths, system.laws, 1, MANY_STEPS, system)
        if whole.chi2 <= FOLLOWS * _usual(paths, system):
            return whole
    for segments in (each for each in JOINT_SEGMENTS if each < system.segments):
        usual = _usual(paths, system)
        longer = fit_system(paths, system.laws, segments, MANY_STEPS, system)
        if longer.chi2 > STUMBLES * usual:
            longer = improved(paths, longer, terms).system
        if longer.chi2 > FOLLOWS * usual:
            break
        system = longer
    return system


def _usual(paths: Paths, system: FittedSystem) -> float:
    """The sum of squares that the system leaves; without noise, at least that of the errors."""
    return max(system.chi2, paths.whole.count if paths.clean.all() else 0)


def _ranked(best: FittedSystem, k: int, laws: Sequence[FittedLaw]) -> tuple[FittedLaw, ...]:
    """The best system's law, then all others of that equation, best first."""
    return in_place(best, k), *sorted(laws, key=score_of)
