"""Measuring by launches: a little forwards and backwards in time from the very states asked for.

Derivatives are finite differences of the states launched to, with an estimate of their error.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.errors import SimulationError
from odevsr.world.experiments.noisy import bursts, estimate_noisy, no_farther, shares_moved
from odevsr.world.experiments.oracle import Cost, World
from odevsr.world.experiments.schemes import TINY, Estimate, estimate, scheme, whole_steps
from odevsr.world.experiments.shared import SharedLaunches
from odevsr.world.sample import Sample

MOST_REFINEMENTS = 4
MUCH_LESS, TOO_ROUGH, LONGER = 1e-8, 1e-9, 1e4
"""A step is too short where truncation is so much less than rounding, and rounding so large beside
the derivative: slow states beside fast ones. It becomes longer by a factor up to `LONGER`,"""
SAME = 30.0
"""if it tells the same up to so many times what rounding did: in a long time a wall may be met."""
REPEATED_STATES, REPEATS = 16, 8
"""Where noise is added, its size is estimated from so many repeated measurements."""
NOISE_ERROR = (2 * REPEATED_STATES * (REPEATS - 1)) ** -0.5
"""How well they tell it: its relative error."""
SPREAD = 50
"""An experiment of so many states that all fail is an error; fewer may be in a corner that does."""
FIRST_REPEAT = 2**40
"""Their place among the experiments, before which all others stand."""


@dataclass(frozen=True)
class Calibration:
    """What pilot launches told of one component (see `pilot`)."""

    step: float
    """Where differences begin; around faster states they go on with shorter ones."""
    state_error: float
    """How uncertain the simulator's states are, if by more than rounding; else 0."""
    size: float
    """Typical size of the derivative."""
    blur: tuple[float, ...] = ()
    """How uncertain the states of all variables are, if any is."""
    quantum: float = 0.0
    """Length of the simulator's own time steps, of which differences span whole numbers; else 0."""

    open_share: float = 0.0
    """How much of the derivative these steps leave open, as a share of it."""
    relative_error: float = 0.0
    """How uncertain states are in proportion to their size, in addition."""
    is_noisy: bool = False
    """True if states scatter, with these errors as standard deviations."""
    share: float = 0.0
    """How far a typical state then moves in a step, beside the scale of what moves most."""
    is_wild: bool = False
    """True if now and then a state is wild. Differences show that, and are taken again with shorter
    steps; values are asked for until two agree."""

    def noise(self, values: FloatArray) -> FloatArray:
        """Standard deviations of states whose component has these values."""
        return np.hypot(self.state_error, self.relative_error * values)

    def whole(self, steps: FloatArray) -> FloatArray:
        """The steps, or the nearest that the simulator can make."""
        return whole_steps(steps, self.quantum) if self.quantum else steps


@dataclass(frozen=True)
class Noise:
    """Gaussian noise of standard deviation `sigma`; each experiment draws its own."""

    sigma: float
    seeds: np.random.SeedSequence

    def draw(self, experiment: int, count: int) -> FloatArray:
        """Noise (count,) of an experiment, the same whenever it is asked for."""
        key = (*self.seeds.spawn_key, experiment)
        sequence = np.random.SeedSequence(self.seeds.entropy, spawn_key=key)
        return self.sigma * np.random.default_rng(sequence).standard_normal(count)


