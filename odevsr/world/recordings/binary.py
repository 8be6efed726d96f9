"""Recordings in npz and parquet."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from odevsr.errors import DataFileError
from odevsr.extras import optional_module
from odevsr.world.recordings.columns import columns_source, piece_of
from odevsr.world.recordings.pieces import Piece, Source
from odevsr.world.recordings.roles import roles_of


def npz_source(path: Path, inputs: Sequence[str]) -> Source:
    """The recording in arrays as `numpy.savez` writes them, by name; nothing in them is run."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            columns = dict(arrays)
    except (OSError, ValueError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise DataFileError(
            f"{path} is not a whole npz file of numbers ({error}); save it again with numpy.savez"
        ) from None
    return columns_source(columns, inputs, str(path))


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
    return Source(roles_of(headings, inputs, str(path)), _batches(file, str(path)))


def _batches(file: Any, place: str) -> Iterator[Piece]:  # noqa: ANN401
    before = 0
    for batch in file.iter_batches():
        columns = {
            name: np.asarray(each)
            for name, each in zip(batch.schema.names, batch.columns, strict=True)
        }
        yield piece_of(columns, place, before)
        before += len(batch)
