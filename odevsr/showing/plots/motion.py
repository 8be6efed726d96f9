"""Motions that pictures show: as recorded or simulated, and as the laws found have it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.discovery.folder import run_header
from odevsr.discovery.motion import iterated
from odevsr.discovery.recorded import SAMPLES
from odevsr.discovery.result import Discovery
from odevsr.errors import OdevsrError
from odevsr.fitting.shooting import shoot
from odevsr.fitting.tape import record_tape
from odevsr.kind import Kind
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Expression
from odevsr.recorded.smoothing import smooth_paths
from odevsr.verdict.recordings.motion import replayed
from odevsr.world.recordings.files import read_recordings
from odevsr.world.recordings.runs import Recordings, Run
from odevsr.world.systems.checks import TIME
from odevsr.world.systems.system import System
from odevsr.world.trajectories.simulate import simulate

DURATION, TIMES = 10.0, 2001
"""How long laws are followed where no system says, and at how many times."""
STEPS = 2000
"""of a map."""
FINE = 400
"""Times at which laws are followed along a recorded run at least: they bend between samples."""
PARTS = (1 / 8, 1 / 4, 1 / 2, 1.0)
"""Shares of a run over which its beginning is fitted in turn: chaotic ones cannot be at once."""
FOLLOWED = 4.0
"""The mean square, in errors, of what motions leave that follow a part of a run."""
ASIDE = 0.75
"""Where in its ranges a motion begins if no start is known, or if it is one of rest, as the middle
often is."""


@dataclass(frozen=True, eq=False)
class Motion:
    """States (m, n) over time (m,), and what they are called in a legend."""

    name: str
    time: FloatArray
    states: FloatArray
    by_laws: bool = False
    """True for the motion of laws that were found."""
    dotted: bool = False
    """True for samples and for steps of a map: nothing is known of what lies between them."""
    every: int = 1
    """So many steps lead from a sample to the next, of laws along a recorded run."""


def system_motion(system: System) -> Motion | None:
    """The motion of a system from its start; a function has none."""
    name = "simulated by the system"
    if system.kind is Kind.FUNCTION:
        return None
    if system.kind is Kind.MAP:
        laws = dict(zip(system.left_sides, system.closed_equations(), strict=True))
        steps = np.arange(STEPS, dtype=float)
        with np.errstate(all="ignore"):
            states = iterated(laws, system.names, system.start, steps, {})
        return Motion(name, steps, states, dotted=True)
    run = simulate(system)
    if np.all(run.states == run.states[0]):
        run = simulate(system, start=system.box.low + ASIDE * (system.box.high - system.box.low))
    return Motion(name, run.time, run.states)


def laws_motion(found: Discovery, true: Motion | None) -> Motion | None:
    """The motion of the laws found, if every variable but the inputs has one.

    It begins and lasts as the true one, if that is known.
    """
    laws = [each.variable for each in found.equations]
    if not laws or found.kind is Kind.FUNCTION:
        return None
    aside = [low + ASIDE * (high - low) for low, high in found.ranges]
    start = dict(zip(found.names, aside if true is None else true.states[0], strict=True))
    inputs = {name: value for name, value in start.items() if name not in laws and name != TIME}
    times = _times(found.kind) if true is None else true.time
    try:
        with np.errstate(all="ignore"):
            states = found.simulate([start[name] for name in laws], times, inputs=inputs)
    except OdevsrError:  # laws that are not right may lead anywhere
        return None
    full = np.tile([start[name] for name in found.names], (len(times), 1))
    full[:, [found.names.index(name) for name in laws]] = states
    if TIME in start and TIME not in laws:
        full[:, found.names.index(TIME)] = times
    return Motion("by the laws found", times, full, by_laws=True, dotted=found.kind is Kind.MAP)


def _times(kind: Kind) -> FloatArray:
    steps = np.arange(STEPS, dtype=float)
    return steps if kind is Kind.MAP else np.linspace(0.0, DURATION, TIMES)


def recorded_motions(found: Discovery, folder: Path) -> Iterator[Motion]:
    """The runs that laws were found from, as measured and as the laws follow them best."""
    recordings = _recordings(folder)
    for run in recordings.runs if recordings else ():
        states = np.concatenate([run.states, run.inputs], axis=1)
        yield Motion(f"measured, run {run.name}", run.times, states, dotted=True)
    laws = [each.variable for each in found.equations]
    if recordings is None or laws != list(recordings.names):
        return
    rates = [each.expression for each in found.equations]
    field = compile_field(rates, found.names)
    for run in recordings.runs:
        every = -(-FINE // len(run.times))
        finer = _finer(run, every)
        start = _beginning(rates, replace(recordings, runs=(run,)))
        states = np.concatenate([replayed(field, finer, start), finer.inputs], axis=1)
        yield Motion("by the laws found", finer.times, states, by_laws=True, every=every)


def _finer(run: Run, every: int) -> Run:
    """The run with more times between its samples, all on straight lines."""
    places = np.arange(len(run.times))
    between = np.arange((len(run.times) - 1) * every + 1) / every
    rows = np.column_stack([run.times, run.states, run.inputs])
    finer = np.column_stack([np.interp(between, places, column) for column in rows.T])
    times, states, inputs = np.split(finer, [1, 1 + run.states.shape[1]], axis=1)
    return Run(run.name, times[:, 0], states, inputs)


def _beginning(rates: Sequence[Expression], run: Recordings) -> FloatArray:
    """Where a run began if laws are right: from there they follow it longest."""
    tape = record_tape(rates, (*run.names, *run.inputs))
    with np.errstate(all="ignore"):  # a run may be at rest, and laws lead anywhere
        paths = smooth_paths(run)
        begins = paths.times[paths.bounds[:-1]]  # parts of a long run that lie far apart come first
        paths = paths.runs(np.argsort(begins).tolist())
        start = np.ascontiguousarray(paths.states[:1, : paths.variables])
        for share in PARTS:
            count = max(2, int(share * len(paths.times)))
            part = replace(paths.whole, bounds=np.array([0, count], dtype=np.int64))
            shot = shoot(tape, part, np.empty(0), start)
            if not shot.chi2 <= FOLLOWED * np.count_nonzero(part.weights[:count]):
                break
            start = shot.starts
    beginning: FloatArray = start[0]
    return beginning


def _recordings(folder: Path) -> Recordings | None:
    """The samples that a run has kept; None if they are not there."""
    path = folder / "measurements" / SAMPLES
    if not path.exists():
        return None
    return read_recordings(path, inputs=run_header(folder).get("asked", {}).get("inputs", ()))
