"""validate(): a discovery judged, and SINDy's laws of the same system judged beside it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

import odevsr
from odevsr.errors import RunError, UnknownSystemError, UsageError
from odevsr.settings import Settings
from odevsr.verdict.bootstrap import bootstrap_constants
from odevsr.verdict.court import HELD_OUT_STARTS, Court, convene
from odevsr.verdict.judgement import (
    IMPLICIT,
    ON_MEASUREMENTS,
    ON_TRAJECTORIES,
    OURS,
    Method,
    Verdict,
)
from odevsr.verdict.sindy import SETTLED, Samples, SindyLaw, fit_sindy
from odevsr.verdict.sindy_data import (
    fresh_samples,
    measured_samples,
    recorded_trajectories,
    trajectory_samples,
)
from odevsr.verdict.sindy_libraries import (
    Library,
    foreign_functions,
    implicit_libraries,
    libraries_for,
)
from odevsr.vertical.discover import discover
from odevsr.vertical.refine import Data
from odevsr.vertical.result import Discovery, Equation
from odevsr.vertical.run import run_header
from odevsr.vertical.task import Event
from odevsr.world.registry import get_system
from odevsr.world.system import System


def validate_target(
    target: str | Path | System,
    *,
    settings: Settings | None = None,
    bootstrap: int = 0,
    seed: int = 0,
    on_event: Callable[[Event], None] = lambda event: None,
) -> Verdict:
    """Discover a system's equations, and put SINDy beside it on the very same measurements."""
    system = target if isinstance(target, System) else get_system(target)
    with tempfile.TemporaryDirectory(prefix="odevsr-") as folder:
        run = Path(folder) / "run"
        discovery = discover(system, settings=settings, seed=seed, out=run, on_event=on_event)
        return validate(discovery, system=system, run=run, bootstrap=bootstrap, seed=seed)


def validate(
    discovery: Discovery,
    *,
    system: System | None = None,
    run: str | Path | None = None,
    bootstrap: int = 0,
    seed: int = 0,
) -> Verdict:
    """Judge a discovery, and SINDy beside it.

    The system is looked up by name if it is not given. `run` is the folder with the measurements of
    the discovery, which SINDy is given; without one, as many states are measured afresh. With
    `bootstrap`, the errors of our constants are those of so many resamplings of that data.
    """
    system = _system_of(discovery) if system is None else system
    _check(discovery, system, run)
    court = convene(system, tuple(each.variable for each in discovery.equations), seed)
    samples = _samples(discovery, court, run, seed)
    equations = [_resampled(each, court, samples, bootstrap, seed) for each in discovery.equations]
    discovery = replace(discovery, equations=tuple(equations))
    methods = [_ours(discovery, court), *_sindy(court, samples, seed)]
    return Verdict(
        target=discovery.target,
        truth=tuple((name, court.truth[name]) for name in court.variables),
        methods=tuple(methods),
        duration=court.duration,
        exponent=court.exponent,
        seed=seed,
        notes=tuple(_notes(court, run is not None, seed)),
    )


def _system_of(discovery: Discovery) -> System:
    try:
        return get_system(discovery.target)
    except (UnknownSystemError, UsageError):
        raise UsageError(
            f"the equations of {discovery.target} are not known, and a law is held against known "
            "ones; give the system (--systems DIR) or validate one that is registered"
        ) from None


def _check(discovery: Discovery, system: System, run: str | Path | None) -> None:
    """The discovery is of this odevsr, of this system, and has found something."""
    made_by = discovery.versions.get("odevsr", odevsr.__version__)
    if made_by != odevsr.__version__:
        raise RunError(
            f"the run was made by odevsr {made_by}, this is {odevsr.__version__}; make it again, "
            "or validate it with that version"
        )
    asked = {} if run is None else run_header(Path(run)).get("asked", {})
    if discovery.names != system.names or asked.get("digest", system.digest) != system.digest:
        raise RunError(
            f"the run is not of {system.name} as it stands here; give the --param, --vary and "
            "--systems that it was made with"
        )
    if not discovery.equations:
        raise UsageError("there is no equation to validate; let the discovery find one first")


# The methods


