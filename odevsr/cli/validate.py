"""`odevsr validate`: a discovery beside SINDy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from odevsr.cli.chosen import chosen_system
from odevsr.cli.exit_codes import FALLS_SHORT
from odevsr.cli.options import AsJson, Folders, Parameters, Seed, Varied


def validate(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET|RUN", help="A system's name or .toml file, or the folder of a run."
        ),
    ],
    parameters: Parameters = None,
    varied: Varied = None,
    bootstrap: Annotated[
        int,
        typer.Option(
            min=0, metavar="N", help="Errors of constants from N resamplings of the data."
        ),
    ] = 0,
    seed: Seed = 0,
    folders: Folders = None,
    as_json: AsJson = False,
) -> None:
    """Judge a discovery, and what SINDy makes of the same system, side by side.

    A system is discovered first. The exit code is 1 if a law is not the truth.
    """
    from odevsr.showing import output
    from odevsr.showing import verdict_page as page
    from odevsr.showing.progress import progress
    from odevsr.verdict import validate as verdicts
    from odevsr.vertical.run import load

    if Path(target).is_dir():
        found = load(target)
        truth = chosen_system(found.target, folders, parameters, varied)
        verdict = verdicts.validate(found, system=truth, run=target, bootstrap=bootstrap, seed=seed)
    else:
        truth = chosen_system(target, folders, parameters, varied)
        with progress() as listen:
            verdict = verdicts.validate_target(
                truth, bootstrap=bootstrap, seed=seed, on_event=listen
            )
    if as_json:
        output.put_json(page.verdict_json(verdict))
    else:
        output.put(page.verdict_page(verdict))
    if not verdict.holds:
        raise typer.Exit(FALLS_SHORT)
