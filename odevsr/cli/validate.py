"""`odevsr validate`: a discovery beside SINDy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from odevsr.cli.chosen import chosen_target, listed
from odevsr.cli.exit_codes import FALLS_SHORT
from odevsr.cli.options import (
    AsJson,
    Components,
    Folders,
    Jobs,
    Noise,
    Parameters,
    Seed,
    Varied,
)
from odevsr.errors import UsageError

if TYPE_CHECKING:
    from odevsr.discovery.result import Discovery
    from odevsr.verdict.judgement import Verdict
    from odevsr.world.system import System


Validated = Annotated[
    str,
    typer.Argument(
        metavar="TARGET|RUN",
        help="A system's name, .toml or SBML file, package.module:function, or a run's folder.",
    ),
]
Bootstrap = Annotated[
    int,
    typer.Option(min=0, metavar="N", help="Errors of constants from N resamplings of the data."),
]


def validate(
    target: Validated,
    parameters: Parameters = None,
    varied: Varied = None,
    bootstrap: Bootstrap = 0,
    components: Components = None,
    noise: Noise = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    folders: Folders = None,
    as_json: AsJson = False,
) -> None:
    """Judge a discovery, and what SINDy makes of the same system, side by side.

    A target is discovered first, with --components, --noise and --jobs; SINDy is given the same
    measurements. The exit code is 1 if a law is not the truth or, where nobody
    knows that, not identified.
    """
    from odevsr.fitting.warm import load_engine
    from odevsr.showing import output

    load_engine(output.say)  # before what imports it, so that a first compilation is announced
    from odevsr.discovery.folder import load
    from odevsr.showing.progress import progress
    from odevsr.showing.streams import stdout_kept_free
    from odevsr.verdict import validate as verdicts

    what: Discovery | System | str = target
    system, run = None, None
    if Path(target).is_dir():
        what, run = load(target), Path(target)
        if parameters or varied or folders:
            system = chosen_target(what.target, folders, parameters, varied)
    else:
        what = _asked(target, folders, parameters, varied)
    with progress() as listen, stdout_kept_free():
        verdict = verdicts.validate(
            what,
            system=system,
            run=run,
            components=listed("--components", components),
            noise=noise,
            jobs=jobs,
            bootstrap=bootstrap,
            seed=seed,
            on_event=listen,
        )
    if run is not None:
        _keep(verdict, run)
    _put(verdict, as_json=as_json)
    if not verdict.holds:
        raise typer.Exit(FALLS_SHORT)


def _asked(
    target: str,
    folders: list[Path] | None,
    parameters: list[str] | None,
    varied: list[str] | None,
) -> System | str:
    """The system asked for, or the simulator or someone else's model, which is its own judge."""
    from odevsr.world.fmu.file import is_fmu
    from odevsr.world.sbml.file import is_sbml

    if not (is_sbml(target) or is_fmu(target)):
        return chosen_target(target, folders, parameters, varied) or target
    if parameters or varied:
        raise UsageError(
            "a model of someone else's is validated as its file has it; leave --param and --vary"
        )
    return target


def _keep(verdict: Verdict, run: Path) -> None:
    """Write what was judged into the folder of the run, for a report."""
    from odevsr.discovery.files import VERDICT, json_text, write_text
    from odevsr.showing.verdict_page import verdict_json

    write_text(run / VERDICT, json_text(verdict_json(verdict)))


def _put(verdict: Verdict, *, as_json: bool) -> None:
    from odevsr.showing import output
    from odevsr.showing import verdict_page as page

    if as_json:
        output.put_json(page.verdict_json(verdict))
    else:
        output.put(page.verdict_page(verdict))
