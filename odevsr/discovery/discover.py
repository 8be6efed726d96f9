"""discover(): the equations of a target."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import odevsr
from odevsr.discovery.executors import Workers, checked_workers
from odevsr.discovery.folder import RunFolder, open_run, recorded_file
from odevsr.discovery.held import held
from odevsr.discovery.passes import Interrupted as Interrupted
from odevsr.discovery.passes import Search
from odevsr.discovery.passes import StoppedError as StoppedError
from odevsr.discovery.prior import Guesses, guesses_of, guesses_to_json
from odevsr.discovery.result import Discovery
from odevsr.discovery.task import Event, Listener, MakeOracle
from odevsr.errors import RunError, UsageError, nearest
from odevsr.fitting.warm import load_engine
from odevsr.language.drawing.grammar import make_grammar
from odevsr.language.expression import Real
from odevsr.plain import whole
from odevsr.settings import DEFAULT_OPERATORS, Settings, changed
from odevsr.settings import preset as preset_settings
from odevsr.vertical.common import common_shares
from odevsr.vertical.design import design_of
from odevsr.world.experiments.oracle import World
from odevsr.world.experiments.shared import SharedLaunches
from odevsr.world.measuring import pilot_of
from odevsr.world.pilot.pilot import PILOT_STATES, Pilot
from odevsr.world.pilot.timing import expect
from odevsr.world.ranges import RangeLike
from odevsr.world.recordings.given import Recorded, as_recordings, is_recorded
from odevsr.world.recordings.runs import Recordings
from odevsr.world.simulators.guard import TIME_LIMIT
from odevsr.world.studied import Studied, Target, recorded_system, study


def discover(
    target: Target | Recorded,
    *,
    inputs: str | Sequence[str] = (),
    hold_out: str | float | None = None,
    prior: Recorded | None = None,
    params: Mapping[str, Real | str] | None = None,
    vary: Mapping[str, RangeLike] | None = None,
    ranges: Mapping[str, RangeLike] | None = None,
    components: str | Sequence[str] | None = None,
    oracle: MakeOracle | None = None,
    preset: str | None = None,
    settings: Settings | None = None,
    seed: int = 0,
    jobs: int = 1,
    executor: Executor | None = None,
    timeout: float = TIME_LIMIT,
    out: str | Path | None = None,
    resume: bool = False,
    progress: bool = False,
    on_event: Callable[[Event], None] = lambda event: None,
    **changes: Any,  # noqa: ANN401
) -> Discovery:
    """Find the equations of a target from experiments on its simulator, or from recordings.

    The target is a system, its name or file, a formula, or a simulator of your own (see
    `odevsr.simulator` and its kin), which may take `timeout` seconds a state. A system may have
    other parameters (`params`) or inputs in their place (`vary`), and any target other `ranges`.
    `components` names the equations wanted; `oracle` makes who measures, if not by launches. Of
    recordings, `inputs` are columns set from outside, and `hold_out` a run to judge by, or a share.
    Laws of a `prior`, recordings of a target that can be launched as well, are tried first.
    Settings are those of a `preset` ("fast", "paper") or `settings` of your own, with any field of
    `odevsr.Settings` beside them: `noise=0.01`. `resume` goes on with the record in a folder
    (`out`). Processes (`jobs`) or an `executor` find the same. How it goes is drawn (`progress`)
    and told (`on_event`); Ctrl-C raises `Interrupted`.

    >>> discover("lorenz", components="x2", params={"beta": "7/3"}).print()
    dx2/dt = x0*x1 - 7/3*x2
    """
    seed = whole("the seed", seed, 0)
    if is_recorded(target):
        _refuse(params=params, vary=vary, ranges=ranges, components=components, resume=resume)
        _refuse(prior=prior is not None)
        given, asked = as_recordings(target, inputs), _settings(preset, settings, changes)
        return _from_recordings(given, asked, seed, hold_out, out, on_event, progress)
    _refuse_recorded(inputs, hold_out)
    target = _resumed(target, out if resume else None, is_changed=bool(params or vary or ranges))
    studied = study(target, params=params, vary=vary, ranges=ranges, timeout=timeout)
    asked = _settings(preset, settings, changes, studied.operators)
    chosen, workers = chosen_components(components, studied), checked_workers(jobs, executor)
    with held(out), _told(on_event, progress=progress) as tell:
        guesses = guesses_of(prior, studied, seed, tell)
        folder = _folder(out, _asked(studied, chosen, asked, seed, guesses), studied, resume=resume)
        return _searched(studied, chosen, asked, seed, workers, folder, oracle, tell, guesses)


@contextmanager
def _told(on_event: Listener, *, progress: bool) -> Iterator[Listener]:
    """The listener; with `progress`, one that also draws how it goes."""
    if not progress:
        yield on_event
        return
    with odevsr.progress() as draw:

        def both(event: Event) -> None:
            draw(event)
            on_event(event)

        yield both


def _resumed(target: Target, run: str | Path | None, *, is_changed: bool) -> Target:
    """The target of a run that goes on, as it was then unless it is asked for otherwise."""
    if not run:
        return target
    if not Path(run).exists():
        raise RunError(f"there is no run in {run} to resume; leave resume out to begin one")
    return target if is_changed else recorded_system(target, recorded_file(Path(run))) or target


def _from_recordings(
    recordings: Recordings,
    settings: Settings,
    seed: int,
    hold_out: str | float | None,
    out: str | Path | None,
    on_event: Listener,
    progress: bool,
) -> Discovery:
    """The law of recordings; kernels that only they need are loaded with a word about it."""
    _refuse(noise=settings.noise, decide=settings.decide)
    with _told(on_event, progress=progress) as tell:
        load_engine(lambda said: tell(Event(message=said)), "odevsr.discovery.recorded")
        from odevsr.discovery.recorded import discover_recorded

        return discover_recorded(recordings, settings, seed, hold_out, out, tell)


def _searched(
    studied: Studied,
    chosen: Sequence[int],
    settings: Settings,
    seed: int,
    workers: Workers,
    folder: RunFolder | None,
    oracle: MakeOracle | None,
    on_event: Listener,
    guesses: Guesses,
) -> Discovery:
    """Pilot launches, unless the folder holds what they told, then both passes."""
    began = time.perf_counter()
    if oracle is not None or settings.asks_for_motion:
        studied = replace(studied, make_rates=None)
    pilot_seeds, *seeds = search_seeds(seed, studied)
    known = None if folder is None else folder.pilot()
    shared = _shared_launches(studied, settings, seed) if oracle is None else None
    pilot = known or _piloted(
        studied, settings, len(chosen), workers, pilot_seeds, on_event, shared
    )
    search = Search(
        studied, pilot, chosen, settings, seed, workers, began, folder, on_event,
        shared=shared, guesses=guesses,
    )  # fmt: skip
    search.begin()
    return search.run(oracle, seeds)


def _folder(
    out: str | Path | None, asked: dict[str, object], studied: Studied, *, resume: bool
) -> RunFolder | None:
    """The folder of the run, if it has one."""
    if out is not None:
        return open_run(Path(out), asked, system_file=studied.system_file, resume=resume)
    if resume:
        raise UsageError("only a run with a folder can be resumed; give the folder too")
    return None


def _piloted(
    studied: Studied,
    settings: Settings,
    equations: int,
    workers: Workers,
    seeds: np.random.SeedSequence,
    on_event: Listener,
    shared: SharedLaunches | None,
) -> Pilot:
    """What pilot launches tell; before them, how long a slow simulator will take."""
    if not studied.system_file:
        _announce(
            studied.told() if studied.tells else studied.world(), equations, workers, on_event
        )
    return pilot_of(studied, settings.difference, np.random.default_rng(seeds), shared)


def _shared_launches(studied: Studied, settings: Settings, seed: int) -> SharedLaunches | None:
    """What equations that share their launches remember them by."""
    if not settings.frugal or settings.noise > 0 or settings.sampling != "launches":
        return None
    design = design_of(np.random.SeedSequence(seed))
    return SharedLaunches(common_shares(PILOT_STATES, len(studied.names), design))


def _announce(world: World, equations: int, workers: Workers, on_event: Listener) -> None:
    """Tell how long a slow simulator will take.

    The few launches it takes to know depend on the machine, so that nobody counts them.
    """
    expected = expect(world, equations, workers if isinstance(workers, int) else 1)
    if expected.is_long:
        on_event(Event(message=expected.sentence, expected=expected))


def search_seeds(seed: int, studied: Studied) -> list[np.random.SeedSequence]:
    """Seeds of the pilot, then of each component's search in the first pass, and in the second."""
    count = max(len(studied.names), len(studied.components))
    return np.random.SeedSequence(seed).spawn(1 + 2 * count)


