"""What stands in a trajectory file: attributes and arrays of a recording, and their digests.

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
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from odevsr.language.number import number_text
from odevsr.world.systems.file import parse_system
from odevsr.world.trajectories.recording import Recording
from odevsr.world.trajectories.trajectory import Ending, Tolerances, Trajectory

FORMAT = "odevsr-trajectories"
FORMAT_VERSION = 2

Attributes = dict[str, str | int | float]
Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Layout:
    """One array of the file: its dimensions, its type, and the notes that stand beside it."""

    dimensions: tuple[str, ...]
    dtype: str
    notes: Mapping[str, str]


LAYOUT = {
    "time": Layout(("sample",), "<f8", {"long_name": "time since the trajectory's start"}),
    "states": Layout(("sample", "component"), "<f8", {"long_name": "state", "coordinates": "time"}),
    "derivatives": Layout(
        ("sample", "component"),
        "<f8",
        {"long_name": "finite differences of the states", "coordinates": "time"},
    ),
    "row_size": Layout(
        ("trajectory",),
        "<i8",
        {"long_name": "samples of each trajectory", "sample_dimension": "sample"},
    ),
    "end_time": Layout(("trajectory",), "<f8", {"long_name": "how far it was simulated"}),
    "status": Layout(("trajectory",), "u1", {"long_name": "why the trajectory ended"}),
    "seed": Layout(("trajectory",), "<i8", {"long_name": "seed of the random starts"}),
}
DIGESTS = Layout(("trajectory",), "S64", {"long_name": "SHA-256 up to here"})
_SAMPLED = [name for name, layout in LAYOUT.items() if "sample" in layout.dimensions]
LISTED = [name for name in LAYOUT if name not in _SAMPLED]
# A status's place is its code in the file: add new ones at the end.
STATUSES = (
    Ending.COMPLETE,
    Ending.BLEW_UP,
    Ending.LEFT_DOMAIN,
    Ending.LEFT_BOX,
    Ending.STALLED,
    Ending.GIVEN_UP,
    Ending.DEPARTED,
)
TEXTS = (
    "format",
    "system",
    "system_file",
    "system_digest",
    "parameters",
    "odevsr_version",
    "solver",
)
NUMBERS = ("format_version", "relative_tolerance", "absolute_tolerance")


def attributes_of(recording: Recording) -> Attributes:
    """Those of the file that a recording is written to."""
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


def arrays_of(recording: Recording) -> Arrays:
    """All samples of a recording, one trajectory after the other, and what is told of each."""
    runs = recording.trajectories
    arrays: Arrays = {
        "time": np.concatenate([run.time for run in runs]),
        "states": np.concatenate([run.states for run in runs]),
        "derivatives": np.concatenate([run.derivatives for run in runs]),
        "row_size": np.array([len(run.time) for run in runs]),
        "end_time": np.array([run.end_time for run in runs]),
        "status": np.array([STATUSES.index(run.status) for run in runs]),
        "seed": np.array(recording.seeds),
    }
    return {name: np.asarray(arrays[name], layout.dtype) for name, layout in LAYOUT.items()}


def recording_of(attributes: Attributes, arrays: Arrays, commands: str, where: str) -> Recording:
    """The recording that was written as these."""
    ends = np.cumsum(arrays["row_size"])[:-1]
    runs = zip(
        np.split(arrays["time"], ends),
        np.split(arrays["states"], ends),
        np.split(arrays["derivatives"], ends),
        [STATUSES[code] for code in arrays["status"]],
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


def digests_of(before: bytes, arrays: Arrays) -> list[bytes]:
    """For each trajectory the SHA-256 (hexadecimal) of the digest before it and all its values."""
    listed = np.rec.fromarrays([arrays[name] for name in LISTED]).tobytes()
    width = len(listed) // len(arrays["row_size"])
    samples = [np.ascontiguousarray(arrays[name]) for name in _SAMPLED]
    ends = np.cumsum(arrays["row_size"]).tolist()
    digests = []
    for number, (first, last) in enumerate(pairwise([0, *ends])):
        digest = hashlib.sha256(before + listed[number * width : (number + 1) * width])
        for each in samples:
            digest.update(each[first:last].data)
        before = digest.hexdigest().encode()
        digests.append(before)
    return digests


def first_digest(attributes: Attributes) -> bytes:
    """The digest before the first trajectory: of the attributes that stay, as sorted JSON."""
    staying = {name: value for name, value in attributes.items() if name != "odevsr_version"}
    return hashlib.sha256(json.dumps(staying, sort_keys=True).encode()).hexdigest().encode()


def digest_of_all(attributes: Attributes, arrays: Arrays) -> str:
    """That of version 1: of the attributes as sorted JSON, then of each array in order of name."""
    result = hashlib.sha256(json.dumps(attributes, sort_keys=True).encode())
    for name, array in sorted(arrays.items()):
        result.update(f"{name}{array.shape}".encode())
        result.update(np.ascontiguousarray(array).tobytes())
    return result.hexdigest()
