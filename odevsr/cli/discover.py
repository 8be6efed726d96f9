"""`odevsr discover`: the equations of a target."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from odevsr.cli.chosen import chosen_formula, chosen_target, listed, ranges, settings_of_model
from odevsr.cli.exit_codes import FALLS_SHORT, INTERRUPTED
from odevsr.cli.options import (
    AsJson,
    Components,
    Folders,
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
    Formula,
    MaxLaunches,
    MaxStates,
    Operators,
    Out,
    Preset,
    Proposers,
    Resume,
    Sampling,
    Scale,
    Studied,
    Timeout,
)
from odevsr.errors import UsageError

if TYPE_CHECKING:
    from odevsr.discovery.result import Discovery
    from odevsr.world.system import System


def discover(
    target: Studied = None,
    formula: Formula = None,
    scale: Scale = None,
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
    """Find the equations of a system from experiments on its simulator, or those of a formula.

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
    _check_target(target, formula, scale)
    truth: System | None
    if target is None:
        target, truth = "formula", chosen_formula(formula or "", ranged, scale or "")
    else:
        is_changed = bool(parameters or varied or ranged or folders)
        recorded = None if is_changed or not resume else _recorded(target, out)
        truth = recorded or chosen_target(target, folders, parameters, varied, ranged)
    asked = {"components": listed("--components", components), "seed": seed, "jobs": jobs,
             "timeout": timeout, "out": out, "resume": resume}  # fmt: skip
    asked |= _studied(target, truth, parameters, varied, ranged)
    _show(truth, preset, settings, asked, as_json=as_json)


def _check_target(target: str | None, formula: str | None, scale: str | None) -> None:
    if (target is None) == (formula is None):
        raise UsageError("one thing is discovered: name a TARGET, or give a --formula")
    if scale is not None and formula is None:
        raise UsageError("--scale is that of a --formula; write --range NAME=LOW,HIGH,log instead")


def _studied(
    target: str, truth: System | None, parameters: Parameters, varied: Varied, ranged: Ranged
) -> dict[str, Any]:
    """What experiments are made on, and what is changed of it."""
    from odevsr.world.sbml_file import is_sbml

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


def _recorded(target: str, run: Path | None) -> System | None:
    """The system that a run which is resumed was begun with."""
    from odevsr.discovery.folder import recorded_file
    from odevsr.world.studied import recorded_system

    return None if run is None else recorded_system(target, recorded_file(run))
