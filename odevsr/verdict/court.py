"""What laws are held against: the truth if it is known, fresh states, trajectories nobody had."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.errors import SimulationError
from odevsr.evidence.law import FittedNumber
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Expression
from odevsr.verdict.judgement import Judgement
from odevsr.verdict.prediction import FOLLOWED, Exponent, Followed, follow, lyapunov_exponent
from odevsr.verdict.rival.data import fresh_samples
from odevsr.verdict.scores import nmse, score_form
from odevsr.vertical.equation import Status
from odevsr.world.box import Box
from odevsr.world.experiments.mesh import random_states
from odevsr.world.simulators.launch import Launch
from odevsr.world.studied import Studied
from odevsr.world.systems.checks import rate_of_input
from odevsr.world.systems.system import System
from odevsr.world.trajectories.differences import differentiate
from odevsr.world.trajectories.simulate import simulate
from odevsr.world.trajectories.trajectory import Ending, Trajectory

FRESH_STATES = 500
HELD_OUT_STARTS = 3
SAMPLES = 2000
"""Of each held-out trajectory."""
LYAPUNOV_TIMES = 20.0
"""How long chaotic trajectories are; beyond, the solver's own errors have grown to their size."""
LAUNCHES = 400
"""Samples of a held-out trajectory of a simulator, one launch after the other,"""
CROSSINGS = 20.0
"""and its length, in the times that the fastest variable takes to cross its range."""


@dataclass(frozen=True, eq=False)
class Court:
    """A target, the variables whose laws are judged, and what they are held against.

    `truth` is every variable's law, empty where nobody knows it; `derivatives` (N, n) are those at
    the fresh `states`, measured if there is no truth. `duration` is how long the trajectories are;
    `exponent` is None where it is not known. `notes` say what is missing, and why.
    """

    names: tuple[str, ...]
    components: tuple[str, ...]
    box: Box
    truth: Mapping[str, Expression]
    variables: tuple[str, ...]
    states: FloatArray
    derivatives: FloatArray
    trajectories: tuple[Trajectory, ...]
    duration: float
    exponent: Exponent | None = None
    notes: tuple[str, ...] = ()

    @property
    def sizes(self) -> FloatArray:
        """Typical sizes (n,) of the derivatives: root mean squares of those that have a value."""
        squares = np.where(np.isfinite(self.derivatives), self.derivatives, 0.0) ** 2
        count = np.maximum(np.isfinite(self.derivatives).sum(axis=0), 1)
        return np.asarray(np.sqrt(squares.sum(axis=0) / count))

    def judged(
        self,
        variable: str,
        law: Expression,
        constants: tuple[FittedNumber, ...],
        *,
        status: Status | None = None,
        library: str = "",
    ) -> Judgement:
        """A law at the fresh states, and beside the truth of its variable."""
        predicted = compile_field([law], self.names)(self.states)[:, 0]
        true = self.derivatives[:, self.names.index(variable)]
        usable = np.isfinite(true)
        error = nmse(predicted[usable], true[usable])
        form = score_form(law, self.truth.get(variable), self.names, self.box)
        return Judgement(variable, law, constants, error, form, status, library)

    def followed(self, laws: Mapping[str, Expression]) -> tuple[Followed, ...]:
        """How each held-out trajectory is followed; nothing unless every component has a law."""
        if set(self.components) - set(laws):
            return ()
        everything = [laws[n] if n in laws else rate_of_input(n) for n in self.names]
        field = compile_field(everything, self.names)
        return tuple(follow(field, each, self.box) for each in self.trajectories)


def convene(system: System, variables: tuple[str, ...], seed: int) -> Court:
    """Draw states and starts; chaotic systems are followed for so many Lyapunov times."""
    rng = _rng(seed)
    starts = system.box.at(rng.random((HELD_OUT_STARTS, len(system.names))))
    duration = system.simulation.duration
    runs = _runs(system, starts, duration)
    exponent = _exponent(system, _complete(runs))
    if isinstance(exponent, Exponent) and exponent.is_chaotic:
        duration = LYAPUNOV_TIMES / exponent.value
        runs = _runs(system, [each.states[-1] for each in _complete(runs)], duration)
    states = random_states(system.box, FRESH_STATES, rng)
    laws = system.closed_equations()
    return Court(
        names=system.names,
        components=system.components,
        box=system.box,
        truth=dict(zip(system.names, laws, strict=True)),
        variables=variables,
        states=states,
        derivatives=compile_field(laws, system.names)(states),
        trajectories=_complete(runs),
        duration=duration,
        exponent=exponent if isinstance(exponent, Exponent) else None,
        notes=(*_early(runs), *_unknown(exponent)),
    )


