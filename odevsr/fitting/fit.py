"""Batched constant fitting: many programs, K trials each, the same for any number of threads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace

import numpy as np

from odevsr.arrays import FloatArray, IntArray
from odevsr.fitting.chunk import fit_chunk
from odevsr.fitting.descent import descend, loss_at, workspace
from odevsr.fitting.machine import run
from odevsr.fitting.program import Program
from odevsr.fitting.starts import start_multipliers as start_multipliers
from odevsr.fitting.trials import Trials as Trials
from odevsr.fitting.trials import make_trials as make_trials

CHUNK = 32
NEAR_POINTS = 16
"""Points about the middle that every other start looks at first, beyond one a constant."""


@dataclass(frozen=True)
class Effort:
    """How hard a fit tries.

    `starts` start values a program, each the best of `draws` at one block of points and followed
    for `probing` steps, the best `kept` for up to `most` steps; a loss of `good_enough` ends a fit,
    one above `hopeless` spares the further trials.
    """

    starts: int = 4
    probing: int = 6
    kept: int = 2
    most: int = 40
    good_enough: float = 1e-26
    hopeless: float = np.inf
    draws: int = 16


CAREFUL = Effort(starts=16, hopeless=1e-7)
"""For forms that are few and likely."""
EVERY_TRIAL = replace(CAREFUL, hopeless=np.inf)
"""For a form that is fitted to each trial, whatever becomes of the others."""
QUICK = Effort(starts=6, probing=5, kept=1, most=25, hopeless=1e-3)
"""For forms that are many."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """Fits of B programs: normalised losses (B, K), nan where a trial was not fitted.

    `constants[b]` is (K, number of constants) in preorder; `runs` counts evaluations.
    """

    losses: FloatArray
    constants: tuple[FloatArray, ...]
    runs: int


def fit_programs(
    programs: Sequence[Program],
    trials: Trials,
    starts: FloatArray,
    effort: Effort,
    threads: Executor | None = None,
) -> Fitted:
    """Fit every program to all trials, from `starts` as `start_multipliers` draws them."""
    chunks = _chunks(programs)
    arguments = [([programs[b] for b in chunk], trials, starts, effort) for chunk in chunks]
    mapper = map if threads is None else threads.map
    outcomes = list(mapper(_fit_one_chunk, arguments))
    losses = np.full((len(programs), len(trials.targets)), np.nan)
    constants: list[FloatArray] = [np.empty(0)] * len(programs)
    reports = np.zeros((len(programs), 2), dtype=np.int64)
    for chunk, outcome in zip(chunks, outcomes, strict=True):
        losses[chunk] = outcome.losses
        reports[chunk] = outcome.reports
        for b, values in zip(chunk, outcome.constants, strict=True):
            constants[b] = values[:, list(programs[b].preorder)]
    return Fitted(
        losses=losses,
        constants=tuple(constants),
        runs=int(reports[:, 1].sum()),
    )


def _chunks(programs: Sequence[Program]) -> list[list[int]]:
    """Indices of programs of equal shape, in small pieces, dear ones first to balance threads."""
    groups: dict[tuple[int, int], list[int]] = defaultdict(list)
    for index, program in enumerate(programs):
        groups[program.columns, len(program.owner)].append(index)
    return [
        group[first : first + CHUNK]
        for _, group in sorted(groups.items(), key=lambda item: item[0][::-1], reverse=True)
        for first in range(0, len(group), CHUNK)
    ]


@dataclass(frozen=True, eq=False)
class _Outcome:
    """What `fit_chunk` fills for the programs of one chunk."""

    losses: FloatArray
    constants: FloatArray
    reports: IntArray


def _fit_one_chunk(
    arguments: tuple[list[Program], Trials, FloatArray, Effort],
) -> _Outcome:
    members, trials, starts, effort = arguments
    linear, nonlinear = members[0].columns, len(members[0].owner)
    number_of_trials, _, number_of_points = trials.points.shape
    near = trials.near(NEAR_POINTS + linear + nonlinear)
    outcome = _Outcome(
        losses=np.full((len(members), number_of_trials), np.nan),
        constants=np.zeros((len(members), number_of_trials, linear + nonlinear)),
        reports=np.zeros((len(members), 2), dtype=np.int64),
    )
    fit_chunk(
        run,
        loss_at,
        descend,
        workspace(number_of_points, linear, nonlinear),
        np.concatenate([program.code for program in members]),
        _spans(members),
        np.array([program.owner for program in members], np.int64).reshape(len(members), nonlinear),
        np.concatenate([program.literals for program in members]),
        (trials.points, trials.targets, trials.weights),
        (near.points, near.targets, near.weights),
        trials.variances(),
        np.ascontiguousarray(starts[: effort.starts * effort.draws, :nonlinear]),
        (min(effort.starts, len(starts)), effort.probing, effort.kept, effort.most),
        (effort.good_enough, effort.hopeless),
        outcome.constants,
        outcome.losses,
        outcome.reports,
    )
    return outcome


def _spans(members: Sequence[Program]) -> IntArray:
    """First and last instruction, first and last literal of each program, (B, 4)."""
    code = np.cumsum([0, *(len(program.code) for program in members)])
    literals = np.cumsum([0, *(len(program.literals) for program in members)])
    return np.stack([code[:-1], code[1:], literals[:-1], literals[1:]], axis=1)
