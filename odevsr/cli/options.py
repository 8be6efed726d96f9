"""Arguments and options that several verbs take."""

from pathlib import Path
from typing import Annotated

import typer

from odevsr.settings import sentence

Target = Annotated[
    str, typer.Argument(metavar="SYSTEM", help="A name, or a path to a .toml or SBML file.")
]
Targets = Annotated[
    list[str] | None,
    typer.Argument(metavar="SYSTEM", help="Names, or paths to .toml files."),
]
Parameters = Annotated[
    list[str] | None,
    typer.Option("--param", metavar="NAME=VALUE", help="Change a parameter; may be repeated."),
]
Varied = Annotated[
    list[str] | None,
    typer.Option(
        "--vary",
        metavar="NAME=LOW,HIGH[,log]",
        help="Make a parameter a variable; may be repeated.",
    ),
]
Ranged = Annotated[
    list[str] | None,
    typer.Option(
        "--range",
        metavar="NAME=LOW,HIGH[,log]",
        help="Change a variable's range, and with log or even its scale; may be repeated.",
    ),
]
Folders = Annotated[
    list[Path] | None,
    typer.Option("--systems", metavar="DIR", help="A folder of system files; may be repeated."),
]
Run = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")]
Inputs = Annotated[
    str | None,
    typer.Option(metavar="U,V", help="Recordings: columns that were set from outside."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Seed = Annotated[int, typer.Option(min=0, help="Seed of all that is drawn at random.")]
Components = Annotated[
    str | None, typer.Option(metavar="X,Y", help="Only these variables' equations.")
]
Jobs = Annotated[int, typer.Option(min=1, help="Processes; equations are shared out.")]
Noise = Annotated[float | None, typer.Option(min=0, metavar="SHARE", help=sentence("noise"))]
