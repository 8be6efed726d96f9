"""What laws are held against: the truth, fresh states, and trajectories nobody was given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Expression
from odevsr.verdict.judgement import Judgement
from odevsr.verdict.prediction import Exponent, lyapunov_exponent, median_time, valid_time
from odevsr.verdict.scores import nmse, score_form
from odevsr.vertical.refine import FittedNumber
from odevsr.world.oracle import random_states
from odevsr.world.simulate import simulate
from odevsr.world.system import System
from odevsr.world.trajectory import Status, Trajectory

FloatArray = NDArray[np.float64]

FRESH_STATES = 500
HELD_OUT_STARTS = 3
SAMPLES = 2000
"""Of each held-out trajectory."""
LYAPUNOV_TIMES = 20.0
"""How long chaotic trajectories are; beyond, the solver's own errors have grown to their size."""


@dataclass(frozen=True, eq=False)
class Court:
    """A system, the variables whose laws are judged, fresh states (N, n), held-out trajectories.

    `duration` is how long the trajectories are; `exponent` is None where none of them went on.
    """

    system: System
    variables: tuple[str, ...]
    states: FloatArray
    trajectories: tuple[Trajectory, ...]
    duration: float
    exponent: Exponent | None

    @property
    def truth(self) -> dict[str, Expression]:
        """Every variable's law."""
        return dict(zip(self.system.names, self.system.closed_equations(), strict=True))

    def judged(
        self, variable: str, law: Expression, constants: tuple[FittedNumber, ...], origin: str
    ) -> Judgement:
        """A law beside the truth of its variable, at the fresh states."""
        system, truth = self.system, self.truth[variable]
        predicted, true = compile_field([law, truth], system.names)(self.states).T
        usable = np.isfinite(true)
        error = nmse(predicted[usable], true[usable])
        form = score_form(law, truth, system.names, system.box)
        return Judgement(variable, law, constants, error, form, origin)

    def valid_time(self, laws: Mapping[str, Expression]) -> float | None:
        """The median over the held-out trajectories; None unless every component has a law."""
        if set(self.system.components) - set(laws):
            return None
        everything = [laws.get(name, truth) for name, truth in self.truth.items()]
        field = compile_field(everything, self.system.names)
        return median_time([valid_time(field, each, self.system.box) for each in self.trajectories])


def convene(system: System, variables: tuple[str, ...], seed: int) -> Court:
    """Draw states and starts; chaotic systems are followed for so many Lyapunov times."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(2_000,)))
    low, high = system.box.T
    starts = rng.uniform(low, high, (HELD_OUT_STARTS, len(low)))
    trajectories = _complete(system, starts, system.simulation.duration)
    exponent = _exponent(system, trajectories)
    duration = system.simulation.duration
    if exponent is not None and exponent.is_chaotic:
        duration = LYAPUNOV_TIMES / exponent.value
        trajectories = _complete(system, np.array([t.states[-1] for t in trajectories]), duration)
    states = random_states(system.box, FRESH_STATES, rng)
    return Court(system, variables, states, trajectories, duration, exponent)


def _complete(system: System, starts: FloatArray, duration: float) -> tuple[Trajectory, ...]:
    step = duration / SAMPLES
    runs = [simulate(system, start=start, duration=duration, step=step) for start in starts]
    return tuple(each for each in runs if each.status is Status.COMPLETE)


def _exponent(system: System, trajectories: Sequence[Trajectory]) -> Exponent | None:
    if not trajectories:
        return None
    field = compile_field(system.closed_equations(), system.names)
    starts = np.array([each.states[-1] for each in trajectories])
    return lyapunov_exponent(field, starts, system.box, 4 * system.simulation.duration)
