"""Recordings in npz and parquet."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from odevsr.errors import DataFileError
from odevsr.extras import optional_module
from odevsr.world.recordings.columns import columns_source, piece_of
from odevsr.world.recordings.pieces import Piece, Source
from odevsr.world.recordings.roles import Roles, roles_of

MOST_BYTES = 1 << 30
"""Of all arrays together: what packs small may be large."""
_BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, KeyError, RuntimeError)
"""What a packed file that is not whole raises."""


def npz_source(path: Path, inputs: Sequence[str]) -> Source:
    """The recording in arrays as `numpy.savez` writes them, by name; nothing in them is run."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            _check_size(arrays.zip, path)
            columns = dict(arrays)
    except (*_BROKEN, OSError, ValueError, TypeError, MemoryError) as error:
        raise DataFileError(
            f"{path} is not a whole npz file of numbers ({error}); save it again with numpy.savez"
        ) from None
    return columns_source(columns, inputs, str(path))


def _check_size(packed: zipfile.ZipFile, path: Path) -> None:
    if sum(each.file_size for each in packed.infolist()) > MOST_BYTES:
        raise DataFileError(
            f"{path}: its arrays have more than {MOST_BYTES:,} bytes; save it as CSV or parquet, "
            "which are read in pieces"
        )


def parquet_source(path: Path, inputs: Sequence[str]) -> Source:
    """The recording in a parquet file, read in pieces."""
    arrow = optional_module("pyarrow", extra="parquet")
    parquet = optional_module("pyarrow.parquet", extra="parquet")
    try:
        file = parquet.ParquetFile(path)
    except (arrow.ArrowException, OSError) as error:
        raise DataFileError(
            f"{path} is not a whole parquet file ({error}); write it again"
        ) from None
    headings = file.schema_arrow.names
    roles = roles_of(headings, inputs, str(path))
    return Source(roles, _batches(file, roles))


def _batches(file: Any, roles: Roles) -> Iterator[Piece]:  # noqa: ANN401
    before = 0
    for batch in file.iter_batches():
        columns = {
            name: np.asarray(each)
            for name, each in zip(batch.schema.names, batch.columns, strict=True)
        }
        yield piece_of(columns, roles, before)
        before += len(batch)
