"""HDF5 files as we write and read them: whole, sealed, and of plain arrays alone.

A seal is the SHA-256 of all bytes before it, at the end of the file, where HDF5 does not look. It
is checked before HDF5 sees any of them: on damaged bytes HDF5 itself may err, hang or crash. A file
without a seal (of an earlier version, or changed by others) is first read by another process: if it
hangs or crashes, the file is refused.

What is asked of a file stands in the file itself, as an array no larger than its bytes can hold:
links elsewhere, virtual arrays and filters that would load code are refused.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from odevsr.world.atomic import written_aside

READING_ERRORS = (
    OSError, LookupError, ValueError, TypeError, AttributeError, RuntimeError, OverflowError,
    MemoryError,
)  # fmt: skip
"""What reading a file that is damaged, or made to harm, may raise."""
LARGEST_COMPRESSION = 2000
"""No array is this many times larger than its file: gzip reaches about 1000."""
TRIAL_SECONDS, TRIAL_SPEED = 20.0, 1e7
"""How long another process may try to read a file, and for how many bytes a second longer."""
_SEAL = b"\nodevsr sha256 "
_SEAL_LENGTH = len(_SEAL) + 64
_BLOCK = 1 << 20
_FILTERS = {h5py.h5z.FILTER_DEFLATE, h5py.h5z.FILTER_SHUFFLE, h5py.h5z.FILTER_FLETCHER32}


def write_hdf5(path: Path, fill: Callable[[h5py.File], None]) -> None:
    """Write what `fill` puts into a file, whole or not at all; an OSError says why not.

    HDF5 writes to memory: it does not take a full disk well. There, too, each file has a name,
    which another thread may not have taken.
    """
    # Of the file formats HDF5 knows, this one has checksums on its own bookkeeping as well.
    with h5py.File(
        f"{path.name} {secrets.token_hex(8)}", "w", driver="core", backing_store=False,
        libver=("v110", "v110"), track_order=True,
    ) as file:  # fmt: skip
        fill(file)
        file.flush()
        image: bytes = file.id.get_file_image()
    with written_aside(path) as aside, aside.open("wb") as target:
        target.write(image)
        target.write(seal_of(image))


@contextmanager
def opened_hdf5(path: Path) -> Iterator[h5py.File]:
    """A file to read; an OSError if it is no HDF5 file, or not as it was written."""
    if not _is_sealed(path) and h5py.is_hdf5(path):
        _try_elsewhere(path)
    with h5py.File(path, "r") as file:
        yield file


def _is_sealed(path: Path) -> bool:
    """True if the file has a seal, False if not; an OSError if its bytes are not those sealed."""
    size = path.stat().st_size - _SEAL_LENGTH
    if size < 0:
        return False
    with path.open("rb") as file:
        file.seek(size)
        seal = file.read()
        if not seal.startswith(_SEAL):
            return False
        file.seek(0)
        digest = hashlib.sha256()
        while size > 0 and (block := file.read(min(_BLOCK, size))):
            digest.update(block)
            size -= len(block)
    if seal != _SEAL + digest.hexdigest().encode():
        raise OSError("its bytes are not those that were written")
    return True


def seal_of(content: bytes) -> bytes:
    """What stands behind the content of a file that is as it was written."""
    return _SEAL + hashlib.sha256(content).hexdigest().encode()


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
    if not isinstance(file.get(name, getlink=True), h5py.HardLink):
        raise ValueError(f"{name} is missing, or a link elsewhere")
    dataset = file[name]
    if not isinstance(dataset, h5py.Dataset):
        raise ValueError(f"{name} is no array")
    if dataset.dtype != np.dtype(dtype) or dataset.ndim != dimensions or dataset.shape is None:
        raise ValueError(f"{name} has another type or shape than the format says")
    if dataset.is_virtual or dataset.external is not None:
        raise ValueError(f"{name} stands in other files")
    _check_storage(dataset, Path(file.filename).stat().st_size)
    array: NDArray[Any] = dataset[()]
    return array


def _check_storage(dataset: h5py.Dataset, file_size: int) -> None:
    """Refuse more than the file can hold, and filters that are not HDF5's own."""
    piece = int(np.prod(dataset.chunks or (1,), dtype=np.float64)) * dataset.dtype.itemsize
    if max(dataset.nbytes, piece) > LARGEST_COMPRESSION * file_size:
        raise ValueError(f"{dataset.name} claims to be larger than the file can hold")
    made = dataset.id.get_create_plist()
    if not {made.get_filter(index)[0] for index in range(made.get_nfilters())} <= _FILTERS:
        raise ValueError(f"{dataset.name} is packed by a filter that is not used here")
