"""Trajectory files: HDF5, readable by xarray (h5netcdf), written whole or not at all.

Format "odevsr-trajectories", version 1. Trajectories differ in length, so their samples stand one
after the other (the contiguous ragged array of the CF conventions) and `row_size` says how many
belong to each; nothing is padded.

Dimensions (HDF5 dimension scales): `trajectory`, `sample` and `component`, the last one holding
the names of the state variables.

    time         (sample)             float64   from 0 in each trajectory, even steps
    states       (sample, component)  float64
    derivatives  (sample, component)  float64   finite differences of the states, order 6
    row_size     (trajectory)         int64     samples of each trajectory
    end_time     (trajectory)         float64   how far it was simulated
    status       (trajectory)         uint8     why it ended: CF flag_values and flag_meanings
    seed         (trajectory)         int64     of the random starts it was drawn among

Attributes: `format`, `format_version`, `system` (its name), `system_file` (the file's text with the
parameters used), `system_digest` (SHA-256), `parameters` (JSON, name to exact number as text),
`command` (one line for each writing; run in order they make the file), `odevsr_version`, `solver`,
`relative_tolerance`, `absolute_tolerance` (of the width of each range), and `content_digest`
(SHA-256 of all the above). Arrays are compressed (gzip, shuffle) and carry Fletcher-32 checksums;
the file is sealed (see `hdf5_file`), so that no damage goes unnoticed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from odevsr.errors import DataFileError, OdevsrError
from odevsr.language.number import number_text
from odevsr.world.systems.file import parse_system
from odevsr.world.trajectories.hdf5_file import READING_ERRORS, opened_hdf5, plain_array, write_hdf5
from odevsr.world.trajectories.recording import Recording
from odevsr.world.trajectories.trajectory import Ending, Tolerances, Trajectory

FORMAT = "odevsr-trajectories"
FORMAT_VERSION = 1

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
    "command",
    "odevsr_version",
    "solver",
)
_NUMBERS = ("format_version", "relative_tolerance", "absolute_tolerance")
_FILTERS = {"compression": "gzip", "shuffle": True, "fletcher32": True}


def save_trajectories(path: str | Path, recording: Recording, *, append: bool = False) -> None:
    """Write a recording to a new file, or with `append` after what a file holds already.

    A file that exists is never overwritten otherwise, and the old one stays until the new is whole.
    """
    path = Path(path)
    if _is_taken(path, append=append):
        recording = load_trajectories(path).followed_by(recording)
    attributes, arrays, names = _attributes(recording), _arrays(recording), recording.system.names
    try:
        write_hdf5(path, lambda file: _fill(file, attributes, arrays, names))
    except OSError as error:
        raise DataFileError(f"{path} cannot be written ({error})") from None


def check_destination(path: Path, *, append: bool = False) -> None:
    """Refuse what `save_trajectories` would refuse, before any trajectory is computed."""
    if _is_taken(path, append=append):
        load_trajectories(path)


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
    """A trajectory file to read; whatever goes wrong becomes a sentence about it."""
    if not path.is_file():
        raise DataFileError(f"{path}: there is no such file; check the path")
    try:
        with opened_hdf5(path) as file:
            _check_format(path, file)
            yield file
    except DataFileError:
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
    path = Path(path)
    with _opened(path) as file:
        columns = [
            plain_array(file, name, _LAYOUT[name].dtype, 1).tolist()
            for name in ("row_size", "end_time", "status", "seed")
        ]
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
        "command": "\n".join(recording.commands),
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


def _recording(attributes: Attributes, arrays: Arrays, where: str) -> Recording:
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
        commands=tuple(str(attributes["command"]).split("\n")),
        solver=str(attributes["solver"]),
        tolerances=Tolerances(
            float(attributes["relative_tolerance"]), float(attributes["absolute_tolerance"])
        ),
        version=str(attributes["odevsr_version"]),
    )


def _digest(attributes: Attributes, arrays: Arrays) -> str:
    """SHA-256 of the attributes as sorted JSON, then of each array's bytes in order of name."""
    result = hashlib.sha256(json.dumps(attributes, sort_keys=True).encode())
    for name, array in sorted(arrays.items()):
        result.update(f"{name}{array.shape}".encode())
        result.update(np.ascontiguousarray(array).tobytes())
    return result.hexdigest()


def _fill(file: h5py.File, attributes: Attributes, arrays: Arrays, names: Sequence[str]) -> None:
    file.attrs.update(attributes)
    file.attrs["Conventions"] = "CF-1.11"
    file.attrs["content_digest"] = _digest(attributes, arrays)
    scales = {
        "trajectory": file.create_dataset(
            "trajectory", data=np.arange(len(arrays["row_size"])), **_FILTERS
        ),
        "sample": file.create_dataset("sample", data=np.arange(len(arrays["time"])), **_FILTERS),
        "component": file.create_dataset("component", data=list(names)),
    }
    for name, scale in scales.items():
        scale.make_scale(name)
    for name, layout in _LAYOUT.items():
        dataset = file.create_dataset(name, data=arrays[name], **_FILTERS)
        dataset.attrs.update(layout.notes)
        for axis, dimension in enumerate(layout.dimensions):
            dataset.dims[axis].attach_scale(scales[dimension])
    flags = file["status"].attrs
    flags["flag_values"] = np.arange(len(_STATUSES), dtype=np.uint8)
    flags["flag_meanings"] = " ".join(status.value for status in _STATUSES)


def _read(file: h5py.File) -> tuple[Attributes, Arrays]:
    attributes: Attributes = {name: str(file.attrs[name]) for name in _TEXTS}
    attributes.update({name: file.attrs[name].item() for name in _NUMBERS})
    arrays = {
        name: plain_array(file, name, layout.dtype, len(layout.dimensions))
        for name, layout in _LAYOUT.items()
    }
    if file.attrs["content_digest"] != _digest(attributes, arrays):
        raise ValueError("its content does not agree with its digest")
    return attributes, arrays


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
