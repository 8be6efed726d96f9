"""The choice among candidates: each is fitted to the samples as a motion, and the score decides.

The score is the sum of squares that the motion leaves, in errors of the samples, plus what the
constants and the form of the law cost. Motions are followed over short segments first, by many
candidates, and over longer ones by the few that are left.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.fitting.shooting import Motion, Shot, merged, shoot
from odevsr.fitting.tape import record_tape
from odevsr.language.expression import Constant, Expression, count, with_constants
from odevsr.language.normal import normal_form
from odevsr.recorded.candidates import Candidate
from odevsr.recorded.paths import Paths
from odevsr.recorded.score import constants_cost, prior
from odevsr.recorded.shorter import without

SEGMENTS = (8, 2, 1)
"""Segments a run in which candidates of one equation are fitted, one after the other,"""
SURVIVORS = (24, 16, 16)
"""and how many are left each time."""
OF_EACH_SIZE = 2
"""So many of each number of constants are always left."""
FEW_STEPS, MANY_STEPS = 8, 25
JOINT_SEGMENTS = (6, 3, 1)
"""Segments a run in which whole systems are fitted; fewer only where the best one can follow."""
FOLLOWS = 1.3
"""Factor by which the sum of squares may grow over longer segments, for the best system."""
LISTED, FINALISTS = 16, 6
"""How many laws of each equation are tried in the system, over short segments and over long."""
SWEEPS = 2
FRUGAL = 15.0
"""What each constant costs in addition where a second choice of systems begins."""
DUST = 1e-6
"""Share of a rate that no term stands for."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """A law with open constants and their values; its score is comparable with those beside it."""

    law: Expression
    theta: FloatArray
    score: float = math.inf
    chi2: float = math.inf


@dataclass(frozen=True, eq=False)
class System:
    """One law for each variable, fitted together over so many segments a run."""

    laws: tuple[Fitted, ...]
    score: float
    chi2: float
    shot: Shot
    segments: int


@dataclass(frozen=True, eq=False)
class Choice:
    """The best system, and for each equation its laws and rivals, scored in their place in it."""

    system: System
    ranked: tuple[tuple[Fitted, ...], ...]


def distinct(found: Sequence[Candidate], most: int) -> list[Fitted]:
    """The best candidates and the best of each size and library; equal forms once."""
    seen: dict[object, int] = {}
    forms: set[Expression] = set()
    kept: list[Fitted] = []
    for each in sorted(found, key=lambda candidate: candidate.score):
        kind = (each.label, len(each.theta))
        if len(kept) < most or seen.get(kind, 0) < OF_EACH_SIZE:
            form = normal_form(each.law)
            if form not in forms:
                forms.add(form)
                seen[kind] = seen.get(kind, 0) + 1
                kept.append(Fitted(each.law, each.theta))
    return kept


def contest(paths: Paths, equation: int, found: Sequence[Fitted]) -> list[Fitted]:
    """The best laws of one equation, best first; the other variables move as they were smoothed."""
    motion = paths.motion([equation])
    names = [paths.names[equation]]
    names += [name for k, name in enumerate(paths.names) if k != equation]
    left = list(found)
    for segments, survivors in zip(SEGMENTS, SURVIVORS, strict=True):
        divided = merged(motion, paths.bounds, segments)
        starts = np.ascontiguousarray(paths.states[divided.bounds[:-1], equation][:, None])
        fits = [_fitted(each, names, divided, starts) for each in left]
        left = _front(_honest(fits, divided.count), survivors)
    return left


def _fitted(each: Fitted, names: Sequence[str], motion: Motion, starts: FloatArray) -> Fitted:
    tape = record_tape([each.law], names)
    shot = shoot(tape, motion, each.theta, starts, FEW_STEPS)
    score = shot.chi2 + constants_cost(len(each.theta), motion.count) + prior(each.law, len(names))
    return Fitted(each.law, shot.theta, score, shot.chi2)


def _honest(fits: Sequence[Fitted], samples: int) -> list[Fitted]:
    """With sums of squares that are chance for the best: paths that are held have errors, too."""
    followed = [each for each in fits if each.chi2 < math.inf]
    worse = max(1.0, min((each.chi2 for each in followed), default=0.0) / samples)
    return [replace(each, score=each.score - each.chi2 + each.chi2 / worse) for each in followed]


def _front(fits: Sequence[Fitted], most: int) -> list[Fitted]:
    """The best two of each number of constants, then the best of the others."""
    ordered = sorted(fits, key=lambda each: each.score)
    seen: dict[int, int] = {}
    first: list[Fitted] = []
    rest: list[Fitted] = []
    for each in ordered:
        size = len(each.theta)
        seen[size] = seen.get(size, 0) + 1
        (first if seen[size] <= OF_EACH_SIZE else rest).append(each)
    kept = first + rest[: max(0, most - len(first))]
    return sorted(kept, key=lambda each: each.score) if len(kept) <= LISTED else kept


def fit_system(
    paths: Paths, laws: Sequence[Fitted], segments: int, most: int = FEW_STEPS
) -> System:
    """All constants and starts of a system, fitted together over so many segments a run."""
    motion = merged(paths.motion(list(range(paths.variables))), paths.bounds, segments)
    starts = np.ascontiguousarray(paths.states[motion.bounds[:-1], : paths.variables])
    tape = record_tape([each.law for each in laws], paths.names)
    shot = shoot(tape, motion, np.concatenate([each.theta for each in laws]), starts, most)
    sizes = [count(each.law, Constant) for each in laws]
    theta = np.split(shot.theta, np.cumsum(sizes)[:-1])
    fitted = tuple(Fitted(each.law, own) for each, own in zip(laws, theta, strict=True))
    cost = constants_cost(sum(sizes), motion.count // paths.variables)
    cost += sum(prior(each.law, len(paths.names)) for each in laws)
    return System(fitted, shot.chi2 + cost, shot.chi2, shot, segments)


def choose(paths: Paths, shortlists: Sequence[Sequence[Fitted]]) -> Choice:
    """The best system that can be put together from laws listed for each equation."""
    listed = [each[:LISTED] for each in shortlists]
    beginnings = [[min(each, key=key) for each in listed] for key in (_score, _frugal)]
    choices = [_swept(paths, laws, listed, JOINT_SEGMENTS[0]) for laws in beginnings]
    choice = min(choices, key=lambda each: each.system.score)
    system = shortened(paths, choice.system)
    for segments in JOINT_SEGMENTS[1:]:
        longer = fit_system(paths, system.laws, segments, MANY_STEPS)
        if longer.chi2 > FOLLOWS * system.chi2:
            break
        system = longer
    finalists = [
        [own, *ranked[:FINALISTS]] for own, ranked in zip(system.laws, choice.ranked, strict=True)
    ]
    final = _swept(paths, system.laws, finalists, system.segments)
    best = shortened(paths, final.system)
    ranked = tuple(
        (replace(own, score=best.score, chi2=best.chi2), *others)
        for own, others in zip(best.laws, final.ranked, strict=True)
    )
    return Choice(fit_system(paths, best.laws, best.segments, MANY_STEPS), ranked)


def _score(law: Fitted) -> float:
    return law.score


def _frugal(law: Fitted) -> float:
    """A score in which size counts more: beside paths with errors, small terms make up for them."""
    return law.score + FRUGAL * len(law.theta)


def _swept(
    paths: Paths, laws: Sequence[Fitted], lists: Sequence[Sequence[Fitted]], segments: int
) -> Choice:
    """Each law replaced in turn by the best of its list, until nothing changes."""
    system = fit_system(paths, laws, segments)
    ranked: list[tuple[Fitted, ...]] = [()] * len(lists)
    for _ in range(SWEEPS if len(lists) > 1 else 1):
        before = system
        for k, listed in enumerate(lists):
            trials = []
            for each in listed:
                trial = fit_system(paths, [*system.laws[:k], each, *system.laws[k + 1 :]], segments)
                trials.append(trial)
            trials.sort(key=lambda trial: trial.score)
            ranked[k] = tuple(
                replace(trial.laws[k], score=trial.score, chi2=trial.chi2) for trial in trials
            )
            system = min(system, trials[0], key=lambda each: each.score)
        if system is before:
            break
    return Choice(system, tuple(ranked))


def shortened(paths: Paths, system: System) -> System:
    """The system without what its score is better without, and without what is next to nothing."""
    system = _without_dust(paths, system)
    while True:
        trials = [fit_system(paths, laws, system.segments) for laws in _shorter(system.laws)]
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
    return fit_system(paths, laws, system.segments)


def closed(fitted: Fitted) -> Expression:
    """The law with its numbers, in normal form."""
    return normal_form(with_constants(fitted.law, fitted.theta.tolist()))


def _shorter(laws: Sequence[Fitted]) -> Iterator[list[Fitted]]:
    """The laws with one constant less, and what it stands for."""
    for k, each in enumerate(laws):
        for place in range(len(each.theta)):
            law, kept = without(each.law, place)
            if law is not None:
                yield [*laws[:k], Fitted(law, each.theta[kept]), *laws[k + 1 :]]
