"""With which step each derivative is measured best, and how uncertain states are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.world.box import Box
from odevsr.world.experiments.launched import Calibration
from odevsr.world.experiments.noisy import noisy_steps, shares_moved
from odevsr.world.experiments.schemes import ROUNDING, TINY, Scheme, scheme, whole_steps
from odevsr.world.pilot.quantum import Clock
from odevsr.world.pilot.wild import without_outliers
from odevsr.world.simulators.launch import Launch

LEVELS = 13
LONGER = -3
"""The level at which trial steps begin where states are rounded, else the first."""
CAUTION = 4.0
"""The best step suits typical states; a shorter one costs digits and suits nearly all."""
SHORTEST, MARGIN = 5, 1.5
"""Steps among which states' errors are looked for, and how much larger they are taken for."""
NOTEWORTHY = 30.0
"""States more uncertain than this many times rounding make a simulator less than exact."""
REST = 0.2
"""Share of a gap between two steps that is left at the shorter, with a margin."""
NOISY_GAP = 3.0
"""Noise makes gaps of up to this many standard deviations."""
COMPOSED = 12
"""States from which two launches are compared with one of twice the length."""


@dataclass(frozen=True, eq=False)
class Known:
    """What is known of a simulator before its derivatives are looked at."""

    longest: float
    """A time in which most states move by no more than a tenth of their ranges."""
    blur: FloatArray
    """To what (n,) its states are rounded, or by how much they depend on what was before."""
    noise: FloatArray
    """By how much (n,) launches from the same states scatter."""
    drifts: BoolArray
    """Which (n,) depend on what was launched before: how much they will later, nobody knows."""
    clock: Clock | None = None
    is_wild: bool = False
    """True if some of its answers are wild."""

    @property
    def is_noisy(self) -> bool:
        """True if launches from the same states scatter."""
        return bool(self.noise.any())

    def whole(self, steps: FloatArray) -> FloatArray:
        """The steps, or the nearest that the simulator can make."""
        return steps if self.clock is None else whole_steps(steps, self.clock.quantum)


def calibrate(
    launch: Launch, difference: str, states: FloatArray, known: Known, box: Box
) -> tuple[Calibration, ...]:
    """How to measure each component: with many launches if it scatters, else with few."""
    if not known.is_noisy:
        return _without_noise(launch, difference, states, known)
    quiet: tuple[Calibration, ...] = ()
    if not known.noise.all():
        quiet = _without_noise(launch, difference, states, known)
    found = noisy_steps(launch, difference, states, known.longest)
    return tuple(
        Calibration(
            step=each.step,
            state_error=each.additive,
            size=each.size,
            relative_error=each.proportional,
            is_noisy=True,
            share=_typical_share(launch, states, each.step, box),
        )
        if known.noise[component]
        else quiet[component]
        for component, each in enumerate(found)
    )


def _typical_share(launch: Launch, states: FloatArray, step: float, box: Box) -> float:
    shares = shares_moved(launch, states, np.full(len(states), step), box)
    return float(np.median(np.nan_to_num(shares, nan=np.inf)))


def _without_noise(
    launch: Launch, difference: str, states: FloatArray, known: Known
) -> tuple[Calibration, ...]:
    """For each component the step at which neighbouring estimates agree best."""
    chosen = scheme(difference)
    steps = _trial_steps(known, chosen.refinement)
    estimates = np.array(
        [chosen.derivatives(launch, states, np.full(len(states), step))[0] for step in steps]
    )
    gaps = np.abs(np.diff(estimates, axis=0))
    gaps = np.where(np.isfinite(gaps), gaps, np.inf)
    rounding = ROUNDING * np.median(np.abs(states), axis=0)
    errors = _left_of_gaps(chosen, gaps, steps, known)
    errors[~((errors > NOTEWORTHY * rounding) & np.isfinite(errors))] = 0.0
    errors = np.maximum(errors, known.blur)
    hidden = chosen.amplification * np.maximum(known.blur, rounding) / steps[1:, None, None]
    with np.errstate(over="ignore"):  # of what rests, any gap is endlessly much
        relative = np.maximum(gaps, hidden) / (np.nan_to_num(np.abs(estimates[1:])) + TINY)
        best = 1 + np.argmin(np.median(relative, axis=1), axis=0)
    shorter = np.where(known.blur > 0, 1.0, CAUTION)
    chosen_steps = known.whole(steps[best] / shorter)
    if not known.is_noisy:
        mismatch = _mismatch(launch, states, float(np.max(chosen_steps)), rounding)
        errors = np.maximum(errors, mismatch)
    blur = np.maximum(errors, NOISY_GAP * known.noise)
    return tuple(
        Calibration(
            step=float(chosen_steps[component]),
            state_error=float(errors[component]),
            size=_root_mean_square(estimates[best[component], :, component]),
            blur=tuple(float(each) for each in blur) if blur.any() else (),
            quantum=known.clock.quantum if known.clock else 0.0,
            is_wild=known.is_wild,
        )
        for component in range(states.shape[1])
    )


def _trial_steps(known: Known, refinement: float) -> FloatArray:
    """Steps from long to short, each once; two at least."""
    first = LONGER if known.blur.any() else 1
    steps: FloatArray = known.longest / refinement ** np.arange(first, LEVELS + 1.0)
    if known.clock is None:
        return steps
    whole = np.unique(known.whole(steps))[::-1]
    return whole if len(whole) > 1 else np.array([2.0, 1.0]) * whole


def _left_of_gaps(chosen: Scheme, gaps: FloatArray, steps: FloatArray, known: Known) -> FloatArray:
    """The states' own errors (n,), which at the shortest steps are all that is left of the gaps.

    A simulator with time steps of its own may have no step so short: then gaps still fall, and a
    part of the last one is what is typically left of truncation.
    """
    left = gaps[-SHORTEST:] * steps[1:][-SHORTEST:, None, None] / chosen.amplification
    typical = np.sqrt(np.mean(without_outliers(left**2, axis=1), axis=1))
    errors: FloatArray = MARGIN * np.min(typical, axis=0)
    if known.clock is not None:
        still_falls = typical[-1] <= typical[0] / 4 if len(typical) > 1 else np.isfinite(errors)
        errors[still_falls] *= REST
    return errors


def _mismatch(launch: Launch, states: FloatArray, step: float, rounding: FloatArray) -> FloatArray:
    """By how much (n,) two launches lead elsewhere than one of twice the length.

    Whatever a simulator does to the states it returns, it does it twice in one case and once in
    the other.
    """
    few = states[:COMPOSED]
    steps = np.full(len(few), step)
    middle, end = launch(few, steps), launch(few, 2 * steps)
    usable = np.all(np.isfinite(middle), axis=1)
    gap = launch(middle[usable], steps[usable]) - end[usable]
    gap = gap[np.all(np.isfinite(gap), axis=1)]
    if not len(gap):
        return np.zeros(states.shape[1])
    typical = np.sqrt(np.mean(without_outliers(gap**2), axis=0))
    return np.where(typical > 10 * NOTEWORTHY * rounding, typical, 0.0)


def _root_mean_square(values: FloatArray) -> float:
    finite = values[np.isfinite(values)]
    return float(np.sqrt(np.mean(finite**2))) if finite.size else 0.0
