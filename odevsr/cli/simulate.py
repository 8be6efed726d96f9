"""`odevsr simulate`: trajectories, on the screen or in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from odevsr.cli.chosen import overrides, registry
from odevsr.cli.options import AsJson, Folders, Parameters, Target
from odevsr.errors import UsageError

SUFFIXES = (".h5", ".hdf5", ".nc")


def simulate(
    context: typer.Context,
    target: Target,
    parameters: Parameters = None,
    count: Annotated[
        int,
        typer.Option(
            "-n", min=1, max=100_000, metavar="N", help="Trajectories; all but one start at random."
        ),
    ] = 1,
    seed: Annotated[
        int, typer.Option(min=0, max=2**63 - 1, metavar="N", help="Seed of the random starts.")
    ] = 0,
    duration: Annotated[
        float | None, typer.Option(metavar="TIME", help="Time simulated. [system's own]")
    ] = None,
    step: Annotated[
        float | None, typer.Option(metavar="TIME", help="Time between samples. [system's own]")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE.h5", help="Write a new file.")] = None,
    append: Annotated[bool, typer.Option("--append", help="Keep what FILE.h5 holds.")] = False,
    folders: Folders = None,
    as_json: AsJson = False,
) -> None:
    """Simulate a system from its own start, and from random ones in its ranges."""
    from odevsr.showing import output, trajectories
    from odevsr.world.trajectories.recording import record

    if append and out is None:
        raise UsageError("--append needs --out FILE.h5, the file to append to")
    system = registry(folders).get(target).with_parameters(overrides(parameters))
    if out is not None:
        from odevsr.world.trajectories import store

        if out.suffix not in SUFFIXES:
            raise UsageError(f"--out {out}: trajectories are written as HDF5; end the name in .h5")
        store.check_destination(out, append=append)
    recording = record(system, count, seed, command=context.obj, duration=duration, step=step)
    if out is not None:
        store.save_trajectories(out, recording, append=append)
    if as_json:
        output.put_json(trajectories.recording_json(recording, out))
    else:
        output.put(trajectories.recording_table(recording, out))
