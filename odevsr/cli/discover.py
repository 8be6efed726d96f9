"""`odevsr discover`: the equations of a target."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from odevsr.cli.chosen import chosen_system, listed, ranges
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
from odevsr.errors import UsageError
from odevsr.settings import sentence

if TYPE_CHECKING:
    from odevsr.world.system import System


def discover(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET",
            help="A system's name, a path to its .toml file, or package.module:function, a "
            "simulator of your own.",
        ),
    ],
    parameters: Parameters = None,
    varied: Varied = None,
    ranged: Ranged = None,
    components: Components = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A new folder for the record of the run.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in DIR.")] = False,
    preset: Annotated[
        str, typer.Option(help="fast, or paper: the configuration of the method's paper.")
    ] = "fast",
    operators: Annotated[
        str | None, typer.Option(metavar="+,*,sin", help=sentence("operators"))
    ] = None,
    proposers: Annotated[
        str | None, typer.Option(metavar="A,B", help=sentence("proposers"))
    ] = None,
    expansion: Annotated[str | None, typer.Option(help=sentence("expansion"))] = None,
    sampling: Annotated[str | None, typer.Option(help=sentence("sampling"))] = None,
    difference: Annotated[str | None, typer.Option(help=sentence("difference"))] = None,
    noise: Noise = None,
    decide: Annotated[bool, typer.Option("--decide", help=sentence("decide"))] = False,
    budget: Annotated[
        float | None,
        typer.Option(min=0.1, metavar="SECONDS", help=sentence("most_seconds")),
    ] = None,
    max_states: Annotated[
        int | None,
        typer.Option(min=100, metavar="N", help="States measured for an equation. [15000]"),
    ] = None,
    max_launches: Annotated[
        int | None,
        typer.Option(min=1000, metavar="N", help="Launches of the simulator for an equation."),
    ] = None,
    timeout: Annotated[
        float, typer.Option(help="Seconds that your own simulator may take for each state.")
    ] = 60.0,
    folders: Folders = None,
    as_json: AsJson = False,
) -> None:
    """Find the equations of a system from experiments on its simulator.

    The exit code is 0 if every equation was identified, 1 if not, 130 if interrupted.
    """
    from odevsr.fitting.warm import load_engine
    from odevsr.settings import preset as preset_settings
    from odevsr.showing import output

    load_engine(output.say)  # before what imports it, so that a first compilation is announced
    from odevsr.discovery import discover as method
    from odevsr.showing import discovery as page
    from odevsr.showing.progress import progress
    from odevsr.showing.streams import stdout_kept_free

    given = {
        "operators": listed("--operators", operators) or None,
        "proposers": listed("--proposers", proposers) or None,
        "expansion": expansion,
        "sampling": sampling,
        "difference": difference,
        "noise": noise,
        "decide": decide or None,
        "most_seconds": budget,
        "most_states": max_states,
        "max_launches": max_launches,
    }
    changes = {name: value for name, value in given.items() if value is not None}
    truth = _truth(target, folders, parameters, varied, ranged, out if resume else None)
    if truth is not None and truth.operators is not None:
        changes.setdefault("operators", list(truth.operators))
    with progress() as listen, stdout_kept_free():
        try:
            found = method.discover(
                truth or target,
                ranges=None if truth else ranges("--range", ranged),
                components=listed("--components", components),
                settings=preset_settings(preset, **changes),
                seed=seed,
                jobs=jobs,
                timeout=timeout,
                out=out,
                resume=resume,
                on_event=listen,
            )
        except method.Interrupted as stopped:
            found = stopped.discovery
    if as_json:
        output.put_json(page.discovery_json(found, truth))
    else:
        output.put(page.discovery_page(found))
    if not found.identified:
        raise typer.Exit(INTERRUPTED if found.interrupted else FALLS_SHORT)


def _truth(
    target: str,
    folders: Folders,
    parameters: Parameters,
    varied: Varied,
    ranged: Ranged,
    run: Path | None,
) -> System | None:
    """The system asked for; None of a simulator of the user's own, whose laws nobody knows.

    A run that is resumed knows its own.
    """
    from odevsr.discovery.folder import recorded_file
    from odevsr.world.studied import is_reference, recorded_system

    if run is not None and not (parameters or varied or ranged or folders):
        system = recorded_system(target, recorded_file(run))
        if system is not None:
            return system
    if not is_reference(target):
        return chosen_system(target, folders, parameters, varied, ranged)
    if parameters or varied or folders:
        raise UsageError("a simulator of your own has no --param, --vary or --systems; leave them")
    return None