def _settings(
    preset: str | None,
    settings: Settings | None,
    changes: Mapping[str, Any],
    operators: Sequence[str] | None = None,
) -> Settings:
    """What was asked for; the operators are those of the system's file where nobody says."""
    if settings is not None and preset is not None:
        raise UsageError("a preset and settings exclude each other; give one of the two")
    if settings is None:
        operators = tuple(operators or DEFAULT_OPERATORS)
        settings = preset_settings(preset or "fast", operators=operators)
    settings = changed(settings, changes)
    make_grammar((), operators=settings.operators)  # refuses unknown operators at once
    return settings


def _refuse_recorded(inputs: str | Sequence[str], hold_out: str | float | None) -> None:
    """Refuse what concerns recordings alone."""
    if inputs or hold_out is not None:
        raise UsageError("only recordings have inputs to name and a part to hold out; leave them")


def _refuse(**given: object) -> None:
    """Refuse what concerns experiments alone."""
    for name, value in given.items():
        if value:
            raise UsageError(f"{name} is for what can be experimented on; leave it out here")


def chosen_components(components: str | Sequence[str] | None, studied: Studied) -> list[int]:
    """Indices of the components asked for, in order; all that have a law if none are named."""
    if isinstance(components, str):
        components = [components]
    known = studied.components
    if components is not None and not components:
        raise UsageError("no component is named; leave components out to search all")
    for component in components or ():
        if component not in known:
            raise UsageError(f"there is no component {component!r}; {nearest(component, known)}")
    wanted = known if components is None else components
    return [index for index, name in enumerate(known) if name in wanted]


def _asked(
    studied: Studied, chosen: Sequence[int], settings: Settings, seed: int, guesses: Guesses
) -> dict[str, object]:
    return {
        "target": studied.name,
        "digest": studied.digest,
        "variables": list(studied.names),
        "outputs": list(studied.components),
        "kind": studied.kind.value,
        "components": [studied.components[index] for index in chosen],
        "seed": seed,
        "settings": settings.to_json(),
        "guesses": guesses_to_json(guesses) or None,
    }
