"""replay(): the search again on what a run measured, without its simulator."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.discovery.discover import chosen_components, search_seeds
from odevsr.discovery.executors import checked_workers
from odevsr.discovery.folder import DAMAGES, checked_pilot, run_header
from odevsr.discovery.passes import Search
from odevsr.discovery.prior import guesses_from_json
from odevsr.discovery.result import Discovery
from odevsr.discovery.task import Event, make_oracle
from odevsr.errors import RunError, SimulationError
from odevsr.kind import Kind
from odevsr.settings import Settings, changed, settings_from_json
from odevsr.world.experiments.measurements import read_measurements
from odevsr.world.experiments.oracle import Oracle, World
from odevsr.world.experiments.replayed import ReplayingOracle
from odevsr.world.pilot.pilot import Pilot
from odevsr.world.simulators.launch import Launch
from odevsr.world.studied import Studied


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
    try:
        asked = header["asked"]
        pilot = checked_pilot(header["pilot"], asked)
        studied = _studied(asked, pilot, header.get("system_file", ""))
        seed, settings = int(asked["seed"]), settings_from_json(asked["settings"])
        _, *seeds = search_seeds(seed, studied)
        guesses = guesses_from_json(asked.get("guesses") or {}, studied.names)
        wanted = _texts(asked["components"]) if components is None else components
    except DAMAGES as error:
        raise RunError(
            f"the run in {path} does not say what was asked ({error}); replay a run that this "
            "odevsr made with a folder"
        ) from None
    settings, chosen = changed(settings, changes), chosen_components(wanted, studied)
    search = Search(
        studied, pilot, chosen, settings, seed, checked_workers(jobs), began, None, on_event
    )
    search.guesses = guesses
    return search.run(partial(_replaying, path / "measurements"), seeds)


def _studied(asked: Mapping[str, Any], pilot: Pilot, system_file: str) -> Studied:
    """What the run was of, less its simulator."""
    return Studied(
        name=asked["target"],
        names=_texts(asked["variables"]),
        components=_texts(asked["outputs"]),
        box=pilot.box,
        make_launch=_no_simulator,
        digest=asked["digest"],
        system_file=system_file,
        kind=Kind(asked["kind"]),
    )


def _texts(values: Iterable[object]) -> tuple[str, ...]:
    texts = tuple(each for each in values if isinstance(each, str))
    if texts != tuple(values):
        raise TypeError("names are no texts")
    return texts


def _no_simulator() -> Launch:
    return _refused


def _refused(states: FloatArray, step: float | FloatArray) -> FloatArray:
    raise SimulationError("a replay has no simulator; discover the target instead")


def _replaying(
    folder: Path,
    world: World,
    component: int,
    pilot: Pilot,
    settings: Settings,
    seeds: np.random.SeedSequence,
) -> Oracle:
    """Who answers from what the run measured of a component, in either pass."""
    settings = replace(settings, sampling="launches")  # crossings would be looked for at once
    oracle = make_oracle(world, component, pilot, settings, seeds)
    name = (world.outputs or world.names)[component]
    files = [folder / f"{name}{again}.h5" for again in ("", "-2")]
    kept = [each for file in files if file.exists() for each in read_measurements(file)]
    return ReplayingOracle(oracle, kept)
