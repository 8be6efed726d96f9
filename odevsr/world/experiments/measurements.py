"""What an oracle measured, in a file: enough to do a search again without simulating.

Format "odevsr-measurements", version 1: HDF5, one file a component. Experiments stand one after the
other and `row_size` says how many states belong to each.

    states       (state, variable)  float64
    values       (state)            float64   derivatives of the component, or what else is measured
    errors       (state)            float64   their estimated errors
    row_size     (experiment)       int64     states of each experiment
    spent        (experiment, 3)    int64     experiments, states and launches it took
    asked        (state, variable)  float64   only of crossings: the states asked for, where those
                                              that were met are others

Attributes: `format`, `format_version`, `variables` (names, one a line) and `component`. The file is
sealed (see `hdf5_file`).
"""

from __future__ import annotations

import time
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from odevsr.arrays import FloatArray
from odevsr.errors import RunError
from odevsr.world.experiments.oracle import Cost, Oracle, WrappingOracle
from odevsr.world.sample import Sample

if TYPE_CHECKING:
    import h5py

FORMAT, FORMAT_VERSION = "odevsr-measurements", 1
PATIENCE = 1.0
"""Seconds after which what was measured is written again,"""
SHARE = 0.05
"""unless writing would take a larger share of the time."""

_LAYOUT = {
    "states": ("<f8", 2),
    "values": ("<f8", 1),
    "errors": ("<f8", 1),
    "row_size": ("<i8", 1),
    "spent": ("<i8", 2),
    "asked": ("<f8", 2),
}
"""Type and number of dimensions of each array; the last need not be there."""


@dataclass(frozen=True, eq=False)
class Measured:
    """One experiment: states (m, n), values and errors (m,), and what it took.

    `asked` (m, n) are the states that were asked for.
    """

    states: FloatArray
    values: FloatArray
    errors: FloatArray
    spent: Cost
    asked: FloatArray

    def sample(self, shape: tuple[int, ...]) -> Sample:
        """What was measured, for states of this shape."""
        values, errors = self.values.reshape(shape[:-1]), self.errors.reshape(shape[:-1])
        return Sample(self.states.reshape(shape), values, errors)


class RecordingOracle(WrappingOracle):
    """An oracle whose experiments are kept in a file; those already there are not done again.

    A search is the same for the same seed, so an interrupted one that starts again asks for the
    experiments it did before, in the same order. The first that differs ends the replay.
    """

    def __init__(self, oracle: Oracle, path: Path) -> None:
        super().__init__(oracle)
        self._path = path
        self._kept = read_measurements(path, self.variable) if path.exists() else []
        self._position = 0
        self._written = time.monotonic()
        self._duration = 0.0

    def measure(self, states: FloatArray) -> Sample:
        """As the oracle does, or as it did."""
        flat = states.reshape(-1, states.shape[-1])
        kept = self._replayed(flat)
        if kept is None:
            before = self._oracle.cost
            batch = self._oracle.measure(states)
            spent = self._oracle.cost - before
            met = batch.states.reshape(flat.shape).copy()
            asked = flat.copy()
            kept = Measured(met, batch.values.ravel(), batch.errors.ravel(), spent, asked)
            self._kept.append(kept)
            self._write_if_due()
        self._position += 1
        return kept.sample(states.shape)

    def _replayed(self, states: FloatArray) -> Measured | None:
        if self._position == len(self._kept):
            return None
        kept = self._kept[self._position]
        if not np.array_equal(kept.asked, states):
            del self._kept[self._position :]
            return None
        self._oracle.cost += kept.spent
        return kept

    def _write_if_due(self) -> None:
        if time.monotonic() - self._written > max(PATIENCE, self._duration / SHARE):
            self.write()

    def write(self) -> None:
        """Write all experiments to the file."""
        began = time.monotonic()
        write_measurements(self._path, self._kept, self.names, self.variable)
        self._written = time.monotonic()
        self._duration = self._written - began


def write_measurements(
    path: Path, experiments: list[Measured], names: tuple[str, ...], component: str
) -> None:
    """Write experiments on one component to a file, whole or not at all."""
    from odevsr.world.trajectories.hdf5_file import write_hdf5

    columns = {
        "states": np.concatenate([np.empty((0, len(names))), *(x.states for x in experiments)]),
        "values": np.concatenate([np.empty(0), *(each.values for each in experiments)]),
        "errors": np.concatenate([np.empty(0), *(each.errors for each in experiments)]),
        "row_size": np.array([len(each.values) for each in experiments]),
        "spent": np.array([astuple(each.spent) for each in experiments]).reshape(-1, 3),
    }

    asked = np.concatenate([np.empty((0, len(names))), *(x.asked for x in experiments)])
    if not np.array_equal(asked, columns["states"]):
        columns["asked"] = asked

    def fill(file: h5py.File) -> None:
        file.attrs.update({"format": FORMAT, "format_version": FORMAT_VERSION})
        file.attrs.update({"variables": "\n".join(names), "component": component})
        for name in columns:
            array = np.asarray(columns[name], _LAYOUT[name][0])
            file.create_dataset(name, data=array, fletcher32=bool(array.size))

    try:
        write_hdf5(path, fill)
    except OSError as error:
        raise RunError(f"{path} cannot be written ({error}); see to its folder") from None


def read_measurements(path: str | Path, component: str | None = None) -> list[Measured]:
    """The experiments in a file, in order; none, if they are of another component than this."""
    from odevsr.world.trajectories.hdf5_file import READING_ERRORS, opened_hdf5, plain_array

    try:
        with opened_hdf5(Path(path)) as file:
            if str(file.attrs.get("format")) != FORMAT:
                raise RunError(f"{path} holds no measurements of odevsr; choose another file")
            if int(file.attrs["format_version"]) > FORMAT_VERSION:
                raise RunError(f"{path} is of a later format; update odevsr")
            if component not in (None, str(file.attrs["component"])):
                return []
            names = [name for name in _LAYOUT if name != "asked" or name in file]
            return _experiments({name: plain_array(file, name, *_LAYOUT[name]) for name in names})
    except READING_ERRORS as error:
        raise RunError(
            f"{path} is damaged or no HDF5 file ({error}); remove it to measure again"
        ) from None


def _experiments(arrays: dict[str, NDArray[Any]]) -> list[Measured]:
    ends = np.cumsum(arrays["row_size"])[:-1]
    parts = zip(
        np.split(arrays["states"], ends),
        np.split(arrays["values"], ends),
        np.split(arrays["errors"], ends),
        [Cost(*row) for row in arrays["spent"].tolist()],
        np.split(arrays.get("asked", arrays["states"]), ends),
        strict=True,
    )
    return [Measured(*part) for part in parts] if len(arrays["row_size"]) else []
