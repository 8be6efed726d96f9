"""Arguments and options that several verbs take."""

from pathlib import Path
from typing import Annotated

import typer

from odevsr.cli.choices import beginnings, system_names
from odevsr.settings import sentence

Target = Annotated[
    str,
    typer.Argument(
        metavar="SYSTEM",
        help="A name, or a path to a .toml or SBML file.",
        autocompletion=beginnings(system_names),
    ),
]
Targets = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SYSTEM",
        help="Names, or paths to .toml files.",
        autocompletion=beginnings(system_names),
    ),
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
Verbose = Annotated[
    bool, typer.Option("-v", "--verbose", help="Tell what comes of each round while it searches.")
]
Quiet = Annotated[
    bool, typer.Option("-q", "--quiet", help="Tell nothing while it searches; errors are told.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Seed = Annotated[int, typer.Option(min=0, metavar="N", help="Seed of all that is drawn at random.")]
Components = Annotated[
    str | None, typer.Option(metavar="X,Y", help="Only these variables' equations.")
]
Jobs = Annotated[int, typer.Option(min=1, metavar="N", help="Processes; equations are shared out.")]
Noise = Annotated[float | None, typer.Option(min=0, metavar="SHARE", help=sentence("noise"))]
