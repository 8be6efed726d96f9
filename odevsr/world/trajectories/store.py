"""Trajectory files: HDF5, readable by xarray (h5netcdf), changed as a whole or not at all.

What stands in them is written in `layout`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np

from odevsr.errors import DataFileError, OdevsrError, UsageError
from odevsr.world.trajectories.hdf5_file import (
    READING_ERRORS,
    changed_hdf5,
    opened_hdf5,
    plain_array,
    plain_dataset,
    put_behind,
    write_hdf5,
)
from odevsr.world.trajectories.layout import (
    DIGESTS,
    FORMAT,
    FORMAT_VERSION,
    LAYOUT,
    LISTED,
    NUMBERS,
    STATUSES,
    TEXTS,
    Arrays,
    Attributes,
    arrays_of,
    attributes_of,
    digest_of_all,
    digests_of,
    first_digest,
    recording_of,
)
from odevsr.world.trajectories.recording import Recording, refuse_mixture
from odevsr.world.trajectories.trajectory import Ending, Tolerances

PIECE = 1 << 14
"""Bytes in one piece of an array, in which it is compressed and grows."""

_FILTERS = {"compression": "gzip", "shuffle": True, "fletcher32": True}


def save_trajectories(path: str | Path, recording: Recording, *, append: bool = False) -> None:
    """Write a recording to a new file, or with `append` after what a file holds already.

    A file that exists is never overwritten otherwise. Appending takes no longer the more there is;
    a file of version 1, or one that others have changed, is written anew for it, once.
    """
    path = Path(path)
    if _is_taken(path, append=append):
        if _is_appended(path, recording):
            return
        recording = load_trajectories(path).followed_by(recording)
    with _writing(path):
        write_hdf5(path, lambda file: _fill(file, recording))


def check_destination(path: Path, *, append: bool = False) -> None:
    """Refuse what `save_trajectories` would refuse, before any trajectory is computed."""
    if _is_taken(path, append=append):
        with _opened(path) as file:
            _read_attributes(file)


def _is_appended(path: Path, recording: Recording) -> bool:
    """Append to a file where it stands; False if it has to be written anew."""
    if not path.is_file():
        raise DataFileError(f"{path} is no file; choose another name")
    with _told(path), _writing(path), changed_hdf5(path) as file:
        if file is None:
            return False
        _check_format(path, file)
        if int(file.attrs["format_version"]) == 1:
            return False
        _append(file, recording)
    return True


def _append(file: h5py.File, recording: Recording) -> None:
    """Write a recording behind what a file holds."""
    found = _read_attributes(file)
    relative, absolute = (float(found[name]) for name in NUMBERS[1:])
    refuse_mixture(
        (str(found["system"]), str(found["system_digest"])),
        (str(found["solver"]), Tolerances(relative, absolute)),
        recording,
    )
    last = plain_dataset(file, "digest", DIGESTS.dtype, 1)[-1:].tolist()
    _extend(file, recording, last[0])
    if found["odevsr_version"] != recording.version:
        file.attrs["odevsr_version"] = recording.version


def _is_taken(path: Path, *, append: bool) -> bool:
    """Whether there is a file to append to; one that is in the way is refused."""
    if not path.parent.is_dir():
        raise DataFileError(f"{path}: there is no folder {path.parent}; make it first")
    taken = path.exists() or path.is_symlink()
    if taken and not append:
        raise DataFileError(f"{path} exists and is not overwritten; choose another name or append")
    return taken


def load_trajectories(path: str | Path) -> Recording:
    """The recording in a file; one that is foreign, damaged or too new is refused."""
    with _opened(Path(path)) as file:
        return recording_of(*_read(file), str(path))


@contextmanager
def _opened(path: Path) -> Iterator[h5py.File]:
    """A trajectory file to read."""
    if not path.is_file():
        raise DataFileError(f"{path}: there is no such file; check the path")
    with _told(path), opened_hdf5(path) as file:
        _check_format(path, file)
        yield file


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """What the system says of a file that cannot be written becomes a sentence about it."""
    try:
        yield
    except OSError as error:
        if error.errno is None:  # no word of the system's
            raise
        raise DataFileError(f"{path} cannot be written ({error})") from None


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Whatever goes wrong with a file becomes a sentence about it."""
    try:
        yield
    except (DataFileError, UsageError):
        raise
    except (*READING_ERRORS, OdevsrError) as error:
        raise DataFileError(
            f"{path} is damaged, cut short or no HDF5 file ({error}); restore it from a copy, or "
            "make it again"
        ) from None


