"""discover(): the equations of a target."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import odevsr
from odevsr.discovery.executors import Workers, checked_workers
from odevsr.discovery.folder import header_if_begun, open_run
from odevsr.discovery.guesses import digest_of, guesses_from_json, guesses_of
from odevsr.discovery.lock import locked
from odevsr.discovery.passes import Search
from odevsr.discovery.piloting import run_pilot, shared_launches
from odevsr.discovery.recorded import discover_recorded
from odevsr.discovery.request import Request, request_of
from odevsr.discovery.result import Discovery
from odevsr.discovery.task import Event, Listener, MakeOracle
from odevsr.errors import RunError, UsageError
from odevsr.language.drawing.grammar import make_grammar
from odevsr.language.expression import Real
from odevsr.settings import DEFAULT_OPERATORS, Settings, changed
from odevsr.settings import preset as preset_settings
from odevsr.world.ranges import RangeLike
from odevsr.world.recordings.given import Recorded, as_recordings, is_recorded
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
    spread: bool = False,
    timeout: float = TIME_LIMIT,
    out: str | Path | None = None,
    resume: bool = False,
    progress: bool = False,
    on_event: Callable[[Event], None] = lambda event: None,
    **changes: Any,  # noqa: ANN401
) -> Discovery:
    """Find the equations of a target from experiments on its simulator, or from recordings.

    The target is a system, its name or file, a formula, or a simulator of your own (see
    `odevsr.simulator`), which may take `timeout` seconds a state. A system may have other `params`,
    or inputs in their place (`vary`); any target other `ranges`. `components` names the equations
    wanted; `oracle` makes who measures. Of recordings, `inputs` are columns set from outside and
    `hold_out` a run or share to judge by; laws of a `prior`, recordings as well, are tried first.
    Settings are a `preset` or your own `settings`, with any field beside them: `noise=0.01`.
    `resume` goes on with a folder (`out`). Processes (`jobs`) or an `executor` share out equations,
    or calls (`spread`). `progress` draws it, `on_event` hears it; Ctrl-C raises `Interrupted`.

    >>> discover("lorenz", components="x2", params={"beta": "7/3"}).print()
    dx2/dt = x0*x1 - 7/3*x2
    """
    if is_recorded(target):
        _refuse(params=params, vary=vary, ranges=ranges, components=components, resume=resume)
        given, wanted = as_recordings(target, inputs), _settings(preset, settings, changes)
        _refuse(noise=wanted.noise, decide=wanted.decide, prior=prior is not None)
        with _with_progress(on_event, progress) as tell:
            return discover_recorded(given, wanted, seed, hold_out, out, tell)
    _refuse_recorded(inputs, hold_out)
    means = Means(checked_workers(jobs, executor), spread, oracle, out, resume)
    studied = _studied(target, means.resumed, params, vary, ranges, timeout)
    request = request_of(studied, components, _settings(preset, settings, changes, studied), seed)
    with locked(means.folder), _with_progress(on_event, progress) as tell:
        return _discover(_with_guesses(request, prior, means.resumed, tell), means, tell)


@dataclass(frozen=True, eq=False)
class Means:
    """The workers and the oracle of a discovery, and the folder it is kept in."""

    workers: Workers
    is_spread: bool
    oracle: MakeOracle | None
    out: str | Path | None
    resume: bool

    @property
    def folder(self) -> Path | None:
        """Where the run is kept, if anywhere."""
        return None if self.out is None else Path(self.out)

    @cached_property
    def resumed(self) -> dict[str, Any]:
        """What run.json says of the run that is to go on; nothing of a new one."""
        if not self.resume:
            return {}
        if self.folder is None:
            raise UsageError("only a run with a folder can be resumed; give the folder too")
        if not self.folder.exists():
            raise RunError(
                f"there is no run in {self.out} to resume; leave resume out to begin one"
            )
        return header_if_begun(self.folder)


def _studied(
    target: Target,
    resumed: Mapping[str, Any],
    params: Mapping[str, Real | str] | None,
    vary: Mapping[str, RangeLike] | None,
    ranges: Mapping[str, RangeLike] | None,
    timeout: float,
) -> Studied:
    """The target; of a run that goes on, as its record has it unless it is asked for otherwise."""
    if not (params or vary or ranges):
        target = recorded_system(target, resumed.get("system_file", "")) or target
    return study(target, params=params, vary=vary, ranges=ranges, timeout=timeout)


@contextmanager
def _with_progress(on_event: Listener, progress: bool) -> Iterator[Listener]:
    """The listener; with `progress`, one that also draws how it goes."""
    if not progress:
        yield on_event
        return
    with odevsr.progress() as draw:

        def both(event: Event) -> None:
            draw(event)
            on_event(event)

        yield both


def _with_guesses(
    request: Request, prior: Recorded | None, resumed: Mapping[str, Any], on_event: Listener
) -> Request:
    """With the laws that recordings suggest; those that a run found in them before are kept."""
    if prior is None:
        return request
    recordings, studied = as_recordings(prior), request.studied
    digest, before = digest_of(recordings), resumed.get("asked", {})
    if (before.get("prior"), before.get("seed")) == (digest, request.seed):
        guesses = guesses_from_json(before.get("guesses") or {}, studied.names)
    else:
        guesses = guesses_of(recordings, studied, request.seed, on_event)
    return replace(request, guesses=guesses, prior=digest)


def _discover(request: Request, means: Means, on_event: Listener) -> Discovery:
    """Pilot launches, unless the folder holds what they told, then all passes."""
    if means.oracle is not None or request.settings.asks_for_motion:
        request = replace(request, studied=replace(request.studied, make_rates=None))
    with _spread_out(request, means, on_event) as (request, workers):
        folder = None
        if means.folder is not None:
            file = request.studied.system_file
            folder = open_run(means.folder, request.to_json(), file, resume=means.resume)
        began = time.perf_counter()
        shared = shared_launches(request) if means.oracle is None else None
        known = None if folder is None else folder.pilot()
        pilot = known or run_pilot(request, workers, on_event, shared)
        shared = None if pilot.is_noisy else shared
        search = Search(request, pilot, workers, began, folder, on_event, means.oracle, shared)
        search.begin()
        return search.run()


@contextmanager
def _spread_out(
    request: Request, means: Means, on_event: Listener
) -> Iterator[tuple[Request, Workers]]:
    """What is asked of whom: all of all workers, or of one whose target's calls are shared out."""
    if not means.is_spread:
        yield request, means.workers
        return
    from odevsr.discovery.spread import spread

    with spread(request.studied, means.workers, means.folder, on_event) as studied:
        yield replace(request, studied=studied), 1


def _settings(
    preset: str | None,
    settings: Settings | None,
    changes: Mapping[str, Any],
    studied: Studied | None = None,
) -> Settings:
    """The settings asked for; by default the operators are those of the system's file."""
    if settings is not None and preset is not None:
        raise UsageError("a preset and settings exclude each other; give one of the two")
    if settings is None:
        operators = (studied and studied.operators) or DEFAULT_OPERATORS
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
