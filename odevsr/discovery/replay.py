"""replay(): the search again on what a run measured, without its simulator."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from glob import escape
from pathlib import Path
from typing import Any

import numpy as np

from odevsr.discovery.executors import checked_workers
from odevsr.discovery.folder import DAMAGES, checked_pilot, run_header
from odevsr.discovery.passes import Search
from odevsr.discovery.recorded import SAMPLES
from odevsr.discovery.request import chosen_components, request_from_json
from odevsr.discovery.result import Discovery
from odevsr.discovery.task import Event, make_oracle
from odevsr.errors import RunError
from odevsr.settings import Settings, changed
from odevsr.world.experiments.measurements import read_measurements
from odevsr.world.experiments.oracle import Oracle, World
from odevsr.world.experiments.replayed import ReplayingOracle
from odevsr.world.pilot.pilot import Pilot


def replay(
    run: str | Path,
    *,
    components: str | Sequence[str] | None = None,
    jobs: int = 1,
    on_event: Callable[[Event], None] = lambda event: None,
    **changes: Any,  # noqa: ANN401
) -> Discovery:
    """Search again on what the run in a folder measured; nothing is simulated, nothing written.

    With the settings of the run the equations are those of the run. With others (any field of
    `odevsr.Settings`) the search goes as far as its experiments were made before; where one was
    not, the note of the equation says so.
    """
    path = Path(run)
    began = time.perf_counter()
    header = run_header(path)
    if "asked" in header and "pilot" not in header:
        raise RunError(
            f"{path} holds laws of recordings, and nothing was experimented on; to search again, "
            f"discover {path / 'measurements' / SAMPLES}"
        )
    try:
        pilot = checked_pilot(header["pilot"], header["asked"])
        request = request_from_json(header["asked"], pilot, header.get("system_file", ""))
    except DAMAGES as error:
        raise RunError(
            f"the run in {path} does not say what was asked ({error}); replay a run that this "
            "odevsr made with a folder"
        ) from None
    request = replace(request, settings=changed(request.settings, changes))
    if components is not None:
        request = replace(request, chosen=chosen_components(components, request.studied))
    oracle = partial(_replaying, path / "measurements")
    return Search(request, pilot, checked_workers(jobs), began, None, on_event, oracle).run()


def _replaying(
    folder: Path,
    world: World,
    component: int,
    pilot: Pilot,
    settings: Settings,
    seeds: np.random.SeedSequence,
) -> Oracle:
    """An oracle that answers from what the run measured of a component, in any pass."""
    settings = replace(settings, sampling="launches")  # crossings would be looked for at once
    oracle = make_oracle(world, component, pilot, settings, seeds)
    name = (world.outputs or world.names)[component]
    files = [folder / f"{name}.h5", *sorted(folder.glob(f"{escape(name)}-[0-9]*.h5"))]
    kept = [each for file in files if file.exists() for each in read_measurements(file, name)]
    return ReplayingOracle(oracle, kept)
