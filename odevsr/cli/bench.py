"""`odevsr bench NAME`: figures beside their targets; each bench has its own options."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any

import typer

from odevsr.bench.catalogue import BENCHES, Bench
from odevsr.cli.chosen import listed
from odevsr.cli.options import AsJson, Components, Jobs, Seed
from odevsr.cli.search_options import Proposers
from odevsr.exit_codes import FALLS_SHORT

AsMarkdown = Annotated[bool, typer.Option("--markdown", help="Print the rows as a Markdown table.")]
Readme = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Put that table between the bench's marks in FILE."),
]
OPTIONS: dict[str, Any] = {
    "folder": Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="Files, or results that were kept.")
    ],
    "jobs": Jobs,
    "budget": Annotated[
        float, typer.Option(min=0.1, metavar="SECONDS", help="CPU seconds for an equation.")
    ],
    "seeds": Annotated[int, typer.Option(min=1, metavar="N", help="How many seeds.")],
    "seed": Seed,
    "components": Components,
    "proposers": Proposers,
    "cases": Annotated[str | None, typer.Option(metavar="A,B", help="Only these cases.")],
    "count": Annotated[int, typer.Option(min=1, metavar="N", help="How many cases, or steps.")],
    "share": Annotated[
        float, typer.Option(metavar="PERCENT", help="Per cent of exact laws to reach.")
    ],
    "pure": Annotated[bool, typer.Option("--pure", help="Also the paper's method; slow.")],
    "quick": Annotated[bool, typer.Option("--quick", help="Too little to judge by.")],
    "full": Annotated[bool, typer.Option("--full", help="Measure all; goes on where it was left.")],
    "truth": Annotated[
        Path | None, typer.Option(metavar="DIR", help="The system files. [DIR/../systems]")
    ],
    "cells": Annotated[
        str | None,
        typer.Option(metavar="A:B[:N],..", help="Noise, share removed, digits: 0.05:0.5."),
    ],
    "memory": Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Results are kept here, and not measured again."),
    ],
    "sindy": Annotated[bool, typer.Option("--sindy", help="SINDy and weak SINDy beside it; slow.")],
}
"""What benches can take; which of them takes what, `odevsr.bench.catalogue` says."""

benches = typer.Typer(
    no_args_is_help=True,
    help="Measure what odevsr promises: figures beside their targets.\n\n"
    "The exit code is 1 if a figure misses its target.",
)


def _verb(name: str, bench: Bench) -> Callable[..., None]:
    """The command of a bench: what it takes itself, and how its result is shown."""

    def verb(as_json: bool, as_markdown: bool, readme: Path | None, **given: object) -> None:
        from odevsr.fitting.warm import load_engine
        from odevsr.showing import bench as page
        from odevsr.showing import output

        if name != "launches":
            load_engine(output.say)
        lists = {
            key: listed(f"--{key}", value) for key, value in given.items() if isinstance(value, str)
        }
        result = bench.run(**(given | lists))
        if readme is not None:
            readme.write_text(page.with_table(readme.read_text(encoding="utf-8"), result))
        if as_json:
            output.put_json(result.to_json())
        elif as_markdown:
            print(page.bench_markdown(result))
        else:
            output.put(page.bench_page(result))
        if not result.holds:
            raise typer.Exit(FALLS_SHORT)

    verb.__signature__ = _signature(bench)  # type: ignore[attr-defined]
    verb.__annotations__ = {}
    return verb


def _signature(bench: Bench) -> Signature:
    """The bench's options, and those of all benches, as typer reads them."""
    shown = {"as_markdown": AsMarkdown, "readme": Readme, "as_json": AsJson}
    defaults = {**bench.options, "as_markdown": False, "readme": None, "as_json": False}
    known = OPTIONS | shown
    options = [
        Parameter(each, Parameter.KEYWORD_ONLY, default=value, annotation=known[each])
        for each, value in defaults.items()
    ]
    if bench.needs:
        needed = Annotated[Path, typer.Argument(metavar=bench.needs)]
        options.insert(0, Parameter("folder", Parameter.KEYWORD_ONLY, annotation=needed))
    return Signature(options)


for _name, _bench in BENCHES.items():
    benches.command(_name, help=_bench.sentence)(_verb(_name, _bench))
