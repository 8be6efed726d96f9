"""Trajectory files: HDF5, readable by xarray (h5netcdf), changed as a whole or not at all.

Format "odevsr-trajectories", version 2. Trajectories differ in length, so their samples stand one
after the other (the contiguous ragged array of the CF conventions) and `row_size` says how many
belong to each; nothing is padded. Arrays grow: what is appended is written behind what is there.

Dimensions (HDF5 dimension scales): `trajectory`, `sample` and `component`, the last one holding
the names of the state variables.

    time         (sample)             float64   from 0 in each trajectory, even steps
    states       (sample, component)  float64
    derivatives  (sample, component)  float64   finite differences of the states, order 6
    row_size     (trajectory)         int64     samples of each trajectory
    end_time     (trajectory)         float64   how far it was simulated
    status       (trajectory)         uint8     why it ended: CF flag_values and flag_meanings
    seed         (trajectory)         int64     of the random starts it was drawn among
    digest       (trajectory)         64 bytes  SHA-256 of the digest before and of the trajectory
    command      (command)            uint8     one line for each writing; run in order they make
                                                the file

Attributes: `format`, `format_version`, `system` (its name), `system_file` (the file's text with the
parameters used), `system_digest` (SHA-256), `parameters` (JSON, name to exact number as text),
`odevsr_version`, `solver`, `relative_tolerance`, `absolute_tolerance` (of the width of each range).
The digest before the first trajectory is that of all of these but `odevsr_version`. Arrays are
compressed (gzip, shuffle) and carry Fletcher-32 checksums; the file is sealed (see `hdf5_file`), so
that no damage goes unnoticed.

Version 1 had the commands and one digest of everything among its attributes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from odevsr.errors import DataFileError, OdevsrError, UsageError
from odevsr.language.number import number_text
from odevsr.world.systems.file import parse_system
from odevsr.world.trajectories.hdf5_file import (
    READING_ERRORS,
    changed_hdf5,
    opened_hdf5,
    plain_array,
    plain_dataset,
    put_behind,
    write_hdf5,
)
from odevsr.world.trajectories.recording import Recording, refuse_mixture
from odevsr.world.trajectories.trajectory import Ending, Tolerances, Trajectory

FORMAT = "odevsr-trajectories"
FORMAT_VERSION = 2
PIECE = 1 << 14
"""Bytes in one piece of an array, in which it is compressed and grows."""

Attributes = dict[str, str | int | float]
Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class _Layout:
    """One array of the file: its dimensions, its type, and the notes that stand beside it."""

    dimensions: tuple[str, ...]
    dtype: str
    notes: Mapping[str, str]


_LAYOUT = {
    "time": _Layout(("sample",), "<f8", {"long_name": "time since the trajectory's start"}),
    "states": _Layout(
        ("sample", "component"), "<f8", {"long_name": "state", "coordinates": "time"}
    ),
    "derivatives": _Layout(
        ("sample", "component"),
        "<f8",
        {"long_name": "finite differences of the states", "coordinates": "time"},
    ),
    "row_size": _Layout(
        ("trajectory",),
        "<i8",
        {"long_name": "samples of each trajectory", "sample_dimension": "sample"},
    ),
    "end_time": _Layout(("trajectory",), "<f8", {"long_name": "how far it was simulated"}),
    "status": _Layout(("trajectory",), "u1", {"long_name": "why the trajectory ended"}),
    "seed": _Layout(("trajectory",), "<i8", {"long_name": "seed of the random starts"}),
}
_DIGESTS = _Layout(("trajectory",), "S64", {"long_name": "SHA-256 up to here"})
_SAMPLED = [name for name, layout in _LAYOUT.items() if "sample" in layout.dimensions]
_LISTED = [name for name in _LAYOUT if name not in _SAMPLED]
# A status's place is its code in the file: add new ones at the end.
_STATUSES = (
    Ending.COMPLETE,
    Ending.BLEW_UP,
    Ending.LEFT_DOMAIN,
    Ending.LEFT_BOX,
    Ending.STALLED,
    Ending.GIVEN_UP,
    Ending.DEPARTED,
)
_TEXTS = (
    "format",
    "system",
    "system_file",
    "system_digest",
    "parameters",
    "odevsr_version",
    "solver",
)
_NUMBERS = ("format_version", "relative_tolerance", "absolute_tolerance")
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
    relative, absolute = (float(found[name]) for name in _NUMBERS[1:])
    refuse_mixture(
        (str(found["system"]), str(found["system_digest"])),
        (str(found["solver"]), Tolerances(relative, absolute)),
        recording,
    )
    last = plain_dataset(file, "digest", _DIGESTS.dtype, 1)[-1:].tolist()
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
        return _recording(*_read(file), str(path))


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
        columns = [plain_array(file, name, _LAYOUT[name].dtype, 1).tolist() for name in _LISTED]
        return tuple(
            Listed(samples, end_time, _STATUSES[code], seed)
            for samples, end_time, code, seed in zip(*columns, strict=True)
        )


def _attributes(recording: Recording) -> Attributes:
    system = recording.system
    exact = {name: number_text(value) for name, value in system.parameters.items()}
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "system": system.name,
        "system_file": system.text,
        "system_digest": system.digest,
        "parameters": json.dumps(exact),
        "odevsr_version": recording.version,
        "solver": recording.solver,
        "relative_tolerance": recording.tolerances.relative,
        "absolute_tolerance": recording.tolerances.absolute,
    }


def _arrays(recording: Recording) -> Arrays:
    runs = recording.trajectories
    arrays: Arrays = {
        "time": np.concatenate([run.time for run in runs]),
        "states": np.concatenate([run.states for run in runs]),
        "derivatives": np.concatenate([run.derivatives for run in runs]),
        "row_size": np.array([len(run.time) for run in runs]),
        "end_time": np.array([run.end_time for run in runs]),
        "status": np.array([_STATUSES.index(run.status) for run in runs]),
        "seed": np.array(recording.seeds),
    }
    return {name: np.asarray(arrays[name], layout.dtype) for name, layout in _LAYOUT.items()}


def _recording(attributes: Attributes, arrays: Arrays, commands: str, where: str) -> Recording:
    ends = np.cumsum(arrays["row_size"])[:-1]
    runs = zip(
        np.split(arrays["time"], ends),
        np.split(arrays["states"], ends),
        np.split(arrays["derivatives"], ends),
        [_STATUSES[code] for code in arrays["status"]],
        arrays["end_time"].tolist(),
        strict=True,
    )
    return Recording(
        system=parse_system(str(attributes["system_file"]), where),
        trajectories=tuple(Trajectory(*run) for run in runs),
        seeds=tuple(arrays["seed"].tolist()),
        commands=tuple(commands.split("\n")),
        solver=str(attributes["solver"]),
        tolerances=Tolerances(
            float(attributes["relative_tolerance"]), float(attributes["absolute_tolerance"])
        ),
        version=str(attributes["odevsr_version"]),
    )


def _digests(before: bytes, arrays: Arrays) -> list[bytes]:
    """For each trajectory the SHA-256 (hexadecimal) of the digest before it and all its values."""
    listed = np.rec.fromarrays([arrays[name] for name in _LISTED]).tobytes()
    width = len(listed) // len(arrays["row_size"])
    samples = [np.ascontiguousarray(arrays[name]) for name in _SAMPLED]
    ends = np.cumsum(arrays["row_size"]).tolist()
    digests = []
    for number, (first, last) in enumerate(pairwise([0, *ends])):
        digest = hashlib.sha256(before + listed[number * width :][:width])
        for each in samples:
            digest.update(each[first:last].data)
        before = digest.hexdigest().encode()
        digests.append(before)
    return digests


def _head(attributes: Attributes) -> bytes:
    """The digest before the first trajectory: of the attributes that stay, as sorted JSON."""
    staying = {name: value for name, value in attributes.items() if name != "odevsr_version"}
    return hashlib.sha256(json.dumps(staying, sort_keys=True).encode()).hexdigest().encode()


def _fill(file: h5py.File, recording: Recording) -> None:
    """Make the attributes and arrays of a new file, and write a recording to it."""
    attributes, names = _attributes(recording), recording.system.names
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
    for name, layout in (*_LAYOUT.items(), ("digest", _DIGESTS)):
        dataset = _growing(file, name, layout.dtype, len(names) * (len(layout.dimensions) - 1))
        dataset.attrs.update(layout.notes)
        for axis, dimension in enumerate(layout.dimensions):
            dataset.dims[axis].attach_scale(scales[dimension])
    flags = file["status"].attrs
    flags["flag_values"] = np.arange(len(_STATUSES), dtype=np.uint8)
    flags["flag_meanings"] = " ".join(status.value for status in _STATUSES)
    _extend(file, recording, _head(attributes))


def _growing(file: h5py.File, name: str, dtype: str, width: int = 0) -> h5py.Dataset:
    """An array without rows yet; each row has so many values, or is one."""
    row = (width,) if width else ()
    chunks = (max(1, PIECE // (np.dtype(dtype).itemsize * max(1, width))), *row)
    return file.create_dataset(
        name, (0, *row), dtype, maxshape=(None, *row), chunks=chunks, **_FILTERS
    )


def _extend(file: h5py.File, recording: Recording, before: bytes) -> None:
    """Write a recording behind what is there, whose last digest is `before`."""
    arrays = _arrays(recording)
    letters = "".join(f"{each}\n" for each in recording.commands).encode()
    more: Arrays = {
        **arrays,
        "digest": np.array(_digests(before, arrays)),
        "command": np.frombuffer(letters, np.uint8),
        "trajectory": len(file["trajectory"]) + np.arange(len(arrays["row_size"])),
        "sample": len(file["sample"]) + np.arange(len(arrays["time"])),
    }
    for name, rows in more.items():
        put_behind(file[name], rows)


def _read_attributes(file: h5py.File) -> Attributes:
    attributes: Attributes = {name: str(file.attrs[name]) for name in _TEXTS}
    return attributes | {name: file.attrs[name].item() for name in _NUMBERS}


def _read(file: h5py.File) -> tuple[Attributes, Arrays, str]:
    """Attributes, arrays and commands of a file, once they agree with its digests."""
    attributes = _read_attributes(file)
    arrays = {
        name: plain_array(file, name, layout.dtype, len(layout.dimensions))
        for name, layout in _LAYOUT.items()
    }
    if attributes["format_version"] == 1:
        attributes["command"] = str(file.attrs["command"])
        agrees = file.attrs["content_digest"] == _digest_of_all(attributes, arrays)
    else:
        digests = plain_array(file, "digest", _DIGESTS.dtype, 1).tolist()
        agrees = digests == _digests(_head(attributes), arrays)
    if not agrees:
        raise ValueError("its content does not agree with its digest")
    if "command" in attributes:
        return attributes, arrays, str(attributes["command"])
    return attributes, arrays, plain_array(file, "command", "u1", 1).tobytes().decode()[:-1]


def _digest_of_all(attributes: Attributes, arrays: Arrays) -> str:
    """That of version 1: of the attributes as sorted JSON, then of each array in order of name."""
    result = hashlib.sha256(json.dumps(attributes, sort_keys=True).encode())
    for name, array in sorted(arrays.items()):
        result.update(f"{name}{array.shape}".encode())
        result.update(np.ascontiguousarray(array).tobytes())
    return result.hexdigest()


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
