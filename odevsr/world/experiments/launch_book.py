"""Launches in a file, by what was asked: whatever stops a run, none of them is asked for again.

Format "odevsr-launches", version 1: HDF5, sealed and appended to as answers arrive.

    asked  (launch, variable + 1)  float64   the state launched from, then the step
    ends   (launch, value)         float64   the answer; nan where there is none

Attributes: `format`, `format_version` and `target`, the digest of what was launched.

A launch that is asked for several times, as a pilot does to see whether a simulator repeats itself,
stands there several times, and is answered in turn.
"""

from __future__ import annotations

import time
from collections import defaultdict, deque
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.errors import RunError

if TYPE_CHECKING:
    import h5py

FORMAT, FORMAT_VERSION = "odevsr-launches", 1
PATIENCE = 1.0
"""Seconds for which answers may wait to be written together."""
PIECE = 64
"""Rows of an array that are stored together."""


class LaunchBook:
    """Answers by what was asked; without a path they are only remembered."""

    def __init__(self, path: Path | None = None, target: str = "") -> None:
        self._path, self._target = path, target
        self._known: dict[bytes, deque[FloatArray]] = defaultdict(deque)
        self._new: list[tuple[FloatArray, FloatArray]] = []
        self._written = time.monotonic()
        if path is not None and path.exists():
            for row, end in zip(*_read(path, target), strict=True):
                self._known[row.tobytes()].append(end)

    def answer(self, row: FloatArray) -> FloatArray | None:
        """What came of a launch in an earlier run, once for each time it was made."""
        known = self._known.get(row.tobytes())
        return known.popleft() if known else None

    def add(self, rows: FloatArray, ends: FloatArray) -> None:
        """Keep what came of launches."""
        self._new.append((rows, ends))
        if time.monotonic() - self._written > PATIENCE:
            self.write()

    def write(self) -> None:
        """Write what is new behind what is there."""
        if self._path is not None and self._new:
            _append(self._path, self._target, self._new)
        self._new = []
        self._written = time.monotonic()


def _append(path: Path, target: str, new: Sequence[tuple[FloatArray, FloatArray]]) -> None:
    from odevsr.world.trajectories.hdf5_file import (
        READING_ERRORS,
        changed_hdf5,
        put_behind,
        write_hdf5,
    )

    columns = {name: np.concatenate(each) for name, each in zip(_NAMES, zip(*new, strict=True),
                                                               strict=True)}  # fmt: skip
    try:
        if not path.exists():
            write_hdf5(path, lambda file: _fill(file, target, columns))
            return
        with changed_hdf5(path) as file:
            if file is None:
                raise ValueError("others have changed it")
            for name, rows in columns.items():
                put_behind(file[name], rows)
    except READING_ERRORS as error:
        raise RunError(f"{path} cannot be written ({error}); see to its folder") from None


_NAMES = ("asked", "ends")


def _fill(file: h5py.File, target: str, columns: dict[str, FloatArray]) -> None:
    file.attrs.update({"format": FORMAT, "format_version": FORMAT_VERSION, "target": target})
    for name, rows in columns.items():
        width = rows.shape[1]
        file.create_dataset(
            name, data=rows, maxshape=(None, width), chunks=(PIECE, width), fletcher32=True
        )


def _read(path: Path, target: str) -> tuple[FloatArray, FloatArray]:
    from odevsr.world.trajectories.hdf5_file import READING_ERRORS, opened_hdf5, plain_array

    try:
        with opened_hdf5(path) as file:
            if str(file.attrs["format"]) != FORMAT or file.attrs["format_version"] > FORMAT_VERSION:
                raise ValueError("it is of another format")
            if str(file.attrs["target"]) != target:
                raise RunError(f"{path} holds launches of another target; choose another folder")
            asked, ends = (plain_array(file, name, "<f8", 2) for name in _NAMES)
            if len(asked) != len(ends):
                raise ValueError("its arrays differ in length")
            return asked, ends
    except READING_ERRORS as error:
        raise RunError(
            f"{path} is damaged or no HDF5 file ({error}); remove it to launch again"
        ) from None
