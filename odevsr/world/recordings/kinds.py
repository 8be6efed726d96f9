"""Which files are recordings, by how their names end."""

from __future__ import annotations

from pathlib import Path
from typing import TypeGuard

TEXT = (".csv", ".tsv", ".txt", ".dat", ".asc")
PACKED = ".gz"
"""What may follow these: the text packed by gzip."""
ARRAYS = (".npz",)
PARQUET = (".parquet",)
TRAJECTORIES = (".h5", ".hdf5", ".nc")
UNREADABLE = (".npy", ".mat", ".xlsx", ".xls", ".ods", ".json", ".pkl", ".feather", ".zip")
"""Recordings that cannot be read, for want of names or of a reader."""


def is_recording(target: object) -> TypeGuard[str | Path]:
    """True for the path of a file that holds what was measured.

    >>> is_recording("runs.csv.gz"), is_recording("lorenz"), is_recording("lorenz.toml")
    (True, False, False)
    """
    if not isinstance(target, str | Path):
        return False
    kinds = (*TEXT, *ARRAYS, *PARQUET, *TRAJECTORIES, *UNREADABLE)
    return unpacked(Path(target)).suffix.lower() in kinds


def unpacked(path: Path) -> Path:
    """What a file would be called if it were not packed."""
    return path.with_suffix("") if path.suffix.lower() == PACKED else path
