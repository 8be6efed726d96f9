"""Laws that explain recordings as well as the chosen one, and the run that would decide."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.fitting.shooting import Motion, followed
from odevsr.fitting.tape import record_tape
from odevsr.language.algebra.normal import normal_form
from odevsr.language.evaluate import compile_field, compile_open
from odevsr.language.expression import Expression
from odevsr.recorded.choosing.sweeps import Choice, dusted
from odevsr.recorded.motions.systems import FittedLaw, closed, honest_score
from odevsr.recorded.paths import Paths
from odevsr.recorded.score import NEAR, reach
from odevsr.vertical.judging.rivals import Alternative, Experiment

STARTS = 40
SAMPLES = 40
"""Samples of the run that is proposed."""
WIDER = 0.5
"""Share of the ranges beyond them in which a run may be proposed to start."""
STATES = 200
"""At which two laws are compared."""
Limits = tuple[FloatArray, FloatArray]
"""The least and greatest value of each variable and input."""
SAME = 1e-9
"""Share of the largest value by which forms of one function may differ."""
MOVED, MOST_MOVES, FAR = 10.0, 60, 1e3
"""By how many times itself a constant of a rival may change that holds the law, in how many steps;
and how far from it counts as any distance."""
CLEAR = 0.6
"""By how much the share on one side of a value must be larger, of all states where laws differ,
than of the others."""


@dataclass(frozen=True, eq=False)
class Rival:
    """A law of one equation that does nearly as well, and where it parts from the chosen one."""

    alternative: Alternative
    sentence: str
    is_near: bool
    """Whether it leaves the law undecided; the law with more terms does only if it is better."""


def rivals_of(
    choice: Choice, equation: int, deviation: float, rng: np.random.Generator
) -> list[Rival]:
    """Laws of another structure whose score is not far from the best, best first.

    `deviation` is that of the best; theirs are told in the same errors. Where errors are bounds,
    only those are rivals that leave the law undecided: any law with more to it explains as much.
    """
    own, *others = choice.ranked[equation]
    scores = [behind_by(choice, each) for each in others]
    better, limits = -NEAR if choice.paths.clean.all() else 0.0, wider(choice.paths)
    has_bounds = choice.paths.has_bounds
    farthest = NEAR if has_bounds else reach(len(choice.paths.times))
    seen = {normal_form(own.law)}
    rivals: list[Rival] = []
    for place in np.argsort(scores, kind="stable"):
        each, behind = others[place], scores[place]
        if behind > farthest:
            break
        form = normal_form((dusted(choice.paths, each, equation) if behind <= NEAR else each).law)
        if form in seen:
            continue
        seen.add(form)
        is_larger = len(each.theta) > len(own.theta)
        is_near = behind <= NEAR
        if is_near and not (is_larger and any(rival.is_near for rival in rivals)):
            is_near = behind < better or not holds(choice.paths, each, own, rng)
            if not is_near and (has_bounds or not is_larger):
                continue
        chi = deviation_of(choice, each, deviation)
        rival = Rival(Alternative(closed(each), chi), "", is_near)
        rivals.append(rival if rivals else told_apart(choice, equation, rival, rng, limits))
    return rivals


def deviation_of(choice: Choice, law: FittedLaw, of_best: float) -> float:
    """What a law leaves, in the errors in which the best leaves so much."""
    return of_best * math.sqrt(law.chi2 / max(choice.system.chi2, 1e-300))


def behind_by(choice: Choice, law: FittedLaw) -> float:
    """How far a law is behind the best, with the noise that the best tells or that each leaves."""
    system = choice.system
    behind = honest_score(choice.paths, law) - honest_score(choice.paths, system)
    if choice.paths.has_bounds:
        return behind
    return behind + min(0.0, law.relative - system.relative - (law.chi2 - system.chi2))


def holds(paths: Paths, rival: FittedLaw, law: FittedLaw, rng: np.random.Generator) -> bool:
    """Whether the rival is the law once its constants are moved, those to spare to 0.

    It is the law written otherwise, then, or one with more to it than the samples tell.
    """
    from scipy.optimize import least_squares

    states = rng.uniform(*wider(paths), (STATES, len(paths.names)))
    values = compile_field([closed(law)], paths.names)(states)[:, 0]
    states, values = states[np.isfinite(values)], values[np.isfinite(values)]
    field = compile_open([rival.law], paths.names)
    size = float(np.max(np.abs(values), initial=1e-300))

    def off(changes: FloatArray) -> FloatArray:
        difference = (field(states, rival.theta * (1 + changes))[:, 0] - values) / size
        return np.clip(np.nan_to_num(difference, nan=FAR), -FAR, FAR)

    start = np.zeros(len(rival.theta))
    precise = {"ftol": 1e-14, "xtol": 1e-14, "gtol": 1e-14}
    moved = least_squares(off, start, bounds=(-MOVED, MOVED), max_nfev=MOST_MOVES, **precise)
    return bool(np.max(np.abs(moved.fun), initial=0.0) <= SAME)


def told_apart(
    choice: Choice, equation: int, rival: Rival, rng: np.random.Generator, limits: Limits
) -> Rival:
    """With the run, begun within these limits, that would tell it from the law."""
    paths, other = choice.paths, rival.alternative.expression
    laws = [closed(each) for each in choice.system.laws]
    others = [*laws[:equation], other, *laws[equation + 1 :]]
    start, apart = _most_apart(paths, laws, others, rng, limits)
    field = compile_field([laws[equation], other], paths.names)
    first, second = (float(value) for value in field(start[None])[0])
    state = tuple(float(value) for value in start)
    where = _where_apart(paths, equation, (laws[equation], other), rng, limits)
    experiment = Experiment(state, (first, second), apart)
    sentence = f"{where}{_deciding(paths, state, apart)}"
    return Rival(replace(rival.alternative, experiment=experiment), sentence, rival.is_near)


def _deciding(paths: Paths, start: tuple[float, ...], apart: float) -> str:
    """The run that would tell two laws apart."""
    if not apart > 1:
        return "no run nearby would tell the next law apart at this noise"
    where = ", ".join(
        f"{name} = {value:.3g}" for name, value in zip(paths.names, start, strict=True)
    )
    duration = float(np.max(np.diff(paths.times[np.r_[paths.bounds[:-1], paths.bounds[1:] - 1]])))
    return f"a run from {where} over {duration:.3g} with {SAMPLES} samples would decide"


def _where_apart(
    paths: Paths,
    equation: int,
    laws: tuple[Expression, Expression],
    rng: np.random.Generator,
    limits: Limits,
) -> str:
    """On which side of which value of a variable the laws differ by more than slopes are known."""
    states = rng.uniform(*limits, (STATES, len(paths.names)))
    values = compile_field(laws, paths.names)(states)
    differ = ~(np.abs(values[:, 0] - values[:, 1]) <= np.median(paths.slope_errors[:, equation]))
    if differ.all() or not differ.any():
        return ""
    clearest, side = max(
        (side_of(states[:, k], differ, name) for k, name in enumerate(paths.names)),
        key=lambda each: each[0],
    )
    return f"differs from the next law by more than the noise for {side}; " * (clearest > CLEAR)


def side_of(values: FloatArray, differ: BoolArray, name: str) -> tuple[float, str]:
    """The value of a variable that parts states where laws differ from others best, and how well.

    How well is the share of the former on one side of it less that of the latter.
    """
    order = np.argsort(values)
    apart = differ[order].astype(float)
    below = np.cumsum((1 - apart) / np.sum(1 - apart) - apart / np.sum(apart))
    best = int(np.argmax(np.abs(below)))
    sign = ">" if below[best] > 0 else "<"
    return float(abs(below[best])), f"{name} {sign} {values[order[best]]:.2g}"


def wider(paths: Paths) -> Limits:
    """The ranges and somewhat beyond, but not beyond 0."""
    width = paths.high - paths.low
    low = paths.low - np.where(paths.low >= 0, np.minimum(WIDER * width, paths.low), WIDER * width)
    return low, paths.high + WIDER * width


def _most_apart(
    paths: Paths,
    laws: list[Expression],
    others: list[Expression],
    rng: np.random.Generator,
    limits: Limits,
) -> tuple[FloatArray, float]:
    """The start within limits from which the two motions part the most.

    How far is in errors of a sample, the mean over a run as long as those recorded.
    """
    starts = rng.uniform(*limits, (STARTS, len(paths.names)))
    first, last = paths.bounds[:2]
    times = np.linspace(paths.times[first], paths.times[last - 1], SAMPLES)
    errors = paths.usual_errors
    best, most = starts[0], 0.0
    tapes = [record_tape(each, paths.names) for each in (laws, others)]
    for start in starts:
        motion = _empty_motion(paths, times, start)
        shots = [
            followed(tape, motion, np.empty(0), start[None, : paths.variables]) for tape in tapes
        ]
        if all(np.isfinite(shot.chi2) for shot in shots):
            apart = float(np.mean(np.abs(shots[0].path - shots[1].path) / errors))
            if apart > most:
                best, most = start, apart
    return best, most


def _empty_motion(paths: Paths, times: FloatArray, start: FloatArray) -> Motion:
    """A motion that nothing was measured of; inputs stay where they start."""
    count, inputs = len(times), start[paths.variables :]
    held = np.zeros((count, len(inputs), 3))
    held[:, :, 0] = inputs
    nothing = np.zeros((count, paths.variables))
    scale = np.maximum(np.abs(paths.low), np.abs(paths.high))[: paths.variables]
    bounds = np.array([0, count], dtype=np.int64)
    return Motion(times, nothing, nothing, held, bounds, scale, 1e-6)
