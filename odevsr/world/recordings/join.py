"""Recordings of one system from several places, as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from odevsr.errors import DataFileError, UsageError
from odevsr.world.recordings.runs import Recordings, Run


def joined(parts: Sequence[Recordings]) -> Recordings:
    """All runs; variables in the order of the first part, which all must have, and which move."""
    if not parts:
        raise UsageError("there is no recording; give at least one")
    first = parts[0]
    for part in parts[1:]:
        _check_same(first, part)
    runs = [run for part in parts for run in _ordered(part, first)]
    units = {name: unit for part in reversed(parts) for name, unit in part.units.items()}
    sources = ", ".join(dict.fromkeys(part.source for part in parts))
    notes = [*(note for part in parts for note in part.notes), *_idle(runs, first)]
    whole = Recordings(
        first.names, _distinct(runs), first.inputs, units, sources, tuple(dict.fromkeys(notes))
    )
    check_moving(whole)
    return whole


def _check_same(first: Recordings, other: Recordings) -> None:
    for kind in ("names", "inputs"):
        mine, theirs = set(getattr(first, kind)), set(getattr(other, kind))
        for name in sorted(mine ^ theirs):
            has, lacks = (first, other) if name in mine else (other, first)
            raise DataFileError(
                f"{lacks.source} has no column {name}, and {has.source} has; give all recordings "
                "the same columns"
            )
    for name in first.units.keys() & other.units.keys():
        if first.units[name] != other.units[name]:
            raise DataFileError(
                f"{name} is in {first.units[name]} in {first.source} and in {other.units[name]} in "
                f"{other.source}; convert one of them"
            )


def check_moving(recordings: Recordings) -> None:
    """Refuse variables that have one value, or none, in all samples."""
    states = np.concatenate([run.states for run in recordings.runs])
    least, most = np.fmin.reduce(states, axis=0), np.fmax.reduce(states, axis=0)
    for name, low, high in zip(recordings.names, least, most, strict=True):
        if not low < high:
            raise DataFileError(
                f"{recordings.source}: {name} is {low:g} in all samples, and what never moves has "
                "no law to be found; remove its column, or make it an input (--inputs)"
            )


def _idle(runs: Sequence[Run], first: Recordings) -> list[str]:
    """Inputs that never move, which is allowed, and said."""
    values = np.concatenate([run.inputs for run in runs])
    still = np.ptp(values, axis=0) == 0
    return [
        f"the input {name} is {values[0, index]:g} in all samples: laws cannot tell what it does"
        for index, name in enumerate(first.inputs)
        if still[index]
    ]


def _ordered(part: Recordings, first: Recordings) -> list[Run]:
    """The runs of a part with columns in the order of the first."""
    states = [part.names.index(name) for name in first.names]
    inputs = [part.inputs.index(name) for name in first.inputs]
    return [
        replace(
            run,
            states=run.states[:, states],
            inputs=run.inputs[:, inputs],
            derivatives=None if run.derivatives is None else run.derivatives[:, states],
        )
        for run in part.runs
    ]


def _distinct(runs: Sequence[Run]) -> tuple[Run, ...]:
    """The runs; where several have one name, they are numbered."""
    counts: dict[str, int] = {}
    result = []
    for run in runs:
        count = counts[run.name] = counts.get(run.name, 0) + 1
        result.append(run if count == 1 else replace(run, name=f"{run.name}-{count}"))
    return tuple(result)
