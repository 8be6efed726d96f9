"""Options of a discovery; those about settings say what the settings say."""

from pathlib import Path
from typing import Annotated

import typer

from odevsr.cli.choices import beginnings, choice, system_names
from odevsr.language.expression import Op
from odevsr.settings import CHOICES, PRESETS, sentence

Studied = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="TARGET",
        help="A system's name, a path to its .toml file, to an SBML model (.xml) or an FMU, or "
        "package.module:function, a simulator of your own; or files of recordings (.csv, .npz, "
        ".parquet, .h5).",
        autocompletion=beginnings(system_names),
    ),
]
HoldOut = Annotated[
    str | None,
    typer.Option(
        metavar="RUN|SHARE",
        help="Recordings: a run, or a share of the end of each, that laws are judged by.",
    ),
]
Prior = Annotated[
    list[str] | None,
    typer.Option(
        metavar="FILE",
        help="Recordings of the same system: their laws are tried first; may be repeated.",
    ),
]
Program = Annotated[
    str | None,
    typer.Option(
        "--command",
        metavar="PROGRAM",
        help="In place of TARGET: a program that answers states with states, line by line; "
        "--range and --vary name its variables and inputs, unless it does so itself.",
    ),
]
Formula = Annotated[
    str | None,
    typer.Option(metavar="TEXT", help="A formula in place of TARGET; --range names its variables."),
]
Scale = Annotated[
    str | None, choice(("even", "log"), "Scale of ranges that do not say theirs, of a formula.")
]
Out = Annotated[
    Path | None, typer.Option(metavar="DIR", help="A new folder for the record of the run.")
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the run in DIR.")]
Preset = Annotated[
    str, choice(PRESETS, "All settings at once; paper is the configuration of the method's paper.")
]
Operators = Annotated[
    str | None,
    typer.Option(
        metavar="+,*,sin",
        help=f"{sentence('operators')} Known: {', '.join(each.value for each in Op)}.",
    ),
]
Proposers = Annotated[str | None, typer.Option(metavar="A,B", help=sentence("proposers"))]
Expansion = Annotated[str | None, choice(CHOICES["expansion"], sentence("expansion"))]
Sampling = Annotated[str | None, choice(CHOICES["sampling"], sentence("sampling"))]
Difference = Annotated[str | None, choice(CHOICES["difference"], sentence("difference"))]
Decide = Annotated[bool, typer.Option("--decide", help=sentence("decide"))]
Frugal = Annotated[bool, typer.Option("--frugal", help=sentence("frugal"))]
Explain = Annotated[bool, typer.Option("--explain", help="Also tell how each equation was found.")]
Budget = Annotated[
    float | None, typer.Option(min=0.1, metavar="SECONDS", help=sentence("most_seconds"))
]
MaxStates = Annotated[int | None, typer.Option(min=100, metavar="N", help=sentence("most_states"))]
MaxLaunches = Annotated[
    int | None, typer.Option(min=1000, metavar="N", help=sentence("max_launches"))
]
Timeout = Annotated[
    float,
    typer.Option(
        metavar="SECONDS", help="Seconds that your own simulator may take for each state."
    ),
]
