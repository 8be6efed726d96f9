"""Simulators that answer wildly now and then, as a rig does that has glitches.

Asked the same several times, they answer the same before and after a wild answer. What has changed
for good does not, nor does what depends on the order, and noise is never the same. So a wild answer
is asked again, and what is answered twice counts.
"""

from __future__ import annotations

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.world.experiments.schemes import ROUNDING
from odevsr.world.simulators.launch import Launch

NOTEWORTHY = 30.0
"""Answers that differ by fewer times rounding are the same."""
FEW = 0.1
"""Share of the answers that may be wild: of more, two are wild too often, one after the other."""
OUTLIER = 100.0
"""Squares so many times those of nearly all are those of wild answers, of a kink or a pole."""
MOST_ASKED = 6
"""Answers of which no two are the same tell nothing."""


def without_outliers(squares: FloatArray, axis: int = 0) -> FloatArray:
    """Squares of errors along an axis, of which few are wild; those are no larger than others."""
    usual = np.nanquantile(squares, 1 - FEW, axis=axis, keepdims=True, method="lower")
    limited: FloatArray = np.minimum(squares, OUTLIER * usual)
    return limited


def wild_answers(answers: FloatArray, same: FloatArray) -> BoolArray:
    """Which of the answers (calls, m, n) to the same questions are wild, (calls, m).

    Those are the same that differ by no more than `same` (n,). None is wild if many differ, or none
    has the usual answer both before and after it.
    """
    usual = np.median(answers, axis=0)  # nan in a row where any is
    with np.errstate(invalid="ignore"):
        usual = np.where(np.isnan(usual), np.sort(answers, axis=0)[len(answers) // 3], usual)
        differs = ~np.all(np.abs(answers - usual) <= same, axis=2)
    differs &= ~np.all(np.isnan(answers), axis=(0, 2))
    before = np.logical_or.accumulate(~differs, axis=0)
    after = np.logical_or.accumulate(~differs[::-1], axis=0)[::-1]
    is_wild = bool(np.mean(differs) <= FEW and np.any(differs & before & after))
    wild: BoolArray = differs & is_wild
    return wild


def wild_sentence(wild: BoolArray) -> str:
    """What to say of the answers that were asked for several times, of which some are wild."""
    return (
        f"{wild.sum()} of {wild.size} answers differed from all others to the same question: wild "
        "answers are asked again, and what is answered twice counts"
    )


def settle(launch: Launch, states: FloatArray, steps: FloatArray) -> tuple[FloatArray, int]:
    """Where launches end for certain, and how many it took: each is made until two agree."""
    answers = [launch(states, steps), launch(states, steps)]
    ends, made = answers[0].copy(), 2 * len(states)
    left = np.flatnonzero(~_are_same(*answers))
    answers = [each[left] for each in answers]
    while left.size and len(answers) < MOST_ASKED:
        new = launch(states[left], steps[left])
        made += len(left)
        agreed = np.logical_or.reduce([_are_same(each, new) for each in answers])
        ends[left[agreed]] = new[agreed]
        answers = [each[~agreed] for each in (*answers, new)]
        left = left[~agreed]
    ends[left] = np.nan
    return ends, made


def settled(launch: Launch) -> Launch:
    """A launcher that does so."""

    def move(states: FloatArray, step: float | FloatArray) -> FloatArray:
        steps = np.broadcast_to(np.asarray(step, dtype=np.float64), len(states))
        return settle(launch, states, steps)[0]

    return move


def _are_same(first: FloatArray, second: FloatArray) -> BoolArray:
    """Which rows of answers (m, n) are the same, nan included."""
    with np.errstate(invalid="ignore"):
        near = np.abs(first - second) <= NOTEWORTHY * ROUNDING * np.maximum(
            np.abs(first), np.abs(second)
        )
    same: BoolArray = np.all(near | (np.isnan(first) & np.isnan(second)), axis=1)
    return same
