"""`odevsr bench`: figures beside their targets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from odevsr.bench.catalogue import bench_names
from odevsr.cli.chosen import listed
from odevsr.cli.exit_codes import FALLS_SHORT
from odevsr.cli.options import AsJson


def bench(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help=f"What to measure: {', '.join(bench_names())}.",
        ),
    ],
    folder: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="systems: a folder of system files.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="systems, noise, trust: processes.")
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option(
            min=0.1, help="CPU seconds for an equation. [systems 120, noise 60, trust 20]"
        ),
    ] = None,
    seeds: Annotated[
        int | None, typer.Option(min=1, help="How many seeds. [recovery 20, noise 5]")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of a bench that takes one.")] = None,
    components: Annotated[
        str | None, typer.Option(metavar="X,Y", help="systems: only these variables' equations.")
    ] = None,
    cases: Annotated[
        str | None, typer.Option(metavar="A,B", help="trust: only these simulators.")
    ] = None,
    share: Annotated[
        float | None, typer.Option(help="systems: per cent of exact laws to reach. [97]")
    ] = None,
    pure: Annotated[
        bool, typer.Option("--pure", help="systems: also the paper's method; slow.")
    ] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="fitting: samples too small to judge by.")
    ] = False,
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the rows as a Markdown table.")
    ] = False,
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
        "share": share,
        "pure": pure or None,
        "quick": quick or None,
    }
    result = run_bench(name, options)
    if as_json:
        output.put_json(result.to_json())
    elif as_markdown:
        print(page.bench_markdown(result))
    else:
        output.put(page.bench_page(result))
    if not result.holds:
        raise typer.Exit(FALLS_SHORT)
