"""The laws behind recordings, as a discovery and its run folder."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from odevsr.discovery.files import check_new, save_result, versions
from odevsr.discovery.result import Discovery
from odevsr.discovery.task import Event, Listener
from odevsr.errors import UsageError, nearest
from odevsr.fitting.warm import load_engine
from odevsr.plain import whole
from odevsr.settings import Settings
from odevsr.world.experiments.oracle import Cost
from odevsr.world.recordings.runs import Recordings
from odevsr.world.recordings.save import save_recordings
from odevsr.world.systems.checks import TIME

if TYPE_CHECKING:
    from odevsr.recorded.discover import HoldOut

SAMPLES = "recordings.csv"
"""In the folder of a run, the samples its laws were found from."""


def discover_recorded(
    recordings: Recordings,
    settings: Settings,
    seed: int,
    hold_out: str | float | None,
    out: str | Path | None,
    on_event: Listener,
) -> Discovery:
    """What the recordings tell of their laws; `hold_out` is a run or a share (see `discover`)."""
    load_engine(lambda said: on_event(Event(message=said)), "odevsr.recorded.discover")
    from odevsr.recorded.discover import discover_recordings

    seed, folder = whole("the seed", seed, 0), None if out is None else Path(out)
    held = None if hold_out is None else chosen_hold_out(hold_out, recordings)
    if folder is not None:
        check_new(folder)
    began = time.perf_counter()
    found = discover_recordings(
        recordings,
        seed=seed,
        hold_out=held,
        on_event=lambda sentence: on_event(Event(message=sentence)),
    )
    for equation in found.equations:
        on_event(Event(equation.variable, equation=equation))
    discovery = Discovery(
        target=recordings.source,
        names=found.names,
        ranges=found.ranges,
        equations=found.equations,
        seed=seed,
        settings=settings,
        cost=Cost(states=sum(len(run.times) for run in recordings.runs)),
        elapsed_s=time.perf_counter() - began,
        versions=versions(),
        recorded=True,
        notes=found.notes,
        units={
            name: recordings.units[name]
            for name in (TIME, *found.names)
            if recordings.units.get(name)
        },
        folder=folder,
    )
    if folder is not None:
        asked = {"inputs": list(recordings.inputs), "hold_out": hold_out}
        save_result(folder, discovery.to_json(), asked=asked)
        save_recordings(folder / "measurements" / SAMPLES, recordings)
    return discovery


def chosen_hold_out(asked: str | float, recordings: Recordings) -> HoldOut:
    """The run of this name, or this share of each run's end.

    A run may be called by a number, and then is the one meant.
    """
    from odevsr.recorded.discover import HoldOut

    names = [run.name for run in recordings.runs]
    if str(asked) in names:
        if len(names) == 1:
            raise UsageError(
                f"{asked} is the only run, and nothing is left to search; hold out a share of it, "
                "such as 0.2"
            )
        return HoldOut(run=str(asked))
    try:
        share = float(asked)
    except ValueError:
        raise UsageError(
            f"there is no run {asked!r} to hold out; {nearest(str(asked), names)}"
        ) from None
    if not 0 < share < 1:
        raise UsageError(f"a share of {share:g} cannot be held out; give more than 0, less than 1")
    return HoldOut(share=share)
