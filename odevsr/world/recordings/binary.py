"""Recordings in npz and parquet."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from odevsr.errors import DataFileError
from odevsr.extras import optional_module
from odevsr.world.recordings.columns import Column, batches_source, columns_source
from odevsr.world.recordings.pieces import Source
from odevsr.world.recordings.roles import roles_of

MOST_BYTES = 1 << 30
"""Of all arrays together: what packs small may be large."""
_BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, KeyError, RuntimeError)
"""What a packed file that is not whole raises."""

Saying = Callable[[], AbstractContextManager[None]]
"""Within what it gives, errors become sentences."""


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
    said = partial(_said, path, (arrow.ArrowException, OSError))
    with said():
        file = parquet.ParquetFile(path)
    roles = roles_of(file.schema_arrow.names, inputs, str(path))
    return batches_source(roles, _batches(file, said))


def _batches(file: Any, said: Saying) -> Iterator[list[Column]]:  # noqa: ANN401
    with said():
        for batch in file.iter_batches():
            columns = map(np.asarray, batch.columns)
            yield list(zip(batch.schema.names, columns, strict=True))


@contextmanager
def _said(path: Path, broken: tuple[type[Exception], ...]) -> Iterator[None]:
    """What pyarrow says of a file that is not whole, as a sentence for people."""
    try:
        yield
    except broken as error:
        cause = " ".join(str(error).split())
        raise DataFileError(
            f"{path} is not a whole parquet file ({cause}); write it again"
        ) from None
