"""validate(): a discovery judged, and SINDy's laws of the same system judged beside it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import odevsr
from odevsr.discovery.discover import discover
from odevsr.discovery.folder import load, run_header
from odevsr.discovery.result import Discovery
from odevsr.discovery.task import Event
from odevsr.errors import RunError, UnknownSystemError, UsageError
from odevsr.language.expression import Expression
from odevsr.settings import Settings
from odevsr.verdict.bootstrap import bootstrap_constants
from odevsr.verdict.court import Court, convene, convene_without_truth
from odevsr.verdict.judgement import (
    IMPLICIT,
    ON_MEASUREMENTS,
    ON_TRAJECTORIES,
    OURS,
    Method,
    Verdict,
)
from odevsr.verdict.rival.data import (
    fresh_samples,
    measured_samples,
    recorded_trajectories,
    trajectory_samples,
)
from odevsr.verdict.rival.libraries import foreign_functions
from odevsr.verdict.rival.methods import sindy_methods
from odevsr.verdict.rival.sindy import Samples
from odevsr.verdict.spent import Spent
from odevsr.vertical.equation import Equation
from odevsr.world.ranges import RangeLike
from odevsr.world.recordings.given import is_recorded
from odevsr.world.sample import Sample
from odevsr.world.simulators.fmu.file import is_fmu
from odevsr.world.simulators.lifted import with_ranges
from odevsr.world.simulators.sbml.file import is_sbml
from odevsr.world.simulators.sbml.study import open_model
from odevsr.world.studied import Studied, Target, is_reference, study
from odevsr.world.systems.file import parse_system
from odevsr.world.systems.registry import get_system
from odevsr.world.systems.system import System
from odevsr.world.trajectories.recording import Recording


def validate(
    what: Discovery | Target,
    *,
    system: Target | None = None,
    run: str | Path | None = None,
    settings: Settings | None = None,
    components: str | Sequence[str] | None = None,
    noise: float | None = None,
    ranges: Mapping[str, RangeLike] | None = None,
    jobs: int = 1,
    bootstrap: int = 0,
    seed: int = 0,
    on_event: Callable[[Event], None] = lambda event: None,
) -> Verdict:
    """Judge a discovery, and SINDy beside it.

    What is judged is a discovery, the folder of a run, or a target, which is discovered first: with
    `settings`, only these `components`, so much `noise` on what is measured (SINDy is given the
    same), in so many processes (`jobs`). Its variables have the `ranges` given. A discovery of a
    simulator whose laws nobody knows is held against the simulator's own motion. `system` is the
    system or simulator of a discovery that does not know it. `run` is the folder with the
    measurements of the discovery, which SINDy is given; without one, as many states are measured
    afresh. With `bootstrap`, the errors of our constants are those of so many resamplings of that
    data. `on_event` is told what is being done.
    """
    if isinstance(what, str | Path) and Path(what).is_dir():
        run, what = what, load(what)
    if is_recorded(what) or (isinstance(what, Discovery) and what.recorded):
        raise UsageError("laws from recordings are judged by odevsr.validate_recordings")
    spent = Spent()
    if isinstance(what, Discovery):
        _check_as_made(settings=settings, components=components, noise=noise, jobs=jobs)
        target = _target_of(what) if system is None else system
        return _verdict(what, target, ranges or {}, run, bootstrap, seed, spent, on_event)
    changes: dict[str, Any] = {} if noise is None else {"noise": noise}
    with tempfile.TemporaryDirectory(prefix="odevsr-") as folder:
        made = Path(folder) / "run"
        with spent.on("discovery"):
            found = discover(
                what,
                components=components,
                ranges=ranges,
                settings=settings,
                seed=seed,
                jobs=jobs,
                out=made,
                on_event=on_event,
                **changes,
            )
        return _verdict(found, what, ranges or {}, made, bootstrap, seed, spent, on_event)


def _check_as_made(*, jobs: int, **given: object) -> None:
    if jobs != 1 or any(each is not None for each in given.values()):
        raise UsageError(
            "a discovery is judged as it was made; leave settings, components, noise and jobs out, "
            "or name its target to have it discovered anew"
        )


def _verdict(
    discovery: Discovery,
    target: Target,
    ranges: Mapping[str, RangeLike],
    run: str | Path | None,
    bootstrap: int,
    seed: int,
    spent: Spent,
    on_event: Callable[[Event], None],
) -> Verdict:
    studied = study(target, ranges=ranges)
    if not studied.kind.moves:
        raise UsageError(
            "what is judged beside SINDy is a motion in time, and this is none; `odevsr discover "
            "--json` says whether its laws are exact"
        )
    _check(discovery, studied, run)
    on_event(Event(message="measuring fresh states and following held-out trajectories"))
    variables = tuple(each.variable for each in discovery.equations)
    truth = _truth_of(target, ranges)
    with spent.on("held_out"):
        if truth is None:
            court, recorded = convene_without_truth(studied, variables, seed), None
        else:
            court = convene(truth, variables, seed)
            recorded = recorded_trajectories(truth, discovery.target, seed)
    samples = _samples(discovery, studied, run, seed)
    known = list(court.truth.values()) or [each.expression for each in discovery.equations]
    with spent.on("judging_ours"):
        equations = [
            _resampled(each, court, samples, bootstrap, seed) for each in discovery.equations
        ]
        ours = _ours(replace(discovery, equations=tuple(equations)), court)
    on_trajectories = None
    if recorded is not None and any(len(each.time) > 1 for each in recorded[0].trajectories):
        sigma = discovery.settings.noise * court.sizes
        on_trajectories = trajectory_samples(recorded[0].trajectories, sigma, _rng(seed, 2_003))
    methods = sindy_methods(court, samples, on_trajectories, known, spent, on_event)
    return Verdict(
        target=discovery.target,
        truth=tuple((name, court.truth.get(name)) for name in court.variables),
        methods=(ours, *methods),
        duration=court.duration,
        exponent=court.exponent,
        seed=seed,
        notes=tuple(_notes(discovery, court, recorded, known, run is not None)),
        cpu_s=spent,
    )


def _truth_of(target: Target, ranges: Mapping[str, RangeLike]) -> System | None:
    """The system whose laws are known, in these ranges; None of a simulator or an FMU."""
    if is_fmu(target) or (isinstance(target, str) and is_reference(target)):
        return None
    if is_sbml(target):
        return open_model(target, ranges=ranges).truth()
    if isinstance(target, System | str | Path):
        return with_ranges(get_system(target), ranges)
    return None


def _target_of(discovery: Discovery) -> Target:
    """What a discovery is of, by its own record or by name."""
    if discovery.system_file:
        return parse_system(discovery.system_file, f"the file of {discovery.target}")
    target = discovery.target
    if is_reference(target) or is_sbml(target) or is_fmu(target):
        return target
    try:
        return get_system(discovery.target)
    except (UnknownSystemError, UsageError):
        raise UsageError(
            f"the run does not say what {discovery.target} is, and no system has that name; give "
            "its file's folder (--systems DIR; system=... in Python)"
        ) from None


def _check(discovery: Discovery, studied: Studied, run: str | Path | None) -> None:
    """The discovery is of this odevsr, of this target, and has found something."""
    made_by = discovery.versions.get("odevsr", odevsr.__version__)
    if made_by != odevsr.__version__:
        raise RunError(
            f"the run was made by odevsr {made_by}, this is {odevsr.__version__}; make it again, "
            "or validate it with that version"
        )
    asked = {} if run is None else run_header(Path(run)).get("asked", {})
    if discovery.names != studied.names or asked.get("digest", studied.digest) != studied.digest:
        raise RunError(
            f"the run is not of {studied.name} as it stands here: its variables, ranges or "
            "parameters differ; give the --param, --vary, --range and --systems it was made with"
        )
    if not discovery.equations:
        raise UsageError("there is no equation to validate; let the discovery find one first")


# The methods


def _ours(discovery: Discovery, court: Court) -> Method:
    judgements = tuple(
        court.judged(each.variable, each.expression, each.constants, status=each.status)
        for each in discovery.equations
    )
    laws = {each.variable: each.expression for each in discovery.equations}
    followed = court.followed(laws)
    return Method(OURS, judgements, discovery.cost.states, discovery.elapsed_s, followed)


def _resampled(
    equation: Equation, court: Court, samples: dict[str, Samples], count: int, seed: int
) -> Equation:
    """The equation with the errors of its constants taken from resampled measurements."""
    if not count:
        return equation
    given, column = samples[equation.variable], court.names.index(equation.variable)
    assert given.errors is not None  # what was measured has them
    data = Sample(given.states, given.derivatives[:, column], given.errors[:, column])
    rng = _rng(seed, 2_002)
    constants = bootstrap_constants(equation.expression, court.names, data, count, rng)
    return replace(equation, constants=constants)


def _rng(seed: int, purpose: int) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(purpose,)))


def _samples(
    discovery: Discovery, studied: Studied, run: str | Path | None, seed: int
) -> dict[str, Samples]:
    """For each variable what SINDy is given in place of trajectories."""
    rng = _rng(seed, 2_001)
    names, variables = studied.names, [each.variable for each in discovery.equations]
    if run is not None:
        return {n: measured_samples(Path(run), n, names.index(n), rng) for n in variables}
    most = max(each.cost.states for each in discovery.equations)
    return dict.fromkeys(variables, fresh_samples(studied, most, rng, discovery.settings.noise))


def _notes(
    discovery: Discovery,
    court: Court,
    recorded: tuple[Recording, str] | None,
    known: Sequence[Expression],
    measured: bool,
) -> Iterator[str]:
    target, noise = discovery.target, discovery.settings.noise
    if recorded is None:
        yield (
            f"the laws of {target} are not known: R2 is that of fresh measurements, and the "
            "trajectories are its own"
        )
    else:
        blurred = f", with noise of {noise:g} on its derivatives" if noise else ""
        yield f"{ON_TRAJECTORIES} is given {recorded[1]}{blurred}"
    given = "the states and derivatives odevsr measured" if measured else "as many fresh states"
    blurred = f", with noise of {noise:g}" if noise else ""
    yield f"{ON_MEASUREMENTS} and {IMPLICIT} are given {given}{blurred}"
    foreign = foreign_functions(known)
    if foreign:
        yield (
            f"{target} holds {', '.join(foreign)}, which no library of SINDy's here has: it can "
            "only approximate those laws"
        )
    yield from court.notes
