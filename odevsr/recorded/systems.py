"""Laws with open constants, one for each variable, fitted together as one motion."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.fitting.shooting import Shot, merged, shoot
from odevsr.fitting.tape import record_tape
from odevsr.language.expression import Constant, Expression, count, with_constants
from odevsr.language.normal import normal_form
from odevsr.recorded.paths import Paths
from odevsr.recorded.score import constants_cost, prior

FEW_STEPS, MANY_STEPS = 8, 25
"""Of a fit among many, and of one that counts."""


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


def fit_system(
    paths: Paths,
    laws: Sequence[Fitted],
    segments: int,
    most: int = FEW_STEPS,
    near: System | None = None,
) -> System:
    """All constants and starts of a system, fitted together over so many segments a run.

    Starts are looked for on the motion of a system nearby, else on the smooth path.
    """
    motion = merged(paths.motion(list(range(paths.variables))), paths.bounds, segments)
    path = paths.states[:, : paths.variables] if near is None else near.shot.path
    starts = np.ascontiguousarray(path[motion.bounds[:-1]])
    tape = record_tape([each.law for each in laws], paths.names)
    shot = shoot(tape, motion, np.concatenate([each.theta for each in laws]), starts, most)
    sizes = [count(each.law, Constant) for each in laws]
    theta = np.split(shot.theta, np.cumsum(sizes)[:-1])
    fitted = tuple(Fitted(each.law, own) for each, own in zip(laws, theta, strict=True))
    cost = constants_cost(sum(sizes), motion.count // paths.variables)
    cost += sum(prior(each.law, len(paths.names)) for each in laws)
    return System(fitted, shot.chi2 + cost, shot.chi2, shot, segments)


def closed(fitted: Fitted) -> Expression:
    """The law with its numbers, in normal form."""
    return normal_form(with_constants(fitted.law, fitted.theta.tolist()))
