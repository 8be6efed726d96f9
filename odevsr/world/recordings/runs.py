"""Recordings: what was measured of a system that nobody can experiment on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from odevsr.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Run:
    """One run of the system, as it was sampled."""

    name: str
    times: FloatArray
    """Increasing; steps may differ."""
    states: FloatArray
    """A row a time, a column a variable; nan where nothing was measured."""
    inputs: FloatArray
    """A row a time, a column an input; no column if there are none."""
    derivatives: FloatArray | None = None
    """Measured derivatives, if the recording has them."""

    def part(self, rows: slice) -> Run:
        """Some of its samples."""
        derivatives = None if self.derivatives is None else self.derivatives[rows]
        arrays = self.times[rows], self.states[rows], self.inputs[rows]
        return Run(self.name, *arrays, derivatives)


@dataclass(frozen=True, eq=False)
class Recordings:
    """Runs of one system."""

    names: tuple[str, ...]
    runs: tuple[Run, ...]
    inputs: tuple[str, ...] = ()
    units: Mapping[str, str] = field(default_factory=dict)
    source: str = ""
    """Where they come from, for titles."""
    notes: tuple[str, ...] = ()
    """What was left out or changed while reading, a sentence each."""
