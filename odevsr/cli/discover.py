"""`odevsr discover`: the equations of a target."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from odevsr.cli.chosen import chosen_target, listed, only, ranges, settings_of_model
from odevsr.cli.exit_codes import FALLS_SHORT, INTERRUPTED
from odevsr.cli.options import (
    AsJson,
    Components,
    Folders,
    Inputs,
    Jobs,
    Noise,
    Parameters,
    Ranged,
    Seed,
    Varied,
)
from odevsr.cli.search_options import (
    Budget,
    Decide,
    Difference,
    Expansion,
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
    Studied,
    Timeout,
)
from odevsr.errors import UsageError
from odevsr.world.recordings.kinds import is_recording

if TYPE_CHECKING:
    from odevsr.discovery.result import Discovery
    from odevsr.world.command import Command
    from odevsr.world.system import System


def discover(
    targets: Studied = None,
    program: Program = None,
    inputs: Inputs = None,
    hold_out: HoldOut = None,
    parameters: Parameters = None,
    varied: Varied = None,
    ranged: Ranged = None,
    components: Components = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
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
    budget: Budget = None,
    max_states: MaxStates = None,
    max_launches: MaxLaunches = None,
    timeout: Timeout = 60.0,
    folders: Folders = None,
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
        **{"most_seconds": budget, "most_states": max_states, "max_launches": max_launches},
    }
    run = {"seed": seed, "jobs": jobs, "timeout": timeout, "out": out, "resume": resume}
    asked: dict[str, Any] = {"components": listed("--components", components), **run}
    asked |= {"inputs": listed("--inputs", inputs) or (), "hold_out": hold_out}
    if bool(targets) == (program is not None):
        raise UsageError("what is studied is a TARGET or a --command; give one of the two")
    truth = None
    if not targets:
        asked["target"] = _command(str(program), timeout, varied, ranged, folders or parameters)
    elif all(map(is_recording, targets)):
        asked |= {"target": targets, "params": parameters, "vary": varied, "ranges": ranged}
    else:
        target, changes = only(targets), (parameters, varied, ranged)
        if resume and out is not None and not (any(changes) or folders):
            truth = _recorded(target, out)
        truth = truth or chosen_target(target, folders, *changes)
        asked |= _studied(target, truth, *changes)
    _show(truth, preset, settings, asked, as_json=as_json)


def _command(
    program: str, timeout: float, varied: Varied, ranged: Ranged, unfit: object
) -> Command:
    """A program, with the names and ranges given of its variables and inputs, if any are."""
    from odevsr.world.command import command

    if unfit:
        raise UsageError("a program has no --param or --systems; leave them")
    known = ranges("--range", ranged)
    return command(program, inputs=ranges("--vary", varied), timeout=timeout, **known)


def _studied(
    target: str, truth: System | None, parameters: Parameters, varied: Varied, ranged: Ranged
) -> dict[str, Any]:
    """What experiments are made on, and what is changed of it."""
    from odevsr.world.sbml.file import is_sbml

    if is_sbml(target):  # the model itself, not what its file says
        return {"target": target, **settings_of_model(parameters, varied, ranged)}
    if truth is None:
        return {"target": target, "ranges": ranges("--range", ranged)}
    return {"target": truth}


def _show(
    truth: System | None,
    preset: str,
    settings: dict[str, Any],
    asked: dict[str, Any],
    *,
    as_json: bool,
) -> None:
    """Discover, and print what was found, whatever stopped the search."""
    from odevsr.fitting.warm import load_engine
    from odevsr.settings import preset as preset_settings
    from odevsr.showing import output

    load_engine(output.say)  # before what imports it, so that a first compilation is announced
    from odevsr.discovery import discover as method
    from odevsr.showing.progress import progress
    from odevsr.showing.streams import stdout_kept_free

    changes = {name: value for name, value in settings.items() if value is not None}
    if truth is not None and truth.operators is not None:
        changes.setdefault("operators", truth.operators)
    with progress() as listen, stdout_kept_free():
        try:
            found = method.discover(
                settings=preset_settings(preset, **changes), on_event=listen, **asked
            )
        except method.Interrupted as stopped:
            found = stopped.discovery
        except method.StoppedError as stopped:
            if stopped.discovery.equations:
                _put(stopped.discovery, truth, as_json=as_json)
            raise
    _put(found, truth, as_json=as_json)
    if not found.identified:
        raise typer.Exit(INTERRUPTED if found.interrupted else FALLS_SHORT)


def _put(found: Discovery, truth: System | None, *, as_json: bool) -> None:
    from odevsr.showing import discovery as page
    from odevsr.showing import output

    if as_json:
        output.put_json(page.discovery_json(found, truth))
    else:
        output.put(page.discovery_page(found))


def _recorded(target: str, run: Path) -> System | None:
    """The system that a run which is resumed was begun with."""
    from odevsr.discovery.folder import recorded_file
    from odevsr.world.studied import recorded_system

    return recorded_system(target, recorded_file(run))
