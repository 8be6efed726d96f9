"""The best candidates of one equation: each is fitted to its samples as a motion.

Motions are followed over short segments first, by many candidates, and over longer ones by the few
that are left; the other variables move as they were smoothed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.fitting.shooting import Motion, merged, shoot
from odevsr.fitting.tape import record_tape
from odevsr.language.algebra.normal import normal_form
from odevsr.language.expression import CONSTANT, Expression
from odevsr.recorded.motions.elimination import MOST_STARTS
from odevsr.recorded.motions.systems import FEW_STEPS, FittedLaw
from odevsr.recorded.paths import Paths
from odevsr.recorded.proposing.candidates import Candidate
from odevsr.recorded.score import constants_cost, prior

SEGMENTS = (8, 2, 1)
"""Segments a run in which candidates of one equation are fitted, one after the other, if runs are
few,"""
SURVIVORS = (24, 16, 16)
"""and how many are left each time."""
OF_EACH_SIZE = 2
"""So many of each number of constants are always left."""
LISTED = 16


def distinct(found: Sequence[Candidate], most: int, of_each_size: int) -> list[FittedLaw]:
    """The first candidates and the first of each size and library; equal forms once."""
    seen: dict[object, int] = {}
    forms: set[Expression] = set()
    kept: list[FittedLaw] = []
    for each in found:
        kind = (each.library.label, each.constants)
        if len(kept) < most or seen.get(kind, 0) < of_each_size:
            form = normal_form(each.law)
            if form not in forms:
                forms.add(form)
                seen[kind] = seen.get(kind, 0) + 1
                kept.append(FittedLaw(each.law, each.theta))
    return kept


def contest(paths: Paths, equation: int, found: Sequence[FittedLaw]) -> list[FittedLaw]:
    """The best laws of one equation, best first; the other variables move as they were smoothed."""
    motion = paths.motion([equation])
    names = [paths.names[equation]]
    names += [name for k, name in enumerate(paths.names) if k != equation]
    most = max(1, MOST_STARTS // (len(paths.bounds) - 1))
    left = list(found)
    for segments, survivors in zip(SEGMENTS, SURVIVORS, strict=True):
        divided = merged(motion, paths.bounds, min(segments, most))
        starts = np.ascontiguousarray(paths.states[divided.bounds[:-1], equation][:, None])
        fits = [_fitted(each, names, divided, starts) for each in left or [_even(paths, equation)]]
        left = _front(_honest(fits, divided.count), survivors)
    return left or [_even(paths, equation)]


def _even(paths: Paths, equation: int) -> FittedLaw:
    """A constant rate, which can be followed where no other law can."""
    return FittedLaw(CONSTANT, np.array([np.mean(paths.slopes[:, equation])]))


def _fitted(each: FittedLaw, names: Sequence[str], motion: Motion, starts: FloatArray) -> FittedLaw:
    tape = record_tape([each.law], names)
    shot = shoot(tape, motion, each.theta, starts, FEW_STEPS)
    score = shot.chi2 + constants_cost(len(each.theta), motion.count) + prior(each.law, len(names))
    return FittedLaw(each.law, shot.theta, score, shot.chi2)


def _honest(fits: Sequence[FittedLaw], samples: int) -> list[FittedLaw]:
    """With sums of squares that are chance for the best: paths that are held have errors, too."""
    followed = [each for each in fits if each.chi2 < math.inf]
    worse = max(1.0, min((each.chi2 for each in followed), default=0.0) / samples)
    return [replace(each, score=each.score - each.chi2 + each.chi2 / worse) for each in followed]


def _front(fits: Sequence[FittedLaw], most: int) -> list[FittedLaw]:
    """The best two of each number of constants, then the best of the others."""
    ordered = sorted(fits, key=lambda each: each.score)
    seen: dict[int, int] = {}
    first: list[FittedLaw] = []
    rest: list[FittedLaw] = []
    for each in ordered:
        size = len(each.theta)
        seen[size] = seen.get(size, 0) + 1
        (first if seen[size] <= OF_EACH_SIZE else rest).append(each)
    kept = first + rest[: max(0, most - len(first))]
    return sorted(kept, key=lambda each: each.score) if len(kept) <= LISTED else kept