def convene_without_truth(studied: Studied, variables: tuple[str, ...], seed: int) -> Court:
    """Fresh states at which a simulator is measured, and trajectories of its own."""
    rng = _rng(seed)
    fresh = fresh_samples(studied, FRESH_STATES, rng)
    world = studied.world()
    speed = np.sqrt(np.mean(fresh.derivatives[:, : len(studied.components)] ** 2, axis=0))
    width = world.width[: len(studied.components)]
    duration = CROSSINGS / float(np.max(speed / width, initial=1e-300))
    starts = fresh.states[rng.choice(FRESH_STATES, HELD_OUT_STARTS, replace=False)]
    trajectories = launched_trajectories(world.launch, starts, duration)
    missing = HELD_OUT_STARTS - len(trajectories)
    return Court(
        names=studied.names,
        components=studied.components,
        box=world.box,
        truth={},
        variables=variables,
        states=fresh.states,
        derivatives=fresh.derivatives,
        trajectories=trajectories,
        duration=duration,
        notes=(_left_out(missing, "its simulator leads no further"),) if missing else (),
    )


def launched_trajectories(
    launch: Launch, starts: FloatArray, duration: float
) -> tuple[Trajectory, ...]:
    """Trajectories from starts (m, n) by launches in a row; those that end early are left out."""
    step = duration / LAUNCHES
    paths = [starts]
    try:
        for _ in range(LAUNCHES):
            alive = np.isfinite(paths[-1]).all(axis=1)
            ends = np.full_like(starts, np.nan)
            if alive.any():
                ends[alive] = launch(paths[-1][alive], np.full(int(alive.sum()), step))
            paths.append(ends)
    except SimulationError:  # it works in the ranges, not wherever it leads
        return ()
    time = np.linspace(0.0, duration, LAUNCHES + 1)
    whole = [path for path in np.stack(paths, axis=1) if np.isfinite(path).all()]
    return tuple(
        Trajectory(time, path, differentiate(path, step), Ending.COMPLETE, duration)
        for path in whole
    )


def _rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(2_000,)))


def _runs(
    system: System, starts: Sequence[FloatArray] | FloatArray, duration: float
) -> tuple[Trajectory, ...]:
    step = duration / SAMPLES
    return tuple(
        simulate(system, start=start, duration=duration, step=step, bounds=FOLLOWED)
        for start in starts
    )


def _complete(runs: Sequence[Trajectory]) -> tuple[Trajectory, ...]:
    return tuple(each for each in runs if each.status is Ending.COMPLETE)


def _exponent(system: System, trajectories: Sequence[Trajectory]) -> Exponent | Ending | None:
    if not trajectories:
        return None
    field = compile_field(system.closed_equations(), system.names)
    starts = np.array([each.states[-1] for each in trajectories])
    return lyapunov_exponent(field, starts, system.box, 4 * system.simulation.duration)


def _early(runs: Sequence[Trajectory]) -> Iterator[str]:
    """What became of the held-out trajectories that are not whole."""
    endings = [each.status for each in runs if each.status is not Ending.COMPLETE]
    for status in dict.fromkeys(endings):
        yield _left_out(endings.count(status), status.sentence)


def _left_out(count: int, why: str) -> str:
    ended = "ended early and is" if count == 1 else "ended early and are"
    return f"{count} of {HELD_OUT_STARTS} held-out trajectories {ended} left out: {why}"


def _unknown(exponent: Exponent | Ending | None) -> Iterator[str]:
    if isinstance(exponent, Ending):
        yield f"whether it is chaotic is not known; of motions side by side: {exponent.sentence}"
