"""`odevsr discover`: the equations of a target."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import typer

from odevsr.cli.chosen import listed, only
from odevsr.cli.engines import Engine, Scheduler, workers
from odevsr.cli.exit_codes import FALLS_SHORT, INTERRUPTED
from odevsr.cli.options import (
    AsJson,
    Components,
    Folders,
    Inputs,
    Jobs,
    Noise,
    Parameters,
    Quiet,
    Ranged,
    Seed,
    Varied,
    Verbose,
)
from odevsr.cli.search_options import (
    Budget,
    Decide,
    Difference,
    Expansion,
    Explain,
    Formula,
    Frugal,
    HoldOut,
    MaxLaunches,
    MaxStates,
    Operators,
    Out,
    Preset,
    Program,
    Proposers,
    Resume,
    Sampling,
    Scale,
    Studied,
    Timeout,
)
from odevsr.cli.shown import Shown
from odevsr.cli.subject import (
    Changes,
    command_subject,
    formula_subject,
    recordings_subject,
    target_subject,
)
from odevsr.errors import UsageError
from odevsr.world.recordings.kinds import is_recording

if TYPE_CHECKING:
    from odevsr.discovery.result import Discovery
    from odevsr.world.systems.system import System


def discover(
    targets: Studied = None,
    program: Program = None,
    formula: Formula = None,
    scale: Scale = None,
    inputs: Inputs = None,
    hold_out: HoldOut = None,
    parameters: Parameters = None,
    varied: Varied = None,
    ranged: Ranged = None,
    components: Components = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    engine: Engine = "local",
    scheduler: Scheduler = None,
    out: Out = None,
    resume: Resume = False,
    preset: Preset = "fast",
    operators: Operators = None,
    proposers: Proposers = None,
    expansion: Expansion = None,
    sampling: Sampling = None,
    difference: Difference = None,
    noise: Noise = None,
    decide: Decide = False,
    frugal: Frugal = False,
    budget: Budget = None,
    max_states: MaxStates = None,
    max_launches: MaxLaunches = None,
    timeout: Timeout = 60.0,
    folders: Folders = None,
    explain: Explain = False,
    verbose: Verbose = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Find the equations of a system from experiments on its simulator, or from recordings.

    The exit code is 0 if every equation was identified, 1 if not, 130 if interrupted.
    """
    settings = {
        "operators": listed("--operators", operators),
        "proposers": listed("--proposers", proposers),
        "expansion": expansion,
        "sampling": sampling,
        "difference": difference,
        "noise": noise,
        "decide": decide or None,
        "frugal": frugal or None,
        **{"most_seconds": budget, "most_states": max_states, "max_launches": max_launches},
    }
    run = {"seed": seed, "timeout": timeout, "out": out, "resume": resume}
    shown = Shown(as_json=as_json, explain=explain, verbose=verbose, quiet=quiet)
    changes = Changes(folders, parameters, varied, ranged)
    _check_one(targets, program, formula, scale)
    if program is not None:
        subject = command_subject(program, timeout, changes)
    elif formula is not None:
        subject = formula_subject(formula, scale or "", changes)
    elif all(map(is_recording, targets or ())):
        subject = recordings_subject(targets or (), changes)
    else:
        subject = target_subject(only(targets or ()), changes, out if resume else None)
    asked = {"components": listed("--components", components), **run, **subject.asked}
    asked |= {"inputs": listed("--inputs", inputs) or (), "hold_out": hold_out}
    with workers(engine, scheduler, jobs) as shared:
        _show(subject.truth, preset, settings, asked | shared, shown)


def _check_one(
    targets: list[str] | None, program: str | None, formula: str | None, scale: str | None
) -> None:
    if sum(given is not None for given in (targets or None, program, formula)) != 1:
        raise UsageError("one thing is studied: a TARGET, a --command or a --formula; give one")
    if scale is not None and formula is None:
        raise UsageError("--scale is that of a --formula; write --range NAME=LOW,HIGH,log instead")


def _show(
    truth: System | None,
    preset: str,
    settings: dict[str, Any],
    asked: dict[str, Any],
    shown: Shown,
) -> None:
    """Discover, and print what was found, whatever stopped the search."""
    from odevsr.fitting.warm import load_engine
    from odevsr.settings import preset as preset_settings

    load_engine(shown.say)  # before what imports it, so that a first compilation is announced
    from odevsr.discovery.discover import discover as method

    changes = {name: value for name, value in settings.items() if value is not None}
    if truth is not None and truth.operators is not None:
        changes.setdefault("operators", truth.operators)
    search = partial(method, settings=preset_settings(preset, **changes), **asked)
    show_search(search, truth, shown)


def show_search(search: Callable[..., Discovery], truth: System | None, shown: Shown) -> None:
    """Search while a listener (`on_event`) shows how it goes, and print what was found."""
    from odevsr.discovery.passes import Interrupted, StoppedError
    from odevsr.showing.streams import stdout_kept_free

    with shown.progress() as listen, stdout_kept_free():
        try:
            found = search(on_event=listen)
        except Interrupted as stopped:
            found = stopped.discovery
        except StoppedError as stopped:
            if stopped.discovery.equations:
                _put(stopped.discovery, truth, as_json=shown.as_json)
            raise
    _put(found, truth, as_json=shown.as_json)
    if shown.explain:
        _explain(found)
    if not found.identified:
        raise typer.Exit(INTERRUPTED if found.interrupted else FALLS_SHORT)


def _put(found: Discovery, truth: System | None, *, as_json: bool) -> None:
    from odevsr.showing import discovery as page
    from odevsr.showing import output

    if as_json:
        output.put_json(page.discovery_json(found, truth))
    else:
        output.put(page.discovery_page(found))


def _explain(found: Discovery) -> None:
    from odevsr.showing import output
    from odevsr.showing.prose import in_terminal
    from odevsr.showing.story import story

    print()
    output.put(in_terminal(story(found)))