def _ours(discovery: Discovery, court: Court) -> Method:
    judgements = tuple(
        court.judged(each.variable, each.expression, each.constants, each.status.value)
        for each in discovery.equations
    )
    laws = {each.variable: each.expression for each in discovery.equations}
    time = court.valid_time(laws)
    return Method(OURS, judgements, discovery.cost.states, discovery.elapsed_s, time)


def _resampled(
    equation: Equation, court: Court, samples: dict[str, Samples], count: int, seed: int
) -> Equation:
    """The equation with the errors of its constants taken from resampled measurements."""
    if not count:
        return equation
    given, names = samples[equation.variable], court.system.names
    values = given.derivatives[:, names.index(equation.variable)]
    data = Data(given.states, values, np.full(len(values), np.std(values)))
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(2_002,)))
    constants = bootstrap_constants(equation.expression, names, data, count, rng)
    return replace(equation, constants=constants)


def _sindy(court: Court, measured: dict[str, Samples], seed: int) -> Iterator[Method]:
    """On trajectories, on our measurements, and there with implicit libraries where need be."""
    system = court.system
    libraries = libraries_for(system.names, system.equations)
    recording, _ = recorded_trajectories(system, seed)
    if any(len(each.time) > 1 for each in recording.trajectories):
        given = trajectory_samples(recording.trajectories)
        laws, seconds = _fitted(court, dict.fromkeys(court.variables, given), libraries)
        yield _method(ON_TRAJECTORIES, court, laws, len(given.states), seconds)
    states = sum(len(each.states) for each in measured.values())
    laws, seconds = _fitted(court, measured, libraries)
    explicit = _method(ON_MEASUREMENTS, court, laws, states, seconds)
    yield explicit
    unsettled = {law.variable: measured[law.variable] for law in laws if law.nmse > SETTLED}
    rational, more = _fitted(court, unsettled, implicit_libraries(system.names))
    better = {
        new.variable: new
        for new in rational
        if new.nmse < next(old.nmse for old in laws if old.variable == new.variable)
    }
    if better:
        laws = [better.get(law.variable, law) for law in laws]
        yield _method(IMPLICIT, court, laws, states, seconds + more)
    else:
        yield replace(explicit, name=IMPLICIT, elapsed_s=seconds + more)


def _samples(
    discovery: Discovery, court: Court, run: str | Path | None, seed: int
) -> dict[str, Samples]:
    """For each variable what SINDy is given in place of trajectories."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(2_001,)))
    names = court.system.names
    if run is not None:
        return {n: measured_samples(Path(run), n, names.index(n), rng) for n in court.variables}
    most = max(each.cost.states for each in discovery.equations)
    return dict.fromkeys(court.variables, fresh_samples(court.system, most, rng))


def _fitted(
    court: Court, samples: dict[str, Samples], libraries: Sequence[Library]
) -> tuple[list[SindyLaw], float]:
    laws: list[SindyLaw] = []
    seconds = 0.0
    for name, given in samples.items():
        found, took = fit_sindy(court.system.names, given, libraries, [name])
        laws += found
        seconds += took
    return laws, seconds


def _method(
    name: str, court: Court, laws: Sequence[SindyLaw], states: int, seconds: float
) -> Method:
    judgements = tuple(
        court.judged(
            law.variable,
            law.expression,
            law.constants,
            f"{law.library}, threshold {law.threshold:.2g}",
        )
        for law in laws
    )
    time = court.valid_time({law.variable: law.expression for law in laws})
    return Method(name, judgements, states, seconds, time)


def _notes(court: Court, measured: bool, seed: int) -> Iterator[str]:
    yield f"{ON_TRAJECTORIES} is given {recorded_trajectories(court.system, seed)[1]}"
    given = "the states and derivatives odevsr measured" if measured else "as many fresh states"
    yield f"{ON_MEASUREMENTS} and {IMPLICIT} are given {given}"
    foreign = foreign_functions(court.system.equations)
    if foreign:
        yield (
            f"{court.system.name} holds {', '.join(foreign)}, which no library of SINDy's here "
            "has: it can only approximate those laws"
        )
    if len(court.trajectories) < HELD_OUT_STARTS:
        yield (
            f"{HELD_OUT_STARTS - len(court.trajectories)} of {HELD_OUT_STARTS} held-out "
            "trajectories ended early and are left out"
        )
