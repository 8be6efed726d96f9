"""`odevsr show`: one system, or what is in recordings."""

from __future__ import annotations

from typing import Annotated

import typer

from odevsr.cli.choices import beginnings, system_names
from odevsr.cli.chosen import chosen_system, listed, only
from odevsr.cli.options import AsJson, Folders, Inputs, Parameters, Varied
from odevsr.errors import UsageError
from odevsr.world.recordings.kinds import is_recording

Shown = Annotated[
    list[str],
    typer.Argument(
        metavar="SYSTEM",
        help="A name, a path to a .toml or SBML file, or files of recordings.",
        autocompletion=beginnings(system_names),
    ),
]


def show(
    targets: Shown,
    inputs: Inputs = None,
    parameters: Parameters = None,
    varied: Varied = None,
    folders: Folders = None,
    as_json: AsJson = False,
) -> None:
    """Show a system: equations, ranges, parameters, citation; of recordings, runs and ranges."""
    from odevsr.showing import output
    from odevsr.showing import systems as page

    if all(map(is_recording, targets)):
        _show_recordings(targets, inputs, as_json=as_json)
        return
    if inputs:
        raise UsageError("only recordings have --inputs; leave it")
    system = chosen_system(only(targets), folders, parameters, varied)
    if as_json:
        output.put_json(page.system_json(system))
    else:
        output.put(page.system_page(system))


def _show_recordings(paths: list[str], inputs: str | None, *, as_json: bool) -> None:
    from odevsr.showing import output
    from odevsr.showing import recordings as page
    from odevsr.world.recordings.files import read_recordings

    recordings = read_recordings(*paths, inputs=listed("--inputs", inputs) or ())
    if as_json:
        output.put_json(page.recordings_json(recordings))
    else:
        output.put(page.recordings_page(recordings))
