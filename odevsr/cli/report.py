"""`odevsr report`: a run as one HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from odevsr.cli.options import Run


def report(
    run: Run,
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="FILE", help="A new .html file.")
    ] = Path("report.html"),
) -> None:
    """Write all there is to see of a run into one HTML file. Needs the extra `plot`."""
    from odevsr.fitting.warm import load_engine
    from odevsr.showing import output

    load_engine(output.say)  # before what imports it, so that a first compilation is announced
    from odevsr.discovery.folder import load
    from odevsr.showing.report.page import report as write

    write(load(run), out)
