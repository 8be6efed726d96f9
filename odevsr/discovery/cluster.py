"""Clusters of dask as executors: one on this machine, or one that runs elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager

from odevsr.errors import LostProcessError, UsageError
from odevsr.extras import optional_module

PATIENCE = "10s"
"""How long a scheduler may take to answer."""


@contextmanager
def dask_executor(scheduler: str | None, jobs: int) -> Iterator[Executor]:
    """An executor of so many processes here, or of the cluster whose scheduler has that address."""
    dask = optional_module("distributed", extra="dask")
    if scheduler is not None and jobs > 1:
        raise UsageError("a running cluster knows how many workers it has; leave out --jobs")
    with ExitStack() as opened:
        if scheduler is None:
            cluster = dask.LocalCluster(
                n_workers=jobs, threads_per_worker=1, dashboard_address="127.0.0.1:0"
            )
            scheduler = opened.enter_context(cluster).scheduler_address
        try:
            client = opened.enter_context(dask.Client(scheduler, timeout=PATIENCE))
        except (OSError, ValueError) as error:
            raise UsageError(
                f"no dask scheduler answers at {scheduler} ({error}); start one with `dask "
                "scheduler`, or leave --scheduler out"
            ) from None
        try:
            yield client.get_executor()
        except dask.KilledWorker as error:
            raise LostProcessError(f"workers of the cluster were lost ({error})") from None
