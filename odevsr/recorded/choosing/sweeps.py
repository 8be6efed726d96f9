"""Systems of laws, varied: another law in the place of one of them, or a term less."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from odevsr.language.expression import (
    CONSTANT,
    Apply,
    Constant,
    Expression,
    Number,
    Op,
    count,
    rebuild,
    walk,
)
from odevsr.recorded.motions.systems import (
    FEW_STEPS,
    MANY_STEPS,
    FittedLaw,
    FittedSystem,
    closed,
    fit_system,
    freed,
    with_law,
    without,
)
from odevsr.recorded.paths import Paths

STEPS = 4
"""Of a fit that begins near a fitted system."""
MISSED = 20.0
"""Errors that a constant may be from 0 for the motion to be fitted without it; what it costs is
made up for by four or five."""
DUST = 1e-6
"""Share of a rate that no term stands for."""
BUDGET = 4e8
"""Numbers that fits of motion may follow from step to step while laws are searched again: some
twenty to fifty CPU seconds."""


@dataclass(frozen=True, eq=False)
class Choice:
    """The best system, and for each equation its laws and rivals, scored in their place in it."""

    paths: Paths
    """With errors as the best system's motion tells them."""
    system: FittedSystem
    ranked: tuple[tuple[FittedLaw, ...], ...]
    effort: float = 0.0
    """Numbers that fits of motion have followed, step by step, to come here."""

    @property
    def left(self) -> float:
        """Numbers that may still be followed."""
        return BUDGET - self.effort

    @property
    def is_cut_short(self) -> bool:
        """Whether no more fits were to be made."""
        return self.left <= 0


def score_of(law: FittedLaw) -> float:
    """What laws are ranked by."""
    return law.score


def swept(
    paths: Paths,
    system: FittedSystem,
    lists: Sequence[Sequence[FittedLaw]],
    sweeps: int,
    steps: int = STEPS,
    most: float = math.inf,
) -> Choice:
    """Each law replaced in turn by the best of its list, until nothing changes.

    Each list may take its share of the most `effort`; what comes behind is not fitted, and all of
    it counts as spent.
    """
    ranked: list[tuple[FittedLaw, ...]] = [()] * len(lists)
    effort, is_cut_short = 0.0, False
    for _ in range(sweeps if len(lists) > 1 else 1):
        before = system
        for k, listed in enumerate(lists):
            share = most * (k + 1) / len(lists) - effort
            trials = _in_place_of(paths, system, k, listed, steps, share)
            spent = sum(trial.shot.effort for trial in trials)
            effort, is_cut_short = effort + spent, is_cut_short or spent > share
            trials = sorted([system, *trials], key=lambda trial: trial.score)
            ranked[k] = tuple(in_place(trial, k) for trial in trials)
            system = trials[0]
        if system is before:
            break
    return Choice(paths, system, tuple(ranked), max(effort, most) if is_cut_short else effort)


def _in_place_of(
    paths: Paths,
    system: FittedSystem,
    k: int,
    listed: Sequence[FittedLaw],
    steps: int,
    most: float,
) -> list[FittedSystem]:
    """The system with each law of a list in turn, until so much effort is spent."""
    trials: list[FittedSystem] = []
    for each in listed:
        if most < 0:
            break
        if each.law != system.laws[k].law:
            laws = with_law(system.laws, k, each)
            trials.append(fit_system(paths, laws, system.segments, steps, system))
            most -= trials[-1].shot.effort
    return trials


def in_place(system: FittedSystem, k: int) -> FittedLaw:
    """A law with the score of the system it stands in."""
    scores = {name: getattr(system, name) for name in ("score", "chi2", "saved", "relative")}
    return replace(system.laws[k], **scores)


def polished(paths: Paths, system: FittedSystem) -> FittedSystem:
    """The system without what it does not need, its constants where they are best."""
    best = shortened(paths, system)
    return fit_system(paths, best.laws, best.segments, MANY_STEPS, best)


def shortened(paths: Paths, system: FittedSystem) -> FittedSystem:
    """The system without what its score is better without, and without what is next to nothing.

    Errors without noise are those of solvers, which are bounds and no chance: a law that stays
    within them is not worse for being farther from the samples than one with more constants.
    """
    system = _without_dust(paths, system)
    steps = MANY_STEPS if paths.clean.all() else STEPS
    while True:
        trials = [
            fit_system(paths, laws, system.segments, steps, system) for laws in _shorter(system)
        ]
        best = min(trials, key=lambda each: each.score, default=system)
        if best is system or not (best.score < system.score or _is_within_errors(paths, best)):
            return system
        system = best


def _is_within_errors(paths: Paths, system: FittedSystem) -> bool:
    return paths.has_bounds and system.chi2 <= paths.whole.count


def _without_dust(paths: Paths, system: FittedSystem) -> FittedSystem:
    """Without what is so small that it only makes up for errors of rounding and of solvers."""
    laws = [dusted(paths, law, k) for k, law in enumerate(system.laws)]
    if all(own is new for own, new in zip(system.laws, laws, strict=True)):
        return system
    return fit_system(paths, laws, system.segments, FEW_STEPS, system)


def dusted(paths: Paths, law: FittedLaw, k: int) -> FittedLaw:
    """The law of equation k less each constant without which it hardly differs along the runs."""
    least = DUST * float(np.sqrt(np.mean(paths.slopes[:, k] ** 2)))
    for place in reversed(range(len(law.theta))):
        for shorter in _less(law, place):
            apart = paths.along([closed(law), closed(shorter)])
            if np.max(np.abs(apart[:, 0] - apart[:, 1])) < least:
                return dusted(paths, shorter, k)
    return law


def _shorter(system: FittedSystem) -> Iterator[list[FittedLaw]]:
    """The laws with one constant less, unless that is surely missed."""
    laws, errors = system.laws, iter(system.shot.errors.tolist())
    for k, each in enumerate(laws):
        for place in range(len(each.theta)):
            near = MISSED * next(errors)
            for shorter in _less(each, place, near):
                yield with_law(laws, k, shorter)


def _less(law: FittedLaw, place: int, near: float = math.inf) -> Iterator[FittedLaw]:
    """The law less one of its constants.

    Near to 0 it goes with what it is a factor of; a power near to a whole number becomes that, and
    terms that are the same by it become one.
    """
    value = law.theta[place]
    if abs(value) <= near:
        shorter, kept = without(law.law, place)
        if shorter is not None:
            yield FittedLaw(shorter, law.theta[kept])
    if place in powers_of(law.law) and round(value) and abs(value - round(value)) <= near:
        leaves: list[Expression] = [CONSTANT] * len(law.theta)
        leaves[place] = Number(round(value))
        whole = rebuild(law.law, iter(leaves), Constant)
        yield freed(closed(FittedLaw(whole, np.delete(law.theta, place))))


def powers_of(law: Expression) -> list[int]:
    """Which of a law's open constants are exponents.

    >>> from odevsr.language.parse import parse
    >>> powers_of(parse("C*x + 1/(C*x^C + 1)", ["x"], open_symbols=True))
    [2]
    """
    places, seen = [], 0
    for node in walk(law):
        match node:
            case Constant():
                seen += 1
            case Apply(Op.POW, (base, Constant())):
                places.append(seen + count(base, Constant))
    return places
