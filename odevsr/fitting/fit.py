"""Batched constant fitting: many programs, K trials each, over threads, the same for any number of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from odevsr.fitting import codes
from odevsr.fitting.descent import fit_chunk, workspace
from odevsr.fitting.program import MOST_CONSTANTS, Program

FloatArray = NDArray[np.float64]
CHUNK = 32


@dataclass(frozen=True, eq=False)
class Trials:
    """K controlled experiments: states (K, n, N), values and weights (K, N).

    `unit` is the error of a value whose weight is 1.
    """

    points: FloatArray
    targets: FloatArray
    weights: FloatArray
    unit: float = 1.0

    def variances(self) -> FloatArray:
        """Weighted sums of squares about the mean, (K,): what a constant alone would leave."""
        mean = np.average(self.targets, axis=1, weights=self.weights**2, keepdims=True)
        spread = np.sum((self.weights * (self.targets - mean)) ** 2, axis=1)
        size = np.sum((self.weights * self.targets) ** 2, axis=1)
        # Of a target that does not move, explain its size instead.
        return np.where(spread > 1e-24 * size, spread, np.maximum(size, 1e-300))


def make_trials(
    points: FloatArray, targets: FloatArray, errors: FloatArray | None = None
) -> Trials:
    """Trials from states (K, N, n) and derivatives (K, N), weighted by 1/error where errors are given.

    The points of a trial are put in an order in which each block of 64 spans the whole range.
    """
    number = points.shape[1]
    blocks = -(-number // 64)
    order = np.argsort(np.arange(number) % blocks, kind="stable")
    unit = 1.0 if errors is None else float(np.min(errors))
    weights = np.ones_like(targets) if errors is None else unit / errors
    return Trials(
        np.ascontiguousarray(points[:, order].transpose(0, 2, 1)),
        np.ascontiguousarray(targets[:, order]),
        np.ascontiguousarray(weights[:, order]),
        unit,
    )


@dataclass(frozen=True)
class Effort:
    """How hard a fit tries.

    `starts` start values a program, each followed for `probing` steps, the best `kept` for up to
    `most` steps; a loss of `good_enough` ends a fit, one above `hopeless` spares the further trials.
    """

    starts: int = 4
    probing: int = 6
    kept: int = 2
    most: int = 40
    good_enough: float = 1e-26
    hopeless: float = np.inf


class Failure(Enum):
    """Why a program has no fit; the value is the sentence for people."""

    NONE = "fitted"
    POLE = "division by zero or a power without a value"
    DOMAIN = "a function outside its domain"
    OVERFLOW = "a number too large"


_POLES = {codes.WHOLE_POWER, codes.REAL_POWER, codes.POWER, codes.POWER_FREE, codes.COT, codes.TAN}
_DOMAINS = {codes.LOG, codes.SQRT, codes.ASIN, codes.ACOS}


def failure_of(operation: int) -> Failure:
    """The cause behind the operation at which a program stopped (-1: it did not)."""
    if operation < 0:
        return Failure.NONE
    if operation in _POLES:
        return Failure.POLE
    return Failure.DOMAIN if operation in _DOMAINS else Failure.OVERFLOW


@dataclass(frozen=True, eq=False)
class Fitted:
    """Fits of B programs: losses (B, K), normalised, nan where a trial was not fitted; the rest per program.

    `constants[b]` is (K, number of constants) in preorder; `deficient` marks redundant constants.
    """

    losses: FloatArray
    constants: tuple[FloatArray, ...]
    deficient: NDArray[np.bool_]
    failures: tuple[Failure, ...]
    runs: int


SMALLEST_START, LARGEST_START = 0.02, 20.0


def start_multipliers(count: int, rng: np.random.Generator) -> FloatArray:
    """Start values in units of each constant's natural scale, (count, constants).

    A Latin hypercube in the logarithm, half of it negative: each constant meets every magnitude from
    0.02 to 20 with both signs, and the combinations are random. The first start is 1 throughout.
    """
    levels = np.geomspace(SMALLEST_START, LARGEST_START, max((count + 1) // 2, 2))
    both = np.concatenate([levels, -levels])
    starts = np.stack([rng.permutation(both)[:count] for _ in range(MOST_CONSTANTS)], axis=1)
    starts *= np.exp(rng.normal(scale=0.2, size=starts.shape))
    starts[0] = 1.0
    return starts


def fit_programs(
    programs: Sequence[Program],
    trials: Trials,
    starts: FloatArray,
    effort: Effort,
    threads: Executor | None = None,
) -> Fitted:
    """Fit every program to all trials."""
    chunks = _chunks(programs)
    arguments = [(programs, chunk, trials, starts, effort) for chunk in chunks]
    mapper = map if threads is None else threads.map
    outcomes = list(mapper(_fit_one_chunk, arguments))
    losses = np.full((len(programs), len(trials.targets)), np.nan)
    constants: list[FloatArray] = [np.empty(0)] * len(programs)
    deficient = np.zeros(len(programs), dtype=bool)
    operations = np.full(len(programs), -1)
    for chunk, (chunk_losses, chunk_constants, reports) in zip(chunks, outcomes, strict=True):
        losses[chunk] = chunk_losses
        operations[chunk] = reports[:, 0]
        deficient[chunk] = reports[:, 1] < [programs[b].columns for b in chunk]
        for b, values in zip(chunk, chunk_constants, strict=True):
            constants[b] = values[:, list(programs[b].preorder)]
    runs = sum(int(reports[:, 2].sum()) for _, _, reports in outcomes)
    failures = tuple(failure_of(operation) for operation in operations)
    return Fitted(losses, tuple(constants), deficient, failures, runs)


def _chunks(programs: Sequence[Program]) -> list[list[int]]:
    """Indices of programs of equal shape, in pieces small enough to balance over threads."""
    groups: dict[tuple[int, int], list[int]] = defaultdict(list)
    for index, program in enumerate(programs):
        groups[program.columns, len(program.owner)].append(index)
    return [
        group[first : first + CHUNK]
        for group in groups.values()
        for first in range(0, len(group), CHUNK)
    ]


_Arguments = tuple[Sequence[Program], list[int], Trials, FloatArray, Effort]


def _fit_one_chunk(arguments: _Arguments) -> tuple[FloatArray, FloatArray, NDArray[np.int64]]:
    programs, chunk, trials, starts, effort = arguments
    members = [programs[b] for b in chunk]
    linear, nonlinear = members[0].columns, len(members[0].owner)
    code_ends = np.cumsum([0, *(len(program.code) for program in members)])
    literal_ends = np.cumsum([0, *(len(program.literals) for program in members)])
    spans = np.stack([code_ends[:-1], code_ends[1:], literal_ends[:-1], literal_ends[1:]], axis=1)
    number_of_trials, _, number_of_points = trials.points.shape
    constants = np.zeros((len(members), number_of_trials, linear + nonlinear))
    losses = np.full((len(members), number_of_trials), np.nan)
    reports = np.zeros((len(members), 4), dtype=np.int64)
    fit_chunk(
        workspace(number_of_points, linear, nonlinear),
        np.concatenate([program.code for program in members]),
        np.ascontiguousarray(spans, dtype=np.int32),
        np.array([program.owner for program in members], np.int32).reshape(len(members), nonlinear),
        np.concatenate([program.literals for program in members]),
        trials.points,
        trials.targets,
        trials.weights,
        trials.variances(),
        np.ascontiguousarray(starts[: effort.starts, :nonlinear]),
        (effort.probing, effort.kept, effort.most),
        (effort.good_enough, effort.hopeless),
        constants,
        losses,
        reports,
    )
    return losses, constants, reports
