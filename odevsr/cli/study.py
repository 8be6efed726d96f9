"""`odevsr study`: a grid of discoveries to one table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from odevsr.cli.engines import Engine, Scheduler, workers
from odevsr.cli.options import AsJson
from odevsr.exit_codes import FALLS_SHORT

File = Annotated[
    Path, typer.Argument(metavar="STUDY.toml", help="Targets, seeds, noise and settings.")
]
Out = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="The study's folder. [that of the file, with its name]"),
]
Jobs = Annotated[
    int, typer.Option(min=1, metavar="N", help="Processes; discoveries are shared out.")
]
Picture = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        metavar="FILE",
        help="Also draw a .png, .svg or .pdf file, anew if the study goes on.",
    ),
]


def study(
    file: File,
    out: Out = None,
    jobs: Jobs = 1,
    engine: Engine = "local",
    scheduler: Scheduler = None,
    picture: Picture = None,
    as_json: AsJson = False,
) -> None:
    """Make all discoveries of a grid, and write them to one table (CSV, and Parquet with pyarrow).

    The same command goes on with a study that was stopped. The exit code is 1 if a discovery
    failed; what that says is in its row.
    """
    from odevsr.fitting.warm import load_engine
    from odevsr.showing import output

    load_engine(output.say)  # before what imports it, so that a first compilation is announced
    from odevsr.showing.plots.draw import check_destination, save
    from odevsr.showing.plots.study import study_figure
    from odevsr.showing.streams import stdout_kept_free
    from odevsr.showing.study import study_page, study_progress
    from odevsr.studies.rows import FAILED
    from odevsr.studies.run import study as method

    drawn = (out or file.with_suffix("")) / "table.csv"  # what a picture is of is drawn anew
    if picture is not None and not (picture.is_file() and drawn.exists()):
        check_destination(picture)
    with workers(engine, scheduler, jobs) as shared, study_progress() as listen, stdout_kept_free():
        try:
            result = method(file, out=out, on_event=listen, **shared)
        except KeyboardInterrupt:
            output.say("interrupted; the same command goes on with the study")
            raise
    if picture is not None:
        save(study_figure(result), picture)
    if as_json:
        output.put_json({"schema": output.SCHEMA, "rows": result.rows, "summary": result.summary})
    else:
        output.put(study_page(result))
    if any(row["status"] == FAILED for row in result.rows):
        raise typer.Exit(FALLS_SHORT)
