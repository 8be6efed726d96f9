"""Derivatives of a simulator that scatters: from many launches each, with the errors left."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.world.box import Box
from odevsr.world.experiments.schemes import ROUNDING, TINY, Estimate, Scheme, burst, scheme
from odevsr.world.pilot.repeats import noise_model
from odevsr.world.pilot.wild import without_outliers
from odevsr.world.simulators.launch import Launch

LAUNCHES = 16
"""Launches for one derivative."""
LONGER, LEVELS = 8.0, 15
"""Trial steps are halves of halves, from so many times the longest in which states move little."""
SAFETY = 400.0
"""So much smaller than noise truncation is made: noise averages out over states, bias does not."""
HIDDEN = 0.5
"""Share of the noise of a gap in which some truncation may hide, as variance."""
SURE = 3.0
"""Gaps of so many errors are no noise."""
FARTHER = 2.0
"""How many times as far as a typical one a state may move in a step: without any limit truncation
makes terms that are called identified, and with one of 1 laws are lost to noise of 1e-3."""
TRUST = 24
"""What the pilot knows of the noise counts as so many repeats."""


def bursts(difference: str) -> Scheme:
    """The scheme of this name with repeated launches."""
    return burst(scheme(difference), LAUNCHES)


@dataclass(frozen=True)
class NoisyStep:
    """For one component: the best step, its noise hypot(additive, proportional*value), its size."""

    step: float
    additive: float
    proportional: float
    size: float


def noisy_steps(
    launch: Launch, difference: str, states: FloatArray, longest: float
) -> tuple[NoisyStep, ...]:
    """For each component the step at which noise and truncation together are least."""
    chosen = bursts(difference)
    steps = LONGER * longest / chosen.refinement ** np.arange(LEVELS)
    found = [
        chosen.derivatives_and_variances(launch, states, np.full(len(states), step))
        for step in steps
    ]
    values, checks, variances = (np.array(each) for each in zip(*found, strict=True))
    works = np.mean(~np.any(np.isnan(values), axis=2), axis=1) > 0.9
    values, checks, variances, steps = values[works], checks[works], variances[works], steps[works]
    variances = without_outliers(variances, axis=1)
    sigma = np.sqrt(np.nanmean(variances, axis=1)) + ROUNDING * np.max(np.abs(states), axis=0)
    size = np.sqrt(np.nanmean(without_outliers(values**2, axis=1), axis=1)) + TINY
    over = sigma / steps[:, None]
    gap = (
        np.nanmean(without_outliers((values - checks) ** 2, axis=1), axis=1)
        - (chosen.gap_amplification * over) ** 2
    )
    gap = np.sqrt(np.maximum(gap, 0.0) + HIDDEN * (chosen.gap_amplification * over) ** 2)
    truncation = SAFETY * _truncation(chosen, gap, size, np.ptp(states, axis=0))
    typical = np.sqrt(np.nanmedian(variances, axis=1)) / steps[:, None]
    best = np.argmin(np.hypot(chosen.noise_gain * typical, truncation), axis=0)
    return tuple(
        NoisyStep(
            float(steps[level]),
            *noise_model(variances[level, :, i], states[:, i]),
            float(size[level, i]),
        )
        for i, level in enumerate(best)
    )


def shares_moved(launch: Launch, states: FloatArray, steps: FloatArray, box: Box) -> FloatArray:
    """How far states (m, n) move in steps (m,), beside the scale of the variable that moves most.

    That is its range or, if this keeps to one side of nought, its value where that is smaller.
    """
    one_sided = (box.low > 0) | (box.high < 0)
    scale = np.where(one_sided, np.minimum(np.abs(states), box.width), box.width)
    with np.errstate(invalid="ignore", over="ignore"):
        share: FloatArray = np.max(np.abs(launch(states, steps) - states) / scale, axis=1)
    return share


def no_farther(shares: FloatArray, typical: float) -> FloatArray:
    """Factors of steps with which no state, of those that move by shares, moves much farther.

    Truncation is hidden by noise, and would be a larger part of it where states are fast.
    """
    most = FARTHER * typical
    with np.errstate(invalid="ignore"):  # of what rests, and of what is lost
        return np.nan_to_num(most / np.maximum(shares, most), nan=1.0)


def _truncation(chosen: Scheme, gap: FloatArray, size: FloatArray, width: FloatArray) -> FloatArray:
    """Truncation (..., n) from gaps between derivatives of a size and their checks, (..., n).

    As in `schemes.estimate`: what is left of the gap is smaller by its relative size for the state
    as a whole.
    """
    relative = np.max(gap / width, axis=-1) / (np.max(size / width, axis=-1) + TINY)
    relative = np.minimum(relative, 1.0)[..., None]
    truncation: FloatArray = relative**chosen.gain * np.maximum(gap, relative * size)
    return truncation


def estimate_noisy(
    chosen: Scheme,
    launch: Launch,
    states: FloatArray,
    steps: FloatArray,
    component: int,
    width: FloatArray,
    expected: FloatArray,
) -> Estimate:
    """Derivatives of a component; `expected` (m,) is the noise the pilot found.

    What is called rounding elsewhere is the standard deviation of the derivative.
    """
    values, checks, variances = chosen.derivatives_and_variances(launch, states, steps)
    trusted = TRUST * expected**2 + chosen.repeats * variances[:, component]
    variances[:, component] = trusted / (TRUST + chosen.repeats)
    over = np.sqrt(variances) / steps[:, None]
    sure = (values - checks) ** 2 - (SURE * chosen.gap_amplification * over) ** 2
    gap = np.sqrt(np.maximum(sure, 0.0))
    truncation = _truncation(chosen, gap, np.abs(checks), width)[:, component]
    noise = chosen.noise_gain * over[:, component] + TINY
    return Estimate(values[:, component], truncation, noise)
