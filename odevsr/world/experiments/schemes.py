"""Finite differences of launched states, central, forward or backward, with error estimates.

Every scheme has a lower-order check made of the same launches. The two differ by about the check's
truncation error, from which the scheme's own follows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.errors import UsageError, nearest
from odevsr.world.simulators.launch import Launch

ROUNDING = float(np.finfo(float).eps)
TINY = 1e-300
BLURRED = 2.0
"""Gaps of so many errors may come of the states alone."""
TOGETHER = 4096
"""Launches up to which those of all offsets are asked for in one call."""
FEWEST = 4
"""Launches from one state that tell a jump from a turning point."""
JUMP = 10.0
"""States that are elsewhere at once, by so many times what blurs them, or by one part in so many of
the way they move."""
SAFETY = 30.0
"""Truncation is this much larger than estimated where a law is steep, as about a pole."""


@dataclass(frozen=True)
class Scheme:
    """Derivative = sum of weights times displacements after `offsets` steps, over the step."""

    offsets: tuple[int, ...]
    weights: tuple[float, ...]
    check: tuple[float, ...]
    """Weights of the lower-order check."""
    gain: float
    """Truncation is the gap to the check times its relative size to this power."""
    refinement: float = 2.0
    """By how much trial steps differ; the lower the order, the shorter the best step."""
    bend: tuple[float, ...] = ()
    """Weights of a difference of one order more than the gap. Of a smooth motion it is smaller by a
    step over the time scale; across a kink it is as large, and is what the scheme is off by."""

    @property
    def launches(self) -> int:
        """Launches that one derivative takes."""
        return len(self.offsets)

    @property
    def repeats(self) -> int:
        """Launches beyond the first at each offset."""
        return len(self.offsets) - len(set(self.offsets))

    @property
    def amplification(self) -> float:
        """By how much the scheme amplifies errors of states, over the step."""
        return max(1.0, self.noise_gain)

    @property
    def noise_gain(self) -> float:
        """The same for errors that are independent from launch to launch."""
        return float(np.linalg.norm(self.weights))

    @property
    def gap_amplification(self) -> float:
        """The same for the gap between the scheme and its check."""
        return float(np.linalg.norm(np.subtract(self.weights, self.check)))

    def derivatives(
        self, launch: Launch, states: FloatArray, steps: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """The scheme's and its check's derivatives (m, n) at states (m, n), with steps (m,)."""
        return self.combined(self.moved(launch, states, steps), steps)

    def moved(self, launch: Launch, states: FloatArray, steps: FloatArray) -> FloatArray:
        """By how much states (m, n) have moved after each offset, (offsets, m, n)."""
        with np.errstate(invalid="ignore", over="ignore"):
            # The difference of near states is exact, so rounding comes from the launch alone.
            moved: FloatArray = self._launched(launch, states, steps) - states
            return moved

    def derivatives_and_variances(
        self, launch: Launch, states: FloatArray, steps: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The same, and the variances (m, n) of states launched by the same offset."""
        with np.errstate(invalid="ignore", over="ignore"):
            moved = self.moved(launch, states, steps)
            squares = np.zeros(states.shape)
            for offset in set(self.offsets):
                same = moved[np.array(self.offsets) == offset]
                squares += np.sum((same - np.mean(same, axis=0)) ** 2, axis=0)
            return *self.combined(moved, steps), squares / max(self.repeats, 1)

    def combined(self, moved: FloatArray, steps: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The scheme's and its check's derivatives (m, n) from what has moved."""
        with np.errstate(invalid="ignore", over="ignore"):
            value, check = (
                np.tensordot(weights, moved, axes=1) / steps[:, None]
                for weights in (self.weights, self.check)
            )
        return value, check

    def _launched(self, launch: Launch, states: FloatArray, steps: FloatArray) -> FloatArray:
        """States (offsets, m, n) after each offset; few launches go together in one call."""
        if len(states) * self.launches > TOGETHER:
            return np.stack([launch(states, offset * steps) for offset in self.offsets])
        all_steps = np.multiply.outer(self.offsets, steps)
        ends = launch(np.tile(states, (self.launches, 1)), all_steps.ravel())
        return ends.reshape(self.launches, *states.shape)


SCHEMES = {
    "central": Scheme(
        offsets=(-2, -1, 1, 2),
        weights=(1 / 12, -2 / 3, 2 / 3, -1 / 12),
        check=(0, -1 / 2, 1 / 2, 0),
        gain=1.0,
        bend=(1 / 12, -1 / 3, -1 / 3, 1 / 12),
    ),
    "forward": Scheme((1, 2, 3, 4), (4, -3, 4 / 3, -1 / 4), (3, -3 / 2, 1 / 3, 0), 1 / 3),
    # Of first order, as in the paper; the check is of second order, so the gap is its error.
    "backward": Scheme((-1, -2), (-1, 0), (-2, 1 / 2), 0.0, 4.0),
}


def scheme(name: str) -> Scheme:
    """The scheme of this name: central, forward or backward."""
    if name not in SCHEMES:
        raise UsageError(f"there is no difference {name!r}; {nearest(name, SCHEMES)}")
    return SCHEMES[name]


def whole_steps(steps: FloatArray, quantum: float) -> FloatArray:
    """The times nearest to the steps that are whole numbers of a quantum, at least one.

    >>> whole_steps(np.array([0.1, 2.4, 2.6]), 1.0).tolist()
    [1.0, 2.0, 3.0]
    """
    return np.maximum(np.rint(steps / quantum), 1.0) * quantum


def burst(scheme: Scheme, launches: int) -> Scheme:
    """The scheme with every launch repeated so often that the mean is least blurred by noise.

    Of so many launches an offset gets a share in proportion to its weight, but at least one.

    >>> burst(SCHEMES["central"], 16).offsets
    (-2, -2, -1, -1, -1, -1, -1, -1, 1, 1, 1, 1, 1, 1, 2, 2)
    """
    weights = np.abs(scheme.weights)
    spare = launches - scheme.launches
    counts = 1 + np.floor(spare * weights / weights.sum() + 0.5).astype(int)
    return replace(
        scheme,
        offsets=tuple(np.repeat(scheme.offsets, counts).tolist()),
        weights=tuple(np.repeat(scheme.weights / counts, counts).tolist()),
        check=tuple(np.repeat(scheme.check / counts, counts).tolist()),
    )


class Estimate(NamedTuple):
    """Derivatives of one component (m,), with their truncation and rounding errors."""

    values: FloatArray
    truncation: FloatArray
    rounding: FloatArray


def estimate(
    scheme: Scheme,
    launch: Launch,
    states: FloatArray,
    steps: FloatArray,
    component: int,
    width: FloatArray,
    state_error: float = 0.0,
    blur: FloatArray | float = 0.0,
) -> Estimate:
    """Derivatives of a component at states (m, n) whose variables range over `width` (n,).

    `state_error` is how uncertain the component's states are, where that is more than rounding;
    `blur` (n,) says so of all variables, and what it explains of a gap is no truncation.
    """
    return differences(scheme, launch, states, steps, width, blur).of(component, state_error)


@dataclass(frozen=True, eq=False)
class Differences:
    """What launches from states (m, n) tell of all their derivatives."""

    scheme: Scheme
    states: FloatArray
    steps: FloatArray
    moved: FloatArray
    values: FloatArray
    check: FloatArray
    blurred: FloatArray
    gap: FloatArray
    relative: FloatArray

    def of(self, component: int, state_error: float = 0.0) -> Estimate:
        """The derivatives of a component, with their errors."""
        scheme, steps, relative = self.scheme, self.steps, self.relative
        mine = np.abs(self.check[:, component])
        missed = np.maximum(self.gap[:, component], relative * mine)
        truncation = SAFETY * relative**scheme.gain * missed
        position = np.maximum(ROUNDING * np.abs(self.states[:, component]), state_error)
        rounding = scheme.amplification * position / steps + 4 * ROUNDING * mine + TINY
        if scheme.bend:
            with np.errstate(invalid="ignore", over="ignore"):
                moved = self.moved[..., component]
                bent = np.abs(np.tensordot(scheme.bend, moved, axes=1)) / steps
            bent -= np.broadcast_to(self.blurred, self.values.shape)[:, component] + rounding
            is_kinked = bent > SAFETY * np.sqrt(relative) * missed
            truncation = np.where(is_kinked, np.maximum(truncation, 2 * bent), truncation)
        return Estimate(self.values[:, component], truncation, rounding)


def differences(
    scheme: Scheme,
    launch: Launch,
    states: FloatArray,
    steps: FloatArray,
    width: FloatArray,
    blur: FloatArray | float = 0.0,
) -> Differences:
    """The derivatives of all components at once; see `estimate`."""
    moved = scheme.moved(launch, states, steps)
    values, check = scheme.combined(moved, steps)
    values[_has_jumped(scheme, moved, JUMP * np.maximum(blur, ROUNDING * np.abs(states)))] = np.nan
    blurred = BLURRED * scheme.gap_amplification * np.multiply.outer(1 / steps, np.atleast_1d(blur))
    gap = np.maximum(np.abs(values - check) - blurred, 0.0)
    # The gap is of relative size (step / time scale) to the check's order for the state as a whole;
    # what remains of it in the scheme is smaller by a power of that.
    relative = np.max(gap / width, axis=1) / (np.max(np.abs(check) / width, axis=1) + TINY)
    relative = np.minimum(relative, 1.0)
    return Differences(scheme, states, steps, moved, values, check, blurred, gap, relative)


def _has_jumped(scheme: Scheme, moved: FloatArray, least: FloatArray) -> BoolArray:
    """Which states (m,) the simulator has put elsewhere before it moved them, as at a clamp.

    What moves of itself comes from where it was: so say all launches together, and on either side
    of the start, where nothing but a jump is seen by both, the line through the nearest two.
    """
    if len(moved) < FEWEST:  # At a turning point two of them may be alike.
        return np.zeros(moved.shape[1], dtype=bool)
    at = dict(zip(scheme.offsets, moved, strict=True))
    with np.errstate(invalid="ignore", over="ignore"):
        begun = np.tensordot(_at_start(scheme.offsets), moved, axes=1)
        jumped = np.abs(begun) > np.maximum(least, np.ptp(moved, axis=0) / JUMP)
        for side in {-1, 1} & at.keys():
            jumped &= np.abs(2 * at[side] - at[2 * side] - begun) < np.abs(begun) / 2
    seen: BoolArray = np.any(jumped, axis=1)
    return seen


@cache
def _at_start(offsets: tuple[int, ...]) -> FloatArray:
    """Weights of displacements after offsets by which they tell the one at the start."""
    powers = np.vander(offsets, increasing=True).T
    return np.linalg.solve(powers, np.eye(len(offsets))[0])
