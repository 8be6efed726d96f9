"""`odevsr validate`: a discovery beside SINDy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from odevsr.cli import options, search_options
from odevsr.cli.choices import beginnings, system_names
from odevsr.cli.chosen import chosen_target, listed, only, ranges
from odevsr.cli.shown import Shown
from odevsr.errors import UsageError
from odevsr.exit_codes import FALLS_SHORT
from odevsr.world.recordings.kinds import is_recording

if TYPE_CHECKING:
    from odevsr.world.systems.system import System


Validated = Annotated[
    list[str],
    typer.Argument(
        metavar="TARGET|RUN",
        help="A system's name, .toml or SBML file, package.module:function, a run's folder, or "
        "files of recordings.",
        autocompletion=beginnings(system_names),
    ),
]
Bootstrap = Annotated[
    int,
    typer.Option(min=0, metavar="N", help="Errors of constants from N resamplings of the data."),
]


def validate(
    targets: Validated,
    inputs: options.Inputs = None,
    hold_out: search_options.HoldOut = None,
    parameters: options.Parameters = None,
    varied: options.Varied = None,
    ranged: options.Ranged = None,
    bootstrap: Bootstrap = 0,
    components: options.Components = None,
    noise: options.Noise = None,
    seed: options.Seed = 0,
    jobs: options.Jobs = 1,
    folders: options.Folders = None,
    verbose: options.Verbose = False,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Judge a discovery, and what SINDy makes of the same system, side by side.

    A target is discovered first, with --components, --noise and --jobs; SINDy is given the same
    measurements. The exit code is 1 if a law is not the truth or, where nobody
    knows that, not identified.
    """
    from odevsr.fitting.warm import load_engine

    shown = Shown(as_json=as_json, verbose=verbose, quiet=quiet)
    load_engine(shown.say)  # before what imports it, so that a first compilation is announced
    held = {"inputs": listed("--inputs", inputs) or (), "hold_out": hold_out}
    if all(map(is_recording, targets)) or _is_recorded_run(targets[0]):
        if any((parameters, varied, ranged, components, noise, bootstrap, folders)):
            raise UsageError("recordings are judged as they are; leave options of experiments out")
        holds = _judge_recordings(targets, held, seed, shown)
    elif any(held.values()):
        raise UsageError("only recordings have --inputs and --hold-out; leave them")
    else:
        asked = {"components": listed("--components", components), "noise": noise, "jobs": jobs,
                 "bootstrap": bootstrap, "seed": seed,
                 "ranges": ranges("--range", ranged)}  # fmt: skip
        asked |= _target(only(targets), folders, parameters, varied)
        holds = _judge(asked, shown)
    if not holds:
        raise typer.Exit(FALLS_SHORT)


def _is_recorded_run(target: str) -> bool:
    """True for the folder of a run that was given recordings."""
    from odevsr.discovery.recorded import SAMPLES

    return (Path(target) / "measurements" / SAMPLES).is_file()


def _judge_recordings(targets: list[str], held: dict[str, Any], seed: int, shown: Shown) -> bool:
    from odevsr.showing import output
    from odevsr.showing import recorded_verdict as page
    from odevsr.showing.streams import stdout_kept_free
    from odevsr.verdict.recordings.verdict import validate_recordings

    what = targets if is_recording(targets[0]) else targets[0]
    with shown.progress() as listen, stdout_kept_free():
        verdict = validate_recordings(what, seed=seed, on_event=listen, **held)
    if isinstance(what, str):
        _keep(page.recorded_verdict_json(verdict), Path(what))
    if shown.as_json:
        output.put_json(page.recorded_verdict_json(verdict))
    else:
        output.put(page.recorded_verdict_page(verdict))
    return verdict.holds


def _target(
    target: str,
    folders: list[Path] | None,
    parameters: list[str] | None,
    varied: list[str] | None,
) -> dict[str, Any]:
    """What is judged: a target, or the discovery in a run and what that is of."""
    from odevsr.discovery.folder import load

    if not Path(target).is_dir():
        return {"what": _asked(target, folders, parameters, varied)}
    found = load(target)
    changed = parameters or varied or folders
    system = chosen_target(found.target, folders, parameters, varied) if changed else None
    return {"what": found, "run": Path(target), "system": system}


def _judge(asked: dict[str, Any], shown: Shown) -> bool:
    from odevsr.showing import output
    from odevsr.showing import verdict_page as page
    from odevsr.showing.streams import stdout_kept_free
    from odevsr.verdict import validate as verdicts

    with shown.progress() as listen, stdout_kept_free():
        verdict = verdicts.validate(on_event=listen, **asked)
    if asked.get("run") is not None:
        _keep(page.verdict_json(verdict), asked["run"])
    if shown.as_json:
        output.put_json(page.verdict_json(verdict))
    else:
        output.put(page.verdict_page(verdict))
    return verdict.holds


def _asked(
    target: str,
    folders: list[Path] | None,
    parameters: list[str] | None,
    varied: list[str] | None,
) -> System | str:
    """The system asked for, or the simulator or someone else's model, which is its own judge."""
    from odevsr.world.simulators.fmu.file import is_fmu
    from odevsr.world.simulators.sbml.file import is_sbml

    if not (is_sbml(target) or is_fmu(target)):
        return chosen_target(target, folders, parameters, varied) or target
    if parameters or varied:
        raise UsageError(
            "a model of someone else's is validated as its file has it; leave --param and --vary"
        )
    return target


def _keep(verdict: dict[str, Any], run: Path) -> None:
    """Write what was judged into the folder of the run, for a report."""
    from odevsr.discovery.files import VERDICT, json_text, write_text

    write_text(run / VERDICT, json_text(verdict))
