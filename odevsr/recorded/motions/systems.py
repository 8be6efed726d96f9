"""Laws with open constants, one for each variable, fitted together as one motion."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count as counting

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.fitting.shooting import Shot, merged, shoot
from odevsr.fitting.tape import record_tape
from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.term import added, multiplied
from odevsr.language.expression import (
    CONSTANT,
    ONE,
    Apply,
    Constant,
    Expression,
    Number,
    Op,
    count,
    rebuild,
    walk,
    with_constants,
)
from odevsr.recorded.motions.savings import saved
from odevsr.recorded.paths import TRUSTED, Paths
from odevsr.recorded.score import EXPLAINED, constants_cost, prior
from odevsr.world.recordings.noise import noise_along

FEW_STEPS, MANY_STEPS = 8, 25
"""Of a fit among many, and of one that counts."""
ONE_AT_NOUGHT = (Op.EXP, Op.COS, Op.COSH)
"""Functions that are 1 at 0."""
QUIETEST = 0.01
"""Additive noise is at least this share of what relative noise is at a variable's usual size."""


@dataclass(frozen=True, eq=False)
class FittedLaw:
    """A law with open constants and their values; its score is comparable with those beside it."""

    law: Expression
    theta: FloatArray
    score: float = math.inf
    chi2: float = math.inf
    saved: float = 0.0
    """What that score is less for constants that seem not to be free."""
    relative: float = math.inf
    """What stands for the sum of squares where nobody knows how large noise is."""


@dataclass(frozen=True, eq=False)
class FittedSystem:
    """One law for each variable, fitted together over so many segments a run."""

    laws: tuple[FittedLaw, ...]
    score: float
    chi2: float
    shot: Shot
    segments: int
    saved: float = 0.0
    """What its score is less for constants that seem not to be free."""
    relative: float = math.inf
    """What stands for the sum of squares where nobody knows how large noise is."""

    def constants_of(self, k: int) -> slice:
        """Where those of one law are among all."""
        ends = np.cumsum([len(each.theta) for each in self.laws]).tolist()
        return slice(ends[k] - len(self.laws[k].theta), ends[k])


