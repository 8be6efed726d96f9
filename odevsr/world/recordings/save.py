"""Recordings written as a file that they are read from again."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.errors import DataFileError
from odevsr.world.atomic import written_aside
from odevsr.world.recordings.headings import RUN
from odevsr.world.recordings.runs import Recordings, Run
from odevsr.world.systems.checks import TIME


def save_recordings(path: Path, recordings: Recordings) -> None:
    """Write all samples as CSV, numbers with all their digits; `read_recordings` reads them."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_aside(path) as aside, aside.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(_rows(recordings))
    except OSError as error:
        raise DataFileError(f"{path} cannot be written ({error}); see to its folder") from None


def _rows(recordings: Recordings) -> Iterator[list[str]]:
    rated = any(run.derivatives is not None for run in recordings.runs)
    rates = [f"d{name}" for name in recordings.names] if rated else []
    inputs = [index for index, name in enumerate(recordings.inputs) if name != TIME]
    names = [TIME, *recordings.names, *rates, *(recordings.inputs[index] for index in inputs)]
    units = {name: f" [{unit}]" for name, unit in recordings.units.items()}
    yield [RUN, *(name + units.get(name, "") for name in names)]
    for run in recordings.runs:
        columns = [run.times, run.states, *([_rates(run)] if rated else []), run.inputs[:, inputs]]
        for row in np.column_stack(columns).tolist():
            yield [run.name, *("" if np.isnan(value) else repr(value) for value in row)]


def _rates(run: Run) -> FloatArray:
    return np.full_like(run.states, np.nan) if run.derivatives is None else run.derivatives