class LaunchOracle:
    """Measures by launches from the very states asked for.

    Where launches are shared, only what nobody has asked for before costs anything.
    """

    def __init__(
        self,
        world: World,
        component: int,
        calibration: Calibration,
        difference: str = "central",
        noise: Noise | None = None,
        shared: SharedLaunches | None = None,
    ) -> None:
        self.cost = Cost()
        self._shared = shared
        self.kind = world.kind
        self.component = component
        self.variable = (world.outputs or world.names)[component]
        self.names = world.names
        self.box = world.box
        self._world = world
        self._calibration = calibration
        self._scheme = bursts(difference) if calibration.is_noisy else scheme(difference)
        self._noise = noise
        self._scatter = 0.0 if noise is None else self._repeated(noise)

    @property
    def is_noisy(self) -> bool:
        """True if noise is added or the simulator scatters."""
        return self._noise is not None or self._calibration.is_noisy

    def measure(self, states: FloatArray) -> Sample:
        """Derivatives at states (..., n) by finite differences."""
        flat = states.reshape(-1, states.shape[-1])
        before, made = self.cost, 0 if self._shared is None else self._shared.made
        sample = self._sample(states, self._measured(flat))
        if len(flat) >= SPREAD and not np.isfinite(sample.errors).any():
            raise _nothing_measured(flat)
        self.cost += Cost(experiments=1, states=len(flat))
        if self._shared is not None:
            self.cost = before + Cost(1, self._shared.new(flat), self._shared.made - made)
        return sample

    def _sample(self, states: FloatArray, found: Estimate) -> Sample:
        """What was found at states (..., n), with noise where it is added."""
        shape = states.shape[:-1]
        errors = found.truncation + found.rounding
        failed = ~(np.isfinite(found.values) & np.isfinite(errors))
        values, errors = np.where(failed, 0.0, found.values), np.where(failed, np.inf, errors)
        if self._noise is not None:
            noise = self._noise.draw(self.cost.experiments, values.size)
            values = values + noise.reshape(values.shape)
            errors = np.hypot(errors, self._scatter)
        return Sample(states, values.reshape(shape), errors.reshape(shape))

    def _measured(self, flat: FloatArray) -> Estimate:
        """Derivatives at states (m, n), with steps that suit each of them."""
        steps = np.full(len(flat), self._calibration.step)
        shortest = 1.5 * self._calibration.quantum
        enough = 4.0
        if self._calibration.is_noisy:
            enough = 1.0
            self.cost += Cost(simulations=len(flat))
            shares = shares_moved(self._world.launch, flat, steps, self.box)
            steps = self._calibration.whole(steps * no_farther(shares, self._calibration.share))
        values, truncation, rounding = self._estimated(flat, steps)
        slow = self._is_slow(values, truncation, rounding)
        if slow.any():
            factor = np.clip((rounding / (truncation + TINY))[slow] ** 0.2 / 4, 1, LONGER)
            longer_steps = self._calibration.whole(steps[slow] * factor)
            longer = self._estimated(flat[slow], longer_steps)
            same = np.abs(longer.values - values[slow]) <= SAME * rounding[slow]
            told = np.flatnonzero(slow)[same]
            steps[told] = longer_steps[same]
            values[told], truncation[told], rounding[told] = (each[same] for each in longer)
        for _ in range(MOST_REFINEMENTS):
            coarse = np.flatnonzero(~(truncation <= enough * rounding) & (steps > shortest))
            if not coarse.size:
                break
            ratio = np.nan_to_num(rounding[coarse] / truncation[coarse], nan=0.0)
            finer_steps = steps[coarse] * np.clip(ratio**0.2, 1 / 32, 1 / 2)
            steps[coarse] = self._calibration.whole(finer_steps)
            try:
                finer = self._estimated(flat[coarse], steps[coarse])
            except SimulationError:  # of states that fail, all of which are here
                break
            values[coarse], truncation[coarse], rounding[coarse] = finer
        left = self._calibration.open_share * np.maximum(np.abs(values), self._calibration.size)
        return Estimate(values, truncation + left, rounding)

    def _is_slow(
        self, values: FloatArray, truncation: FloatArray, rounding: FloatArray
    ) -> BoolArray:
        """Where longer steps would be better; not where truncation is hidden rather than small."""
        slow: BoolArray = truncation < MUCH_LESS * rounding
        slow &= rounding > TOO_ROUGH * np.abs(values)
        if self._calibration.is_noisy:
            return np.zeros_like(slow)
        return slow & (truncation > 0) if self._calibration.blur else slow

    def _repeated(self, noise: Noise) -> float:
        """How much measurements of the same states scatter, which nobody tells an experimenter.

        A simulator repeats itself to rounding, so between repeats only the noise differs.
        """
        draws = [noise.draw(FIRST_REPEAT + repeat, REPEATED_STATES) for repeat in range(REPEATS)]
        launches = REPEATS * REPEATED_STATES * self._scheme.launches
        self.cost += Cost(states=REPEATS * REPEATED_STATES, simulations=launches)
        return float(np.sqrt(np.mean(np.var(draws, axis=0, ddof=1))))

    def _estimated(self, states: FloatArray, steps: FloatArray) -> Estimate:
        self.cost += Cost(simulations=self._scheme.launches * len(states))
        known, component, world = self._calibration, self.component, self._world
        launched = self._scheme, world.launch, states, steps, component, world.width
        if known.is_noisy:
            return estimate_noisy(*launched, known.noise(states[:, component]))
        return estimate(*launched, known.state_error, np.array(known.blur or 0.0))


def _nothing_measured(states: FloatArray) -> SimulationError:
    where = ", ".join(f"{value:.6g}" for value in states[0])
    return SimulationError(
        f"the simulator gave no finite state from any of {len(states)} states, one of them "
        f"({where}); narrow the ranges of the state variables to where it works"
    )
