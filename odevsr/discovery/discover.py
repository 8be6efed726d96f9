"""discover(): the equations of a target."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import odevsr
from odevsr.discovery.asked import Asked, asked_of
from odevsr.discovery.executors import Workers, checked_workers
from odevsr.discovery.folder import RunFolder, begun, open_run
from odevsr.discovery.guesses import digest_of, guesses_from_json, guesses_of
from odevsr.discovery.lock import locked
from odevsr.discovery.passes import Interrupted as Interrupted
from odevsr.discovery.passes import Search
from odevsr.discovery.passes import StoppedError as StoppedError
from odevsr.discovery.piloting import piloted, shared_launches
from odevsr.discovery.recorded import discover_recorded
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
        with _told(on_event, progress=progress) as tell:
            return discover_recorded(given, wanted, seed, hold_out, out, tell)
    _refuse_recorded(inputs, hold_out)
    studied = _studied(target, params, vary, ranges, timeout, record=out if resume else None)
    asked = asked_of(studied, components, _settings(preset, settings, changes, studied), seed)
    how = How(checked_workers(jobs, executor), spread, oracle, out, resume)
    with locked(out), _told(on_event, progress=progress) as tell:
        return _searched(asked, prior, how, tell)


@dataclass(frozen=True, eq=False)
class How:
    """How a discovery is made: who works, who measures, where it is kept."""

    workers: Workers
    spread: bool
    oracle: MakeOracle | None
    out: str | Path | None
    resume: bool


@contextmanager
def _shared_out(asked: Asked, how: How, on_event: Listener) -> Iterator[tuple[Asked, Workers]]:
    """What is asked of whom: all of all workers, or of one whose target's calls are shared out."""
    if not how.spread:
        yield asked, how.workers
        return
    from odevsr.discovery.spread import spread

    folder = None if how.out is None else Path(how.out)
    with spread(asked.studied, how.workers, folder, on_event) as studied:
        yield replace(asked, studied=studied), 1


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


def _studied(
    target: Target,
    params: Mapping[str, Real | str] | None,
    vary: Mapping[str, RangeLike] | None,
    ranges: Mapping[str, RangeLike] | None,
    timeout: float,
    *,
    record: str | Path | None,
) -> Studied:
    """The target; of a run that goes on, as its record has it unless it is asked for otherwise."""
    if record and not Path(record).exists():
        raise RunError(f"there is no run in {record} to resume; leave resume out to begin one")
    if record and not (params or vary or ranges):
        file = begun(Path(record)).get("system_file", "")
        target = recorded_system(target, file) or target
    return study(target, params=params, vary=vary, ranges=ranges, timeout=timeout)


def _searched(asked: Asked, prior: Recorded | None, how: How, on_event: Listener) -> Discovery:
    """Pilot launches, unless the folder holds what they told, then all passes."""
    asked = asked if prior is None else _guessed(asked, prior, how, on_event)
    if how.oracle is not None or asked.settings.asks_for_motion:
        asked = replace(asked, studied=replace(asked.studied, make_rates=None))
    with _shared_out(asked, how, on_event) as (asked, workers):
        folder = _folder(how, asked)
        began = time.perf_counter()
        shared = shared_launches(asked) if how.oracle is None else None
        known = None if folder is None else folder.pilot()
        pilot = known or piloted(asked, workers, on_event, shared)
        search = Search(asked, pilot, workers, began, folder, on_event, how.oracle, shared)
        search.begin()
        return search.run()


def _guessed(asked: Asked, prior: Recorded, how: How, on_event: Listener) -> Asked:
    """With the laws that recordings suggest; those that a run found in them before are kept."""
    recordings = as_recordings(prior)
    digest = digest_of(recordings)
    before = {}
    if how.resume and how.out is not None:
        before = begun(Path(how.out)).get("asked", {})
    if (before.get("prior"), before.get("seed")) == (digest, asked.seed):
        guesses = guesses_from_json(before.get("guesses") or {}, asked.studied.names)
    else:
        guesses = guesses_of(recordings, asked.studied, asked.seed, on_event)
    return replace(asked, guesses=guesses, prior=digest)


def _folder(how: How, asked: Asked) -> RunFolder | None:
    """The folder of the run, if it has one."""
    if how.out is not None:
        file = asked.studied.system_file
        return open_run(Path(how.out), asked.to_json(), system_file=file, resume=how.resume)
    if how.resume:
        raise UsageError("only a run with a folder can be resumed; give the folder too")
    return None


def _settings(
    preset: str | None,
    settings: Settings | None,
    changes: Mapping[str, Any],
    studied: Studied | None = None,
) -> Settings:
    """What was asked for; the operators are those of the system's file where nobody says."""
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