@dataclass(frozen=True)
class Listed:
    """One trajectory of a file: how many samples it has, how far it goes, how it ended."""

    samples: int
    end_time: float
    status: Ending
    seed: int


def list_trajectories(path: str | Path) -> tuple[Listed, ...]:
    """What trajectories a file holds; their samples are not read, nor the digest over them."""
    with _opened(Path(path)) as file:
        columns = [plain_array(file, name, LAYOUT[name].dtype, 1).tolist() for name in LISTED]
        return tuple(
            Listed(samples, end_time, STATUSES[code], seed)
            for samples, end_time, code, seed in zip(*columns, strict=True)
        )


def _fill(file: h5py.File, recording: Recording) -> None:
    """Make the attributes and arrays of a new file, and write a recording to it."""
    attributes, names = attributes_of(recording), recording.system.names
    file.attrs.update(attributes)
    file.attrs["Conventions"] = "CF-1.11"
    scales = {
        "trajectory": _growing(file, "trajectory", "<i8"),
        "sample": _growing(file, "sample", "<i8"),
        "component": file.create_dataset("component", data=list(names)),
        "command": _growing(file, "command", "u1"),
    }
    for name, scale in scales.items():
        scale.make_scale(name)
    for name, layout in (*LAYOUT.items(), ("digest", DIGESTS)):
        dataset = _growing(file, name, layout.dtype, len(names) * (len(layout.dimensions) - 1))
        dataset.attrs.update(layout.notes)
        for axis, dimension in enumerate(layout.dimensions):
            dataset.dims[axis].attach_scale(scales[dimension])
    flags = file["status"].attrs
    flags["flag_values"] = np.arange(len(STATUSES), dtype=np.uint8)
    flags["flag_meanings"] = " ".join(status.value for status in STATUSES)
    _extend(file, recording, first_digest(attributes))


def _growing(file: h5py.File, name: str, dtype: str, width: int = 0) -> h5py.Dataset:
    """An array without rows yet; each row has so many values, or is one."""
    row = (width,) if width else ()
    chunks = (max(1, PIECE // (np.dtype(dtype).itemsize * max(1, width))), *row)
    return file.create_dataset(
        name, (0, *row), dtype, maxshape=(None, *row), chunks=chunks, **_FILTERS
    )


def _extend(file: h5py.File, recording: Recording, before: bytes) -> None:
    """Write a recording behind what is there, whose last digest is `before`."""
    arrays = arrays_of(recording)
    letters = "".join(f"{each}\n" for each in recording.commands).encode()
    more: Arrays = {
        **arrays,
        "digest": np.array(digests_of(before, arrays)),
        "command": np.frombuffer(letters, np.uint8),
        "trajectory": len(file["trajectory"]) + np.arange(len(arrays["row_size"])),
        "sample": len(file["sample"]) + np.arange(len(arrays["time"])),
    }
    for name, rows in more.items():
        put_behind(file[name], rows)


def _read_attributes(file: h5py.File) -> Attributes:
    attributes: Attributes = {name: str(file.attrs[name]) for name in TEXTS}
    return attributes | {name: file.attrs[name].item() for name in NUMBERS}


def _read(file: h5py.File) -> tuple[Attributes, Arrays, str]:
    """Attributes, arrays and commands of a file, once they agree with its digests."""
    attributes = _read_attributes(file)
    arrays = {
        name: plain_array(file, name, layout.dtype, len(layout.dimensions))
        for name, layout in LAYOUT.items()
    }
    if attributes["format_version"] == 1:
        attributes["command"] = str(file.attrs["command"])
        agrees = file.attrs["content_digest"] == digest_of_all(attributes, arrays)
    else:
        digests = plain_array(file, "digest", DIGESTS.dtype, 1).tolist()
        agrees = digests == digests_of(first_digest(attributes), arrays)
    if not agrees:
        raise ValueError("its content does not agree with its digest")
    if "command" in attributes:
        return attributes, arrays, str(attributes["command"])
    return attributes, arrays, plain_array(file, "command", "u1", 1).tobytes().decode()[:-1]


def _check_format(path: Path, file: h5py.File) -> None:
    if str(file.attrs.get("format")) != FORMAT:
        raise DataFileError(
            f"{path} is HDF5, but not a whole trajectory file of odevsr; choose another"
        )
    version = int(file.attrs["format_version"])
    if version > FORMAT_VERSION:
        raise DataFileError(
            f"{path} has format version {version}, and this odevsr reads up to {FORMAT_VERSION}; "
            "update odevsr"
        )
