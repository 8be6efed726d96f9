"""What `odevsr simulate` made: a line a trajectory, or one object for programs."""

from __future__ import annotations

from pathlib import Path

from rich.console import Group, RenderableType
from rich.text import Text

from odevsr.language.number import number_text
from odevsr.showing.output import SCHEMA, plain_table
from odevsr.world.trajectories.recording import Recording
from odevsr.world.trajectories.trajectory import Ending, Trajectory


def recording_table(recording: Recording, path: Path | None = None) -> RenderableType:
    """Samples, time, status and last state of each; below, what statuses mean if not complete."""
    names = recording.system.names
    rows = [(str(number), *_cells(run, names)) for number, run in enumerate(recording.trajectories)]
    parts: list[RenderableType] = [
        plain_table(["run", "samples", "time", "status", "last state"], rows)
    ]
    ended = {run.status for run in recording.trajectories} - {Ending.COMPLETE}
    if ended:
        meanings = [f"{each.value}: {each.sentence}" for each in Ending if each in ended]
        parts += [Text(), *map(Text, meanings)]
    if path is not None:
        parts += [Text(), Text(f"written to {path}")]
    return Group(*parts)


def recording_json(recording: Recording, path: Path | None = None) -> dict[str, object]:
    """The same as one object; `file` is null where nothing was written."""
    system = recording.system
    return {
        "schema": SCHEMA,
        "target": system.name,
        "digest": system.digest,
        "parameters": {name: number_text(value) for name, value in system.parameters.items()},
        "command": recording.commands[-1],
        "file": None if path is None else str(path),
        "variables": list(system.names),
        "trajectories": [
            _trajectory_json(run, seed)
            for run, seed in zip(recording.trajectories, recording.seeds, strict=True)
        ],
    }


def _cells(run: Trajectory, names: tuple[str, ...]) -> tuple[str, ...]:
    last = ", ".join(
        f"{name} {value:.6g}" for name, value in zip(names, run.states[-1], strict=True)
    )
    return str(len(run.time)), f"{run.end_time:.8g}", run.status.value, last


def _trajectory_json(run: Trajectory, seed: int) -> dict[str, object]:
    return {
        "seed": seed,
        "samples": len(run.time),
        "end_time": run.end_time,
        "status": run.status.value,
        "sentence": run.status.sentence,
        "first": run.states[0].tolist(),
        "last": run.states[-1].tolist(),
    }
