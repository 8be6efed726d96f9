"""Laws that explain recordings as well as the chosen one, and the run that would decide."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.fitting.shooting import Motion, followed
from odevsr.fitting.tape import record_tape
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Constant, Expression, count
from odevsr.language.normal import normal_form
from odevsr.recorded.choose import Choice
from odevsr.recorded.paths import Paths
from odevsr.recorded.shorter import without
from odevsr.recorded.systems import Fitted, closed
from odevsr.vertical.rivals import Alternative, Experiment

MOST = 4
STARTS = 40
SAMPLES = 40
"""Samples of the run that is proposed."""
WIDER = 0.5
"""Share of the ranges beyond them in which a run may be proposed to start."""


@dataclass(frozen=True, eq=False)
class Rival:
    """A law of one equation that does nearly as well, and where it parts from the chosen one."""

    alternative: Alternative
    sentence: str


def rivals_of(
    paths: Paths, choice: Choice, equation: int, margin: float, rng: np.random.Generator
) -> list[Rival]:
    """Laws of another structure whose score is within the margin of the best, best first."""
    own, *others = choice.ranked[equation]
    chosen = normal_form(own.law)
    seen = {chosen}
    rivals: list[Rival] = []
    for each in others:
        form = normal_form(each.law)
        if each.score > choice.system.score + margin or form in seen or len(rivals) == MOST:
            continue
        seen.add(form)
        if chosen not in _within(each.law):
            rivals.append(_rival(paths, choice, equation, each, rng))
    return rivals


def _within(law: Expression) -> set[Expression]:
    """The forms of a law without one or two of its constants: it is no rival of those."""
    forms: set[Expression] = set()
    nearest = [law]
    for _ in range(2):
        nearest = [shorter for each in nearest for shorter in _one_less(each)]
        forms.update(map(normal_form, nearest))
    return forms


def _one_less(law: Expression) -> list[Expression]:
    shorter = (without(law, place)[0] for place in range(count(law, Constant)))
    return [each for each in shorter if each is not None]


def _rival(
    paths: Paths, choice: Choice, equation: int, rival: Fitted, rng: np.random.Generator
) -> Rival:
    laws = [closed(each) for each in choice.system.laws]
    other = closed(rival)
    start, apart = _most_apart(paths, laws, [*laws[:equation], other, *laws[equation + 1 :]], rng)
    field = compile_field([laws[equation], other], paths.names)
    first, second = (float(value) for value in field(start[None])[0])
    chi = float(np.sqrt(rival.chi2 / paths.motion(list(range(paths.variables))).count))
    state = tuple(float(value) for value in start)
    experiment = Experiment(state, (first, second), apart)
    where = ", ".join(
        f"{name} = {value:.3g}" for name, value in zip(paths.names, state, strict=True)
    )
    duration = float(np.max(np.diff(paths.times[np.r_[paths.bounds[:-1], paths.bounds[1:] - 1]])))
    sentence = (
        f"a run from {where} over {duration:.3g} with {SAMPLES} samples would decide"
        if apart > 1
        else "no run nearby would tell them apart at this noise"
    )
    return Rival(Alternative(other, chi, experiment), sentence)


def _most_apart(
    paths: Paths, laws: list[Expression], others: list[Expression], rng: np.random.Generator
) -> tuple[FloatArray, float]:
    """The start, in the ranges and somewhat beyond, from which the two motions part the most.

    How far is in errors of a sample, the mean over a run as long as those recorded.
    """
    width = paths.high - paths.low
    low = paths.low - np.where(paths.low >= 0, np.minimum(WIDER * width, paths.low), WIDER * width)
    starts = rng.uniform(low, paths.high + WIDER * width, (STARTS, len(paths.names)))
    first, last = paths.bounds[:2]
    times = np.linspace(paths.times[first], paths.times[last - 1], SAMPLES)
    errors = np.median(paths.errors, axis=0)
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
