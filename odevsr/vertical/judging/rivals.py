"""Two laws that explain the same data: the experiment that tells them apart, and its outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Expression
from odevsr.limits import DRAWN, FINEST, LIKELY, Limits
from odevsr.world.box import Box
from odevsr.world.experiments.mesh import random_states
from odevsr.world.experiments.oracle import Oracle


@dataclass(frozen=True)
class Alternative:
    """Another law on the front of complexity and error.

    If it explains the data as well, `experiment` is the one that tells it from the law, and
    `is_refuted` says that it was made and did.
    """

    expression: Expression
    deviation: float
    experiment: Experiment | None = None
    is_refuted: bool = False


@dataclass(frozen=True)
class Experiment:
    """One state, and by how many measurement errors two laws differ there."""

    state: tuple[float, ...]
    predictions: tuple[float, float]
    contrast: float

    def repeats(self, limits: Limits) -> int:
        """How often to measure there, so that the mean decides; at least once, at most 1000.

        Its own error must not hide what is decisive: with less, every other experiment was in vain.
        """
        wanted = (limits.significant + LIKELY) / max(self.contrast, FINEST)
        return int(np.clip(np.ceil(wanted**2), 1, 1000))


def telling_experiment(
    rivals: tuple[Expression, Expression],
    names: Sequence[str],
    box: Box,
    error: float,
    rng: np.random.Generator,
) -> Experiment:
    """The state in the ranges at which the laws differ most, for measurements of a given error."""
    field = compile_field(rivals, names)
    states = random_states(box, DRAWN, rng)
    first, second = field(states).T
    best = int(np.argmax(np.nan_to_num(np.abs(first - second), nan=-1.0, posinf=-1.0)))
    predictions = float(first[best]), float(second[best])
    contrast = abs(predictions[0] - predictions[1]) / error
    return Experiment(tuple(states[best].tolist()), predictions, contrast)


def decide(experiment: Experiment, oracle: Oracle, limits: Limits) -> int | None:
    """Make the experiment, often enough, and say which law it speaks for; None if for neither.

    The law nearer to the mean is right if only the other one is significantly off.
    """
    repeats = experiment.repeats(limits)
    sample = oracle.measure(np.tile(np.array(experiment.state), (repeats, 1)))
    mean = float(sample.values.mean())
    error = float(np.sqrt(np.mean(sample.errors**2) / repeats))
    off = np.abs(np.array(experiment.predictions) - mean) / error
    winner = int(np.argmin(off))
    return winner if off[1 - winner] > limits.significant >= off[winner] else None
