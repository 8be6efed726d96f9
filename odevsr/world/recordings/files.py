"""read_recordings(): the runs in files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from odevsr.errors import DataFileError, UsageError
from odevsr.world.recordings.assemble import assembled
from odevsr.world.recordings.binary import npz_source, parquet_source
from odevsr.world.recordings.join import joined
from odevsr.world.recordings.kinds import ARRAYS, PARQUET, TRAJECTORIES, UNREADABLE, unpacked
from odevsr.world.recordings.pieces import MOST_SAMPLES, Source, gather
from odevsr.world.recordings.runs import Recordings
from odevsr.world.recordings.text import text_source

Reader = Callable[[Path, Sequence[str]], Source]


def read_recordings(
    *paths: str | Path, inputs: str | Sequence[str] = (), most: int = MOST_SAMPLES
) -> Recordings:
    """The runs in one or more files: CSV, TSV, npz, parquet, or HDF5 as `odevsr simulate` has it.

    Columns are `t`, the variables, and where there are several runs `run`; `inputs` names those
    that were set from outside, and `dx` beside `x` is its measured derivative. Units may stand
    behind a name: `x [m]`. Files may hold more than memory does: long runs are thinned so that at
    most so many samples are kept. What is missing or left out is said in `notes`.
    """
    named = (inputs,) if isinstance(inputs, str) else tuple(inputs)
    if not paths:
        raise UsageError("there is no file to read; give at least one")
    parts = [_read(Path(path), named, most // len(paths)) for path in paths]
    return joined(parts if len(parts) == 1 else [_named_by_file(part) for part in parts])


def _read(path: Path, inputs: Sequence[str], most: int) -> Recordings:
    if path.is_dir():
        raise DataFileError(f"{path} is a folder; name the files in it that hold recordings")
    if not path.is_file():
        raise DataFileError(f"{path}: there is no such file; check the path")
    return assembled(gather(_reader(path)(path, inputs), unpacked(path).stem, most))


def _reader(path: Path) -> Reader:
    """What reads a file, by how its name ends; what is not known is taken for a text."""
    kind = path.suffix.lower()
    if kind in UNREADABLE:
        raise DataFileError(
            f"{path}: {kind} files are not read; save it as .csv or .npz, with a name a column"
        )
    if kind in TRAJECTORIES:
        from odevsr.world.recordings.trajectories import trajectory_source  # which needs h5py

        return trajectory_source
    return npz_source if kind in ARRAYS else parquet_source if kind in PARQUET else text_source


def _named_by_file(part: Recordings) -> Recordings:
    """The recordings of one file among several, whose runs have its name before their own."""
    stem = unpacked(Path(part.source)).stem
    runs = (
        run if run.name == stem else replace(run, name=f"{stem}:{run.name}") for run in part.runs
    )
    return replace(part, runs=tuple(runs))
