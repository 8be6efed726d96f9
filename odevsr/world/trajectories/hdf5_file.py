"""HDF5 files as we write and read them: whole, sealed, and of plain arrays alone.

Their bytes are checked before HDF5 sees any of them (see `sealed_file`): on damaged bytes HDF5
itself may err, hang or crash. A file without a seal (changed by others) is first read by another
process: if it hangs or crashes, the file is refused. Files of earlier versions end with one SHA-256
of all bytes before it.

What is asked of a file stands in the file itself, as an array no larger than its bytes can hold:
links elsewhere, virtual arrays and filters that would load code are refused.
"""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from odevsr.errors import TornFileWarning
from odevsr.world.atomic import written_aside
from odevsr.world.trajectories.sealed_file import opened_sealed, seal_of

READING_ERRORS = (
    OSError, LookupError, ValueError, TypeError, AttributeError, RuntimeError, OverflowError,
    MemoryError,
)  # fmt: skip
"""What reading a file that is damaged, or made to harm, may raise."""
LARGEST_COMPRESSION = 2000
"""No array is this many times larger than its file: gzip reaches about 1000."""
TRIAL_SECONDS, TRIAL_SPEED = 20.0, 1e7
"""How long another process may try to read a file, and for how many bytes a second longer."""
_WHOLE = b"\nodevsr sha256 "
_WHOLE_LENGTH = len(_WHOLE) + 64
_PIECE = 1 << 20
_FILTERS = {h5py.h5z.FILTER_DEFLATE, h5py.h5z.FILTER_SHUFFLE, h5py.h5z.FILTER_FLETCHER32}
_TORN = "an append that was cut short is left out, all before it is there; append it again"
_FORMAT = ("v110", "v110")
"""Of the formats of HDF5, one with checksums on its own bookkeeping as well."""
_REUSED = {"fs_strategy": "fsm", "fs_persist": True, "fs_threshold": 1}
"""Room that a compressed piece leaves when it grows is used again by the next append."""


def write_hdf5(path: Path, fill: Callable[[h5py.File], None]) -> None:
    """Write what `fill` puts into a file, whole or not at all; an OSError says why not.

    HDF5 writes to memory: it does not take a full disk well.
    """
    image = io.BytesIO()
    with h5py.File(image, "w", libver=_FORMAT, track_order=True, **_REUSED) as file:
        fill(file)
    with written_aside(path) as aside, aside.open("wb") as target:
        target.write(image.getbuffer())
        target.write(seal_of(image.getvalue()))


@contextmanager
def opened_hdf5(path: Path) -> Iterator[h5py.File]:
    """A file to read; an OSError if it is no HDF5 file, or not as it was written."""
    with opened_sealed(path, _length) as content:
        if content is not None:
            if content.is_torn:
                warnings.warn(f"{path}: {_TORN}", TornFileWarning, stacklevel=2)
            with h5py.File(content, "r") as file:
                yield file
            return
        if not _is_sealed_as_a_whole(path) and h5py.is_hdf5(path):
            _try_elsewhere(path)
        with h5py.File(path, "r") as file:
            yield file


@contextmanager
def changed_hdf5(path: Path) -> Iterator[h5py.File | None]:
    """A file to change where it stands, all at once; None if it has to be written anew for that.

    What is written to it costs what it takes to write that, however long the file is.
    """
    with opened_sealed(path, _length, to_change=True) as content:
        if content is None:
            yield None
            return
        with h5py.File(content, "r+", libver=_FORMAT) as file:
            yield file


def _length(head: bytes) -> int:
    """How many bytes an HDF5 file of ours says it has."""
    return int.from_bytes(head[28:36], "little") if head.startswith(b"\x89HDF") else 0


def _is_sealed_as_a_whole(path: Path) -> bool:
    """True if the file has a seal of an earlier version; an OSError if that is broken."""
    size = path.stat().st_size - _WHOLE_LENGTH
    if size < 0:
        return False
    with path.open("rb") as file:
        file.seek(size)
        seal = file.read()
        if not seal.startswith(_WHOLE):
            return False
        file.seek(0)
        digest = hashlib.sha256()
        while size > 0 and (piece := file.read(min(_PIECE, size))):
            digest.update(piece)
            size -= len(piece)
    if seal != _WHOLE + digest.hexdigest().encode():
        raise OSError("its bytes are not those that were written")
    return True


def _try_elsewhere(path: Path) -> None:
    """Have another process read the file; an OSError if that ends it, or takes too long."""
    command = [sys.executable, "-P", "-m", "odevsr.world.trajectories.hdf5_trial", str(path)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    seconds = TRIAL_SECONDS + path.stat().st_size / TRIAL_SPEED
    try:
        ended = subprocess.run(command, env=environment, capture_output=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise OSError(f"HDF5 does not come to an end with it in {seconds:.0f} seconds") from None
    if ended.returncode < 0:
        raise OSError("HDF5 crashes on it")


def plain_array(file: h5py.File, name: str, dtype: str, dimensions: int) -> NDArray[Any]:
    """An array of the file, of a type and a number of dimensions; a ValueError if it is not."""
    array: NDArray[Any] = plain_dataset(file, name, dtype, dimensions)[()]
    return array


def plain_dataset(file: h5py.File, name: str, dtype: str, dimensions: int) -> h5py.Dataset:
    """The same before it is read."""
    if not isinstance(file.get(name, getlink=True), h5py.HardLink):
        raise ValueError(f"{name} is missing, or a link elsewhere")
    dataset = file[name]
    if not isinstance(dataset, h5py.Dataset):
        raise ValueError(f"{name} is no array")
    if dataset.dtype != np.dtype(dtype) or dataset.ndim != dimensions or dataset.shape is None:
        raise ValueError(f"{name} has another type or shape than the format says")
    if dataset.is_virtual or dataset.external is not None:
        raise ValueError(f"{name} stands in other files")
    _check_storage(dataset, file.id.get_filesize())
    return dataset


def put_behind(dataset: h5py.Dataset, rows: NDArray[Any]) -> None:
    """Write rows behind those that an array has, which grows."""
    before = len(dataset)
    dataset.resize(before + len(rows), axis=0)
    dataset[before:] = rows


def _check_storage(dataset: h5py.Dataset, file_size: int) -> None:
    """Refuse more than the file can hold, and filters that are not HDF5's own."""
    piece = int(np.prod(dataset.chunks or (1,), dtype=np.float64)) * dataset.dtype.itemsize
    if max(dataset.nbytes, piece) > LARGEST_COMPRESSION * file_size:
        raise ValueError(f"{dataset.name} claims to be larger than the file can hold")
    made = dataset.id.get_create_plist()
    if not {made.get_filter(index)[0] for index in range(made.get_nfilters())} <= _FILTERS:
        raise ValueError(f"{dataset.name} is packed by a filter that is not used here")