def fit_system(
    paths: Paths,
    laws: Sequence[FittedLaw],
    segments: int,
    most: int = FEW_STEPS,
    near: FittedSystem | None = None,
) -> FittedSystem:
    """All constants and starts of a system, fitted together over so many segments a run.

    Starts are looked for on the motion of a system nearby, else on the smooth path.
    """
    motion = merged(paths.whole, paths.bounds, segments)
    path = paths.states[:, : paths.variables] if near is None else near.shot.path
    starts = np.ascontiguousarray(path[motion.bounds[:-1]])
    tape = record_tape([each.law for each in laws], paths.names)
    theta = np.concatenate([each.theta for each in laws])
    shot = shoot(tape, motion, theta, starts, most)
    sizes = [count(each.law, Constant) for each in laws]
    parts = np.split(shot.theta, np.cumsum(sizes)[:-1])
    fitted = tuple(FittedLaw(each.law, own) for each, own in zip(laws, parts, strict=True))
    cost = constants_cost(sum(sizes), motion.count // paths.variables)
    cost += sum(prior(each.law, len(paths.names)) for each in laws)
    spared = _saved(paths, fitted, shot)
    score, relative = shot.chi2 + cost - spared, _relative(paths, shot)
    return FittedSystem(fitted, score, shot.chi2, shot, segments, spared, relative)


def _relative(paths: Paths, shot: Shot) -> float:
    """Twice what the likelihood falls with, if noise is as large as each variable of each run says.

    Of few samples the law that noise is told by has made it smaller, and all others less likely.
    """
    first, motion = paths.bounds[:-1], paths.whole
    left = np.add.reduceat((motion.weights * (shot.path - motion.samples)) ** 2, first)
    counts = np.add.reduceat((motion.weights > 0).astype(float), first)
    known = (counts > 0) & (left > 0)
    return float(np.sum(counts[known] * np.log(left[known] / counts[known])))


def _saved(paths: Paths, laws: Sequence[FittedLaw], shot: Shot) -> float:
    """By constants that seem not to be free; without noise the samples decide."""
    if paths.clean.all() or not math.isfinite(shot.chi2):
        return 0.0
    return saved(
        [each.law for each in laws],
        shot.theta,
        shot.covariance,
        paths.whole.count // paths.variables,
        len(paths.names),
    )


def honest_score(paths: Paths, fitted: FittedLaw | FittedSystem) -> float:
    """A score that decides: all constants count as free, and all within bounds as equally good."""
    errors = paths.whole.count if paths.has_bounds else 0
    return fitted.score + fitted.saved + max(errors - fitted.chi2, 0.0)


def with_law(laws: Sequence[FittedLaw], k: int, law: FittedLaw) -> list[FittedLaw]:
    """The laws with another in the place of the k-th."""
    return [*laws[:k], law, *laws[k + 1 :]]


def closed(fitted: FittedLaw) -> Expression:
    """The law with its numbers, in normal form."""
    return normal_form(with_constants(fitted.law, fitted.theta.tolist()))


def freed(law: Expression) -> FittedLaw:
    """A law whose inexact numbers are open constants, as `closed` puts them back.

    >>> from odevsr.language.parse import parse
    >>> law = parse("C*x^2 + exp(C*x)", ["x"], open_symbols=True)
    >>> freed(closed(FittedLaw(law, np.array([2.5, -0.5])))).theta.tolist()
    [2.5, -0.5]
    """
    numbers = [node for node in walk(law) if isinstance(node, Number)]
    leaves = [CONSTANT if isinstance(each.value, float) else each for each in numbers]
    theta = [each.value for each in numbers if isinstance(each.value, float)]
    return FittedLaw(rebuild(law, iter(leaves), Number), np.array(theta))


def reweighted(paths: Paths, system: FittedSystem) -> Paths:
    """The paths with errors as the residuals of the system's motion tell them, if it explains all.

    How far a motion is from 0 is known better than how far a smooth path is.
    """
    if not system.chi2 < EXPLAINED * paths.whole.count:
        return paths
    errors = paths.errors.copy()
    for k, law in enumerate(system.laws):
        measured = np.isfinite(errors[:, k])
        path = system.shot.path[:, k]
        off = (paths.samples[:, k] - path)[measured]
        if not off.any():
            continue
        noise = noise_along(path[measured], off, len(law.theta) + system.segments, QUIETEST)
        sizes = noise.sizes(path[measured])
        errors[measured, k] = np.maximum(sizes, TRUSTED * np.std(path[measured]))
    return replace(paths, errors=errors)


def without(law: Expression, place: int) -> tuple[Expression | None, list[int]]:
    """The law less one of its open constants and what that is a factor of; None if that is all.

    With it comes which of the constants are left.

    >>> from odevsr.language.parse import parse
    >>> from odevsr.language.text import to_text
    >>> law = parse("C*x + C*sin(C*x)", ["x"], open_symbols=True)
    >>> shorter, kept = without(law, 1)
    >>> to_text(shorter), kept
    ('C*x', [0])
    >>> to_text(without(parse("C*x*exp(C*x)", ["x"], open_symbols=True), 1)[0])
    'C*x'
    """
    numbers = counting()
    shorter, kept = _without(law, place, numbers)
    return (shorter, kept) if kept else (None, [])


def _sum(parts: Sequence[tuple[Expression, list[int]]]) -> tuple[Expression, list[int]]:
    """What is left of a sum; terms that differ in a coefficient alone are one."""
    once = [
        (part, kept)
        for place, (part, kept) in enumerate(parts)
        if len(kept) > 1 or part not in [other for other, _ in parts[:place]]
    ]
    return added([part for part, _ in once]), [k for _, kept in once for k in kept]


def _without(
    node: Expression, place: int, numbers: counting[int]
) -> tuple[Expression | None, list[int]]:
    if isinstance(node, Constant):
        number = next(numbers)
        return (None, []) if number == place else (node, [number])
    if not isinstance(node, Apply):
        return node, []
    parts = [_without(arg, place, numbers) for arg in node.args]
    left = [part for part, _ in parts if part is not None]
    if node.op is Op.ADD and left:
        return _sum([(part, kept) for part, kept in parts if part is not None])
    if len(left) < len(parts):
        return (ONE if node.op in ONE_AT_NOUGHT else None), []
    kept = [k for _, kept in parts for k in kept]
    if node.op is Op.POW and left[0] == ONE:
        return ONE, []
    if node.op is Op.MUL:
        return multiplied([each for each in left if each != ONE] or [ONE]), kept
    return Apply(node.op, tuple(left)), kept
