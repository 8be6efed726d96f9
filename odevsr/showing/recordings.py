"""What is in recordings: a page for people, one object for programs."""

from __future__ import annotations

from typing import Any

import numpy as np
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from odevsr.arrays import FloatArray
from odevsr.showing.output import SCHEMA, plain_table
from odevsr.world.recordings.noise import noise_of
from odevsr.world.recordings.rounding import rounding_of
from odevsr.world.recordings.runs import Recordings, Run
from odevsr.world.recordings.timing import gaps, is_even
from odevsr.world.systems.checks import TIME

UNSEEN = 1e-4
"""Per cent of the range below which noise is that of numbers written down."""
FEWEST = 8
"""Samples from which on noise can be told from motion."""
_RUN_HEADINGS = ("run", "samples", "from", "to", "step", "gaps", "missing")
_VARIABLE_HEADINGS = ("variable", "range", "unit", "noise", "")


def recordings_page(recordings: Recordings) -> RenderableType:
    """Runs with their times, variables with their ranges and noise, what was said on reading."""
    content = recordings_json(recordings)
    samples = sum(each["samples"] for each in content["runs"])
    count = len(recordings.runs)
    title = f"{recordings.source}: {count} run{'s' * (count > 1)}, {samples:,} samples"
    unit = recordings.units.get(TIME)
    return Group(
        Text(title + (f", time in {unit}" if unit else ""), style="bold"),
        Text(),
        _indented(plain_table(_RUN_HEADINGS, [_run_row(each) for each in content["runs"]])),
        Text(),
        _indented(
            plain_table(_VARIABLE_HEADINGS, [_variable_row(each) for each in content["variables"]])
        ),
        Text(),
        *map(Text, recordings.notes),
    )


def recordings_json(recordings: Recordings) -> dict[str, Any]:
    """The same as one object; `noise` is null of inputs, and where too little was measured."""
    return {
        "schema": SCHEMA,
        "source": recordings.source,
        "runs": [_run_json(each) for each in recordings.runs],
        "variables": [
            *(_variable_json(recordings, index) for index in range(len(recordings.names))),
            *(_input_json(recordings, index) for index in range(len(recordings.inputs))),
        ],
        "notes": list(recordings.notes),
    }


def _run_json(run: Run) -> dict[str, Any]:
    return {
        "name": run.name,
        "samples": len(run.times),
        "from": float(run.times[0]),
        "to": float(run.times[-1]),
        "step": float(np.median(np.diff(run.times))),
        "even": is_even(run.times),
        "gaps": gaps(run.times),
        "missing": int(np.sum(~np.isfinite(run.states))),
    }


def _variable_json(recordings: Recordings, index: int) -> dict[str, Any]:
    name, runs = recordings.names[index], recordings.runs
    values = np.concatenate([run.states[:, index] for run in runs])
    return {
        **_column_json(recordings, name, values),
        "input": False,
        "measured_derivative": any(
            run.derivatives is not None and np.isfinite(run.derivatives[:, index]).any()
            for run in runs
        ),
        "noise": _noise([(run.times, run.states[:, index]) for run in runs]),
    }


def _input_json(recordings: Recordings, index: int) -> dict[str, Any]:
    values = np.concatenate([run.inputs[:, index] for run in recordings.runs])
    column = _column_json(recordings, recordings.inputs[index], values)
    return {**column, "input": True, "measured_derivative": False, "noise": None}


def _column_json(recordings: Recordings, name: str, values: FloatArray) -> dict[str, Any]:
    limits = [float(np.nanmin(values)), float(np.nanmax(values))]
    return {"name": name, "range": limits, "unit": recordings.units.get(name, "")}


def _noise(runs: list[tuple[FloatArray, FloatArray]]) -> float | None:
    """The noise of a variable, in its median run; None where runs are too short to tell."""
    known = [(times[np.isfinite(values)], values[np.isfinite(values)]) for times, values in runs]
    sizes = [_size_of_noise(*each) for each in known if len(each[0]) >= FEWEST]
    return float(np.median(sizes)) if sizes else None


def _size_of_noise(times: FloatArray, samples: FloatArray) -> float:
    """At least what rounding makes of it."""
    rounded = float(np.median(rounding_of(samples).sizes(samples)))
    return max(noise_of(times, samples)[0], rounded)


def _run_row(run: dict[str, Any]) -> tuple[str, ...]:
    step = f"{run['step']:.4g}" + ("" if run["even"] else ", uneven")
    ends = (f"{run[each]:.6g}" for each in ("from", "to"))
    counts = (f"{each:,}" if each else "" for each in (len(run["gaps"]), run["missing"]))
    return run["name"], f"{run['samples']:,}", *ends, step, *counts


def _variable_row(variable: dict[str, Any]) -> tuple[str, ...]:
    low, high = variable["range"]
    noise = variable["noise"]
    share = "" if noise is None else _noise_text(noise, high - low)
    kind = "input" if variable["input"] else ""
    rate = "with measured derivative" if variable["measured_derivative"] else ""
    return variable["name"], f"{low:.6g} .. {high:.6g}", variable["unit"], share, kind or rate


def _noise_text(noise: float, width: float) -> str:
    """Noise, and its share of the range.

    >>> _noise_text(0.02, 4), _noise_text(1e-12, 4)
    ('about 0.02, 0.5 % of the range', 'none seen')
    """
    share = 100 * noise / width
    return "none seen" if share < UNSEEN else f"about {noise:.2g}, {share:.2g} % of the range"


def _indented(content: RenderableType) -> Padding:
    return Padding(content, (0, 0, 0, 2))
