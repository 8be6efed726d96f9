"""Who does the work of a command: processes of its own, or a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from odevsr.errors import UsageError

Engine = Annotated[
    str, typer.Option(metavar="local|dask", help="Who works: processes of this machine, or dask.")
]
Scheduler = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="dask: of a cluster that runs, such as tcp://host:8786."),
]


Spread = Annotated[
    bool,
    typer.Option("--spread", help="Workers share out the simulator's calls, not the equations."),
]


@contextmanager
def workers(engine: str, scheduler: str | None, jobs: int) -> Iterator[dict[str, Any]]:
    """The arguments of `discover` and `study` that say who works, while the cluster is there."""
    if engine == "dask":
        from odevsr.discovery.cluster import dask_executor

        with dask_executor(scheduler, jobs) as executor:
            yield {"executor": executor}
        return
    if engine != "local":
        raise UsageError(f"there is no engine {engine!r}; choose local or dask")
    if scheduler is not None:
        raise UsageError("--scheduler is that of a dask cluster; add --engine dask")
    yield {"jobs": jobs}
