"""Whether a simulator repeats itself, and if not, whether that is noise or memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.world.experiments.schemes import ROUNDING
from odevsr.world.pilot.wild import NOTEWORTHY, wild_answers, wild_sentence, without_outliers
from odevsr.world.simulators.launch import Launch

ORDERS = (1, 1, -1, 1, -1, 1, 1, 1)
"""Calls with the same states, as they are and in the other order."""
ONE_WAY = 5.0
"""Repeats that all differ the same way, by so many standard errors, have drifted."""
ITERATIONS = 8


@dataclass(frozen=True, eq=False)
class Repeats:
    """By how much launches from the same states differ, (n,): at random, and otherwise."""

    noise: FloatArray
    drift: FloatArray
    ends: FloatArray
    """Where the first launches end, (m, n)."""
    wild: str = ""
    """What is to be said of wild answers, if there were any."""

    def warnings(self, names: Sequence[str]) -> list[str]:
        """What a user should know."""
        said = [self.wild] if self.wild else []
        if self.noise.any():
            said.append(
                "the simulator does not repeat itself: launches from the same state scatter by "
                f"{_listed(names, self.noise)}; derivatives are means over many"
            )
        if self.drift.any():
            said.append(
                "the simulator remembers what it did before: launches from the same states, done "
                f"again or in another order, differ by {_listed(names, self.drift)}; "
                "what differs counts as error"
            )
        return said


def _listed(names: Sequence[str], sizes: FloatArray) -> str:
    return ", ".join(
        f"{size:.2g} in {name}" for name, size in zip(names, sizes, strict=True) if size
    )


def repeats(launch: Launch, states: FloatArray, step: float) -> Repeats:
    """Launch several times from the same states (m, n), sometimes in another order.

    Noise has no direction; what has one, or comes of the order alone, is no noise.
    """
    steps = np.full(len(states), step)
    answers = np.array([launch(states[::way], steps)[::way] for way in ORDERS])
    ends, nothing = answers[0], np.zeros(states.shape[1])
    same = NOTEWORTHY * ROUNDING * np.max(np.abs(states), axis=0)
    wild = wild_answers(answers, same)
    in_order = np.all(wild[np.array(ORDERS) < 0], axis=0)
    if wild.any() and not in_order.any():
        return Repeats(nothing, nothing, ends, wild_sentence(wild))
    answers = answers[:, np.all(np.isfinite(answers), axis=(0, 2))]
    in_time, apart = answers[1] - answers[0], np.abs(answers - answers[0])
    if not np.any(apart > same):
        return Repeats(nothing, nothing, ends)
    scatter = np.sqrt(np.mean(without_outliers(in_time**2), axis=0) / 2)
    random = (np.median(np.abs(in_time), axis=0) > same) & ~_one_way(in_time)
    largest = np.max(apart, axis=(0, 1))
    drift = np.where(~random & (largest > same), largest, 0.0)
    return Repeats(np.where(random, scatter, 0.0), drift, ends)


def _one_way(differences: FloatArray) -> BoolArray:
    """For which variables the differences (m, n) are more of one sign than chance allows."""
    mean = np.abs(np.mean(differences, axis=0))
    error = np.std(differences, axis=0) / np.sqrt(len(differences))
    one_way: BoolArray = mean > ONE_WAY * error
    return one_way


def noise_model(variances: FloatArray, values: FloatArray) -> tuple[float, float]:
    """Standard deviations a and b such that noise of size hypot(a, b*value) has these variances.

    Both are (m,); b is the noise in proportion to the value, a the rest.

    >>> noise_model(np.array([4.0, 4.0, 4.0]), np.array([1.0, -5.0, 9.0]))
    (2.0, 0.0)
    """
    from scipy.optimize import nnls

    usable = np.isfinite(variances)
    variances, values = variances[usable], values[usable]
    columns = np.stack([np.ones(len(values)), values**2], axis=1)
    model = np.full(len(values), float(np.mean(variances)))
    found = np.zeros(2)
    for _ in range(ITERATIONS):
        # A variance is known to a share of itself, which of each state is that of the model.
        weights = 1 / np.maximum(model, 1e-6 * np.mean(model) + 1e-300)
        found, _ = nnls(columns * weights[:, None], variances * weights)
        model = columns @ found
    return float(np.sqrt(found[0])), float(np.sqrt(found[1]))
