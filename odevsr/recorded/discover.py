"""The laws behind recordings of a system that nobody can experiment on."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from odevsr.evidence.agreement import Agreement
from odevsr.evidence.law import fit
from odevsr.evidence.simplify import fit_terms
from odevsr.language.expression import Expression
from odevsr.language.monomials import monomials
from odevsr.settings import Settings
from odevsr.vertical.equation import Equation, Status
from odevsr.world.oracle import Cost
from odevsr.world.runs import Recordings
from odevsr.world.sample import Sample
from odevsr.world.smooth import smooth

DEGREE = 2


@dataclass(frozen=True)
class HoldOut:
    """What is kept from the search to judge its laws: a run by its name, or the end of each."""

    run: str | None = None
    share: float = 0.2
    """Of each run's samples, the last ones, where no run is named."""


@dataclass(frozen=True)
class RecordedLaws:
    """What a room below `discovery` can say of recordings; `discovery` makes a Discovery of it.

    `names` are the variables and then the inputs, `ranges` what each was seen to visit; `equations`
    has one for each variable, `notes` a sentence for each thing people must know about all of them.
    """

    names: tuple[str, ...]
    ranges: tuple[tuple[float, float], ...]
    equations: tuple[Equation, ...]
    notes: tuple[str, ...]
    elapsed_s: float


def discover_recordings(
    recordings: Recordings,
    settings: Settings,
    *,
    seed: int = 0,
    hold_out: HoldOut | None = None,
    on_event: Callable[[str], None] = lambda sentence: None,
) -> RecordedLaws:
    """The laws that explain the recordings; `on_event` gets a sentence now and then.

    Without `hold_out` every sample is searched with, and the last fifth of each run is followed
    from what the rest says.
    """
    began = time.process_time()
    names = (*recordings.names, *recordings.inputs)
    everything = np.concatenate([np.hstack([run.states, run.inputs]) for run in recordings.runs])
    low, high = np.nanmin(everything, axis=0), np.nanmax(everything, axis=0)
    on_event(f"{len(recordings.runs)} runs, {len(everything)} samples")
    equations = tuple(_equation(recordings, index, names) for index in range(len(recordings.names)))
    return RecordedLaws(
        names=names,
        ranges=tuple(zip(low.tolist(), high.tolist(), strict=True)),
        equations=equations,
        notes=recordings.notes,
        elapsed_s=time.process_time() - began,
    )


def _equation(recordings: Recordings, index: int, names: tuple[str, ...]) -> Equation:
    began = time.process_time()
    sample = _slopes(recordings, index)
    terms = monomials(names, DEGREE)
    expression, deviation = fit_terms(terms, names, sample, Agreement(is_noisy=True))
    law = fit(expression, names, sample)
    return Equation(
        variable=names[index],
        expression=law.expression,
        status=Status.UNDECIDED if deviation < 2 else Status.NOT_IDENTIFIED,
        constants=law.constants,
        r2=_r2(law.expression, names, sample),
        nmse=1 - _r2(law.expression, names, sample),
        deviation=law.deviation,
        rounds=(),
        cost=Cost(states=len(sample.values)),
        candidates=1,
        elapsed_s=time.process_time() - began,
    )


def _slopes(recordings: Recordings, index: int) -> Sample:
    """The states and slopes of one variable along the smoothed runs."""
    states, values, errors = [], [], []
    for run in recordings.runs:
        paths = [smooth(run.times, column) for column in run.states.T]
        smoothed = [path.values(run.times) for path in paths]
        states.append(np.column_stack([*smoothed, run.inputs]))
        values.append(paths[index].slopes(run.times))
        errors.append(paths[index].slope_errors)
    return Sample(np.concatenate(states), np.concatenate(values), np.concatenate(errors))


def _r2(expression: Expression, names: tuple[str, ...], sample: Sample) -> float:
    from odevsr.language.evaluate import compile_field

    predicted = compile_field([expression], names)(sample.states)[..., 0]
    return float(1 - np.mean((predicted - sample.values) ** 2) / np.var(sample.values))
