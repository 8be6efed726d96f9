"""SINDy on recordings, given its best: derivatives of a smoother, or integrals in their place.

The regression is pysindy's STLSQ, over libraries and thresholds; of the systems these give, the one
is taken whose own motion follows the recordings best for its length. The weak form needs no
derivative: x' = f gives -(integral of w'*x) = integral of w*f for any bump w.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.term import terms
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import ZERO, Expression
from odevsr.verdict.recordings.motion import motion_error
from odevsr.verdict.rival.libraries import Library, libraries_for, quiet_pysindy
from odevsr.verdict.rival.sindy import linear_sum, solved, support
from odevsr.world.recordings.runs import Recordings, Run
from odevsr.world.recordings.smooth import smooth

THRESHOLDS = (1e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3)
"""Of a term's share of the derivative."""
WIDTHS = (0.06, 0.2)
"""Of bumps, as shares of a run."""
FEWEST_UNDER_A_BUMP = 9
BUMPS = 100
"""Over each run."""
POWER = 4
"""A bump is (1 - s**2)**4."""
CHOOSING_RUNS, SEGMENTS = 3, 4
"""Runs whose motion decides, and parts of each that are followed, so that slow drift counts less
than shape."""
PRECISE = 1e-12
"""Share of the variance below which motions are equal."""


@dataclass(frozen=True, eq=False)
class Smooth:
    """A run with everything at every time: its states smoothed, and their slopes."""

    run: Run
    states: FloatArray
    slopes: FloatArray

    @property
    def points(self) -> FloatArray:
        """Smoothed states, then inputs."""
        return np.concatenate([self.states, self.run.inputs], axis=1)

    def part(self, rows: slice) -> Smooth:
        """Some of its samples."""
        return Smooth(self.run.part(rows), self.states[rows], self.slopes[rows])

    def last(self, count: int) -> Smooth:
        """So many of its last samples."""
        return self.part(slice(len(self.states) - count, None))


def smoothed(run: Run) -> Smooth:
    """The run as SINDy needs it; derivatives that were measured stay as they are."""
    paths = [smooth(run.times, column) for column in run.states.T]
    states = np.stack([path.values(run.times) for path in paths], axis=1)
    slopes = np.stack([path.slopes(run.times) for path in paths], axis=1)
    if run.derivatives is not None:
        slopes = np.where(np.isfinite(run.derivatives), run.derivatives, slopes)
    return Smooth(run, states, slopes)


def sindy_laws(
    recordings: Recordings, runs: Sequence[Smooth], known: Sequence[Expression], *, weak: bool
) -> tuple[Expression, ...]:
    """SINDy's law of each variable; `known` laws say whether it is given sines and cosines."""
    names = (*recordings.names, *recordings.inputs)
    with quiet_pysindy():
        systems = dict.fromkeys(
            laws
            for library in libraries_for(names, known)
            for rows in (_weak_rows(library, names, runs) if weak else _rows(library, names, runs))
            for laws in _systems(library, *rows)
        )
    return _best(list(systems), names, runs[:CHOOSING_RUNS]) or (ZERO,) * len(recordings.names)


def _rows(
    library: Library, names: Sequence[str], runs: Sequence[Smooth]
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Features and derivatives at all samples."""
    field = compile_field(library.features, names)
    yield (
        np.concatenate([field(run.points) for run in runs]),
        np.concatenate([run.slopes for run in runs]),
    )


def _weak_rows(
    library: Library, names: Sequence[str], runs: Sequence[Smooth]
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Integrals of features and of states under bumps, for each width of these."""
    field = compile_field(library.features, names)
    for width in WIDTHS:
        parts = [_under_bumps(run, field(_raw(run)), width) for run in runs]
        features, targets = zip(*parts, strict=True)
        yield np.concatenate(features), np.concatenate(targets)


def _raw(run: Smooth) -> FloatArray:
    """States as measured, smoothed where they were not, then inputs."""
    measured = run.run.states
    states = np.where(np.isfinite(measured), measured, run.states)
    return np.concatenate([states, run.run.inputs], axis=1)


def _under_bumps(run: Smooth, features: FloatArray, width: float) -> tuple[FloatArray, FloatArray]:
    times = run.run.times
    duration = times[-1] - times[0]
    half = duration * min(max(width, FEWEST_UNDER_A_BUMP / len(times)), 1.0) / 2
    centres = np.linspace(times[0] + half, times[-1] - half, BUMPS)
    place = np.clip((times - centres[:, None]) / half, -1, 1)
    weights = np.gradient(times) / half
    bumps = (1 - place**2) ** POWER * weights * half
    slopes = -2 * POWER * place * (1 - place**2) ** (POWER - 1) * weights
    states = _raw(run)[:, : run.states.shape[1]]
    return bumps @ features, -slopes @ states


def _segments(run: Smooth) -> list[Smooth]:
    ends = np.linspace(0, len(run.states), SEGMENTS + 1).astype(int)
    parts = [run.part(slice(first, last)) for first, last in pairwise(ends)]
    return [part for part in parts if len(part.states) > 1]


def _systems(
    library: Library, columns: FloatArray, targets: FloatArray
) -> Iterator[tuple[Expression, ...]]:
    """A system for each threshold."""
    size = np.linalg.norm(columns, axis=0) + 1e-300
    for threshold in THRESHOLDS:
        laws = []
        for target in targets.T:
            unit = np.linalg.norm(target) + 1e-300
            kept = support(columns / size, target / unit, threshold)
            coefficients = np.zeros(len(size))
            coefficients[kept] = solved(columns[:, kept], target)
            laws.append(normal_form(linear_sum(library.features, coefficients)))
        yield tuple(laws)


def _best(
    systems: Sequence[tuple[Expression, ...]], names: Sequence[str], runs: Sequence[Smooth]
) -> tuple[Expression, ...] | None:
    """The system whose motion follows the runs best; each term must pay for itself (BIC)."""
    segments = [part for run in runs for part in _segments(run)]
    starts, given = [part.states[0] for part in segments], [part.run for part in segments]
    numbers = sum(int(np.isfinite(run.states).sum()) for run in given)

    def score(laws: tuple[Expression, ...]) -> float:
        error = motion_error(compile_field(laws, names), given, starts)
        length = sum(len(terms(law)) for law in laws)
        return float(numbers * np.log(error + PRECISE) + length * np.log(numbers))

    scores = [score(laws) for laws in systems]
    best = int(np.argmin(scores)) if scores else 0
    return systems[best] if scores and np.isfinite(scores[best]) else None
