"""What is drawn: a discovery and its folder, a system, or recorded trajectories."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from odevsr.discovery.files import VERDICT, read_json, read_lines
from odevsr.discovery.folder import load
from odevsr.discovery.result import Discovery
from odevsr.errors import UsageError
from odevsr.kind import Kind
from odevsr.showing.plots.motion import Motion, laws_motion, recorded_motions, system_motion
from odevsr.vertical.equation import Equation
from odevsr.world.experiments.measurements import Measured, read_measurements
from odevsr.world.sample import Sample
from odevsr.world.systems.checks import TIME
from odevsr.world.systems.file import parse_system
from odevsr.world.systems.registry import process_registry
from odevsr.world.systems.system import System
from odevsr.world.trajectories.recording import Recording
from odevsr.world.trajectories.store import load_trajectories

MANY = 1 << 53
"""More candidates than any float counts."""


@dataclass(frozen=True, eq=False)
class Subject:
    """A discovery, a system, trajectories, as far as there are any."""

    title: str
    names: tuple[str, ...]
    found: Discovery | None = None
    system: System | None = None
    recording: Recording | None = None
    _measured: dict[str, list[Measured]] = field(default_factory=dict)

    def discovery(self) -> Discovery:
        """The discovery, or a sentence that says that this kind needs one."""
        if self.found is None:
            raise UsageError(
                f"{self.title} is not a run, and only runs have that picture; give the folder of "
                "one, or choose phase or time"
            )
        return self.found

    def folder(self) -> Path:
        """The folder of the run."""
        folder = self.discovery().folder
        if folder is None:
            raise UsageError(
                "what was measured is kept only in a run's folder; discover with out=FOLDER"
            )
        return folder

    def measured(self, equation: Equation) -> list[Measured]:
        """The experiments that an equation was found by; none if the folder holds none."""
        name = equation.variable
        again = "" if equation.found_in == 1 else f"-{equation.found_in}"
        if name not in self._measured:
            path = self.folder() / "measurements" / f"{name}{again}.h5"
            self._measured[name] = read_measurements(path) if path.exists() else []
        return self._measured[name]

    def sample(self, equation: Equation) -> Sample:
        """All that was measured of an equation, in one row."""
        kept = self.measured(equation)
        if not kept:
            raise UsageError(f"the run of {self.title} holds no measurements of {equation.left}")
        return Sample(
            np.concatenate([each.states for each in kept]),
            np.concatenate([each.values for each in kept]),
            np.concatenate([each.errors for each in kept]),
        ).measured()

    @cached_property
    def epochs(self) -> list[dict[str, Any]]:
        """The epochs of all searches, in order; those of a damaged line are left out."""
        lines = read_lines(self.folder() / "history.jsonl")
        return [record for _, record in lines if _is_epoch(record)]

    @property
    def ranges(self) -> tuple[tuple[float, float], ...]:
        """Ranges of the variables."""
        return self.discovery().ranges

    @cached_property
    def verdict(self) -> dict[str, Any] | None:
        """What `odevsr validate` has said of the run, if it was asked."""
        path = self.folder() / VERDICT if self.discovery().folder else None
        return read_json(path) if path is not None and path.exists() else None

    @cached_property
    def motions(self) -> list[Motion]:
        """Motions: those recorded or simulated, and that of the laws that were found."""
        if self.recording is not None:
            return [
                Motion(f"trajectory {number + 1}", each.time, each.states)
                for number, each in enumerate(self.recording.trajectories)
            ]
        if self.found is not None and self.found.recorded:
            folder = self.found.folder
            return [] if folder is None else list(recorded_motions(self.found, folder))
        true = None if self.system is None else system_motion(self.system)
        ours = self._by_laws(true)
        return [each for each in (true, ours) if each is not None]

    def _by_laws(self, true: Motion | None) -> Motion | None:
        """The motion of the laws; none while a law is missing."""
        if self.found is None:
            return None
        laws = {each.variable for each in self.found.equations}
        if self.system is not None and set(self.system.components) != laws:
            return None
        return laws_motion(self.found, true)

    @property
    def clock(self) -> str:
        """What time is counted in."""
        kinds = {each.kind for each in (self.found, self.system) if each is not None}
        unit = "" if self.found is None else self.found.units.get(TIME, "")
        return "step" if Kind.MAP in kinds else f"time [{unit}]" if unit else "time"

    def label(self, name: str) -> str:
        """A variable with its meaning, which may have a unit."""
        known = {} if self.system is None else {each.name: each for each in self.system.variables}
        meaning = known[name].meaning if name in known else ""
        headed = name if self.found is None else self.found.heading(name)
        return shortened(f"{name}: {meaning}" if meaning else headed)


def subject_of(target: Discovery | System | Recording | str | Path) -> Subject:
    """What a run's folder, a file of trajectories, a system or its name stands for."""
    if isinstance(target, str | Path):
        target = _opened(target)
    if isinstance(target, Recording):
        system = target.system
        return Subject(system.name, system.names, system=system, recording=target)
    if isinstance(target, System):
        return Subject(target.name, target.names, system=target)
    text = target.system_file
    studied = parse_system(text, target.target) if text else None
    return Subject(target.target, target.names, found=target, system=studied)


def _opened(target: str | Path) -> Discovery | System | Recording:
    path = Path(target)
    if path.is_dir():
        return load(path)
    if path.suffix in (".h5", ".hdf5"):
        return load_trajectories(path)
    return process_registry().get(str(target))


def shortened(text: str, longest: int = 80) -> str:
    """A text that fits beside an axis."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _is_epoch(record: dict[str, Any]) -> bool:
    """Whether a line of the history has all that is drawn of an epoch, as it was written."""
    match record:
        case {
            "equation": str(),
            "best_loss": float() | None,
            "candidates": int(n),
            "proposed": int(m),
        }:
            return max(abs(n), abs(m)) < MANY and isinstance(record.get("reward", 0.0), float)
    return False
