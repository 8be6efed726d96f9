"""`odevsr bench`: figures beside their targets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from odevsr.bench.catalogue import bench_names
from odevsr.cli.choices import beginnings
from odevsr.cli.chosen import listed
from odevsr.cli.exit_codes import FALLS_SHORT
from odevsr.cli.options import AsJson, Components

Name = Annotated[
    str,
    typer.Argument(
        metavar="NAME",
        help=f"What to measure: {', '.join(bench_names())}.",
        autocompletion=beginnings(bench_names),
    ),
]
Folder = Annotated[
    Path | None,
    typer.Argument(
        metavar="[DIR]",
        help="systems, frugal, recordings: files. paper-table: kept results. "
        "train-policy: a new .npz.",
    ),
]
Jobs = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="Processes, of benches that can share out.")
]
Budget = Annotated[
    float | None,
    typer.Option(
        min=0.1,
        metavar="SECONDS",
        help="CPU seconds for an equation. [systems 120, noise 60, trust 20]",
    ),
]
Seeds = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="How many seeds. [recovery 20, noise 5]")
]
OneSeed = Annotated[
    int | None, typer.Option(min=0, metavar="N", help="Seed of a bench that takes one.")
]
Cases = Annotated[str | None, typer.Option(metavar="A,B", help="trust, fuzz: only these.")]
Count = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="N",
        help="How many cases, or steps. [faults 60, fuzz 3000, load 200, train-policy 3000]",
    ),
]
Share = Annotated[
    float | None,
    typer.Option(metavar="PERCENT", help="systems: per cent of exact laws to reach. [97]"),
]
Pure = Annotated[bool, typer.Option("--pure", help="systems: also the paper's method; slow.")]
Quick = Annotated[
    bool,
    typer.Option(
        "--quick", help="fitting, frugal, paper-table, recordings, searchers: too little to judge."
    ),
]
Full = Annotated[bool, typer.Option("--full", help="paper-table, searchers: measure all; goes on.")]
Truth = Annotated[
    Path | None, typer.Option(metavar="DIR", help="recordings: the system files. [DIR/../systems]")
]
Cells = Annotated[
    str | None,
    typer.Option(metavar="A:B,..", help="recordings: noise and share removed, such as 0.05:0.5."),
]
Memory = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="recordings: results are kept here, and not measured again."),
]
Sindy = Annotated[
    bool, typer.Option("--sindy", help="recordings: SINDy and weak SINDy beside it; slow.")
]
AsMarkdown = Annotated[bool, typer.Option("--markdown", help="Print the rows as a Markdown table.")]

Readme = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Put that table between the bench's marks in FILE."),
]


def bench(
    name: Name,
    folder: Folder = None,
    jobs: Jobs = None,
    budget: Budget = None,
    seeds: Seeds = None,
    seed: OneSeed = None,
    components: Components = None,
    cases: Cases = None,
    count: Count = None,
    share: Share = None,
    pure: Pure = False,
    quick: Quick = False,
    full: Full = False,
    truth: Truth = None,
    cells: Cells = None,
    memory: Memory = None,
    sindy: Sindy = False,
    as_markdown: AsMarkdown = False,
    readme: Readme = None,
    as_json: AsJson = False,
) -> None:
    """Measure what odevsr promises: figures beside their targets.

    The exit code is 1 if a figure misses its target.
    """
    from odevsr.bench.catalogue import run_bench
    from odevsr.fitting.warm import load_engine
    from odevsr.showing import bench as page
    from odevsr.showing import output

    if name in bench_names() and name != "launches":
        load_engine(output.say)
    options = {
        "folder": folder,
        "jobs": jobs,
        "budget": budget,
        "seeds": seeds,
        "seed": seed,
        "components": listed("--components", components),
        "cases": listed("--cases", cases),
        "count": count,
        "share": share,
        "pure": pure or None,
        "quick": quick or None,
        "full": full or None,
        "truth": truth,
        "cells": listed("--cells", cells),
        "memory": memory,
        "sindy": sindy or None,
    }
    result = run_bench(name, options)
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
