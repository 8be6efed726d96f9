"""`odevsr plot`: a picture of a run, a file of trajectories, or a system."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from odevsr.cli.choices import choice

KINDS = ("phase", "time", "experiments", "rounds", "residuals", "learning", "front")


def plot(
    target: Annotated[
        str,
        typer.Argument(
            metavar="RUN|FILE.h5|SYSTEM", help="A run's folder, trajectories, a system's name."
        ),
    ],
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="FILE", help="A new .png, .svg or .pdf file.")
    ],
    kind: Annotated[str, choice(KINDS, "What is drawn.")] = "phase",
) -> None:
    """Draw a run, recorded trajectories or a system.

    A system and trajectories have phase and time; a run has all kinds. Needs the extra `plot`.
    """
    from odevsr.fitting.warm import load_engine
    from odevsr.showing import output

    load_engine(output.say)  # before what imports it, so that a first compilation is announced
    from odevsr.showing.plots.draw import check_destination, save
    from odevsr.showing.plots.draw import plot as figure_of

    check_destination(out)
    save(figure_of(target, kind), out)
