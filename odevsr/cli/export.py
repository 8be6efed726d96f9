"""`odevsr export`: the laws of a run as a text for another tool."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from odevsr.cli.choices import choice
from odevsr.cli.options import Run
from odevsr.errors import UsageError

FORMATS = ("latex", "sympy", "numpy", "c", "julia", "modelica", "matlab", "sbml",
           "jax", "pysindy", "json")  # fmt: skip


def export(
    run: Run,
    form: Annotated[
        str,
        choice(FORMATS, "Which tool it is for.", "--to"),
    ],
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="FILE", help="Write a new file.")
    ] = None,
) -> None:
    """Write the laws of a run for another tool, with how sure each of them is."""
    from odevsr.fitting.warm import load_engine
    from odevsr.showing import output

    load_engine(output.say)  # before what imports it, so that a first compilation is announced
    from odevsr.discovery.files import write_text
    from odevsr.discovery.folder import load

    if out is not None and out.exists():
        raise UsageError(f"{out} exists and is not overwritten; choose another name")
    text = load(run).to(form)
    if out is None:
        print(text, end="")
    else:
        write_text(out, text)
