"""Recordings as smooth paths."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.recorded.paths import NODES, ROWS, TRUSTED, Paths
from odevsr.world.recordings.noise import Noise
from odevsr.world.recordings.runs import Recordings, Run
from odevsr.world.recordings.smooth import FEWEST, Smoothed, smooth
from odevsr.world.recordings.splines import KNOTS, MOST_KNOTS

SMOOTH = 1e-3
"""Share of its spread that two splines of a smooth input may be apart between samples."""
FEWEST_DERIVATIVES = 20
"""Measured derivatives from whose own path their noise can be told."""
MOST = 3_000
"""Samples of all runs together that are kept, if there are more; paths go through the others, too.
Where there is no noise, more of them tell no more; where there is some, neighbours are averaged,"""
OF_EACH = 12.0
"""as long as so many are left for each free number of a smooth path: with fewer, errors of the path
count as motion. Of noisy runs with more samples some are enough:"""
ENOUGH = MOST // 2
"""so many are fitted, and the others judge."""
WHITE = 0.25
"""Correlation of neighbouring residuals beyond which a path misses motion: its run is halved, for
a spline has only so many knots."""
LONGEST = 600
"""Samples that a noisy run is followed over; of a longer one each part is a run of its own, for
from one start to the far end of it errors of constants grow, and steps are many."""
GOLDEN = (math.sqrt(5) - 1) / 2
UNLIMITED = round(MOST_KNOTS / KNOTS)
"""Samples that have as many knots as they want."""

SmoothedRun = tuple[Run, list[Smoothed]]


def smooth_paths(recordings: Recordings) -> Paths:
    """The recordings with every variable smoothed: of all runs, or of enough of many noisy ones."""
    most = max(1, sum(len(run.times) for run in recordings.runs) // MOST)
    smoothed = _enough(recordings, most)
    clean = all(_are_clean(variables) for _, variables in smoothed)
    pieces = [
        _path(run, recordings, variables, _every(run, variables, most), clean)
        for run, variables in smoothed
    ]
    together: dict[str, Any] = {
        name: np.concatenate([getattr(piece, name) for piece in pieces]) for name in ROWS
    }
    spread = together["states"][:, : len(recordings.names)].std(axis=0)
    together["errors"] = np.maximum(together["errors"], TRUSTED * spread + 1e-300)
    whole = replace(
        pieces[0],
        bounds=np.cumsum([0, *(len(piece.times) for piece in pieces)], dtype=np.int64),
        clean=np.all([piece.clean for piece in pieces], axis=0),
        rounded=np.any([piece.rounded for piece in pieces], axis=0),
        **together,
    )
    return whole if clean else _some_parts(whole.cut(LONGEST))


def _some_parts(paths: Paths) -> Paths:
    """All runs, or of more than are to be fitted and to judge enough, which lie far apart."""
    counts = np.diff(paths.bounds)
    order = _spread_out(len(counts))
    enough = int(np.searchsorted(np.cumsum(counts[order]), MOST)) + 1
    return paths if enough >= len(order) else paths.runs(order[:enough])


def _enough(recordings: Recordings, most: int) -> list[SmoothedRun]:
    """Runs with their variables smoothed; of noisy ones those to be fitted and as many to judge."""
    found: dict[int, list[SmoothedRun]] = {}
    kept = 0
    for k in _spread_out(len(recordings.runs)):
        found[k] = list(_in_parts(recordings.runs[k]))
        kept += sum(
            len(part.times) // _every(part, variables, most)
            for part, variables in found[k]
            if not _are_clean(variables)
        )
        if kept >= MOST:
            return list(chain.from_iterable(found.values()))
    return [each for k in sorted(found) for each in found[k]]


def _in_parts(run: Run, before: Sequence[Smoothed] = ()) -> Iterator[SmoothedRun]:
    """The run with its variables smoothed; in halves, again and again, if they move too much.

    Paths of variables that were measured too rarely for one of its own are those `before`.
    """
    is_rare = np.isfinite(run.states).sum(axis=0) < FEWEST
    variables = [
        before[k] if before and is_rare[k] else smooth(run.times, column)
        for k, column in enumerate(run.states.T)
    ]
    columns = zip(variables, run.states.T, strict=True)
    if len(run.times) <= UNLIMITED or all(_is_resolved(*each) for each in columns):
        yield run, variables
        return
    middle = len(run.times) // 2
    for rows in (slice(middle), slice(middle, None)):
        yield from _in_parts(run.part(rows), [each.part(rows) for each in variables])


def _is_resolved(smoothed: Smoothed, samples: FloatArray) -> bool:
    """Whether what the path leaves is noise, of which neighbours have nothing in common."""
    measured = np.isfinite(samples)
    values = smoothed.values(smoothed.times[measured])
    left = (samples[measured] - values) / smoothed.noise.sizes(values)
    return smoothed.is_clean or bool(left[1:] @ left[:-1] <= WHITE * (left @ left))


def _spread_out(count: int) -> list[int]:
    """Numbers below the count, so that the first few of them lie far apart, by the golden ratio.

    >>> _spread_out(8)
    [0, 5, 2, 7, 4, 1, 6, 3]
    """
    return sorted(range(count), key=lambda number: number * GOLDEN % 1)


def _are_clean(variables: Sequence[Smoothed]) -> bool:
    return all(each.is_clean for each in variables)


def _every(run: Run, variables: Sequence[Smoothed], most: int) -> int:
    """How many neighbours may be averaged, at most so many."""
    freedom = max(1.0, *(each.freedom for each in variables))
    return max(1, min(most, int(len(run.times) / (OF_EACH * freedom))))


def _path(
    run: Run, recordings: Recordings, variables: list[Smoothed], every: int, clean: bool
) -> Paths:
    """One run as it stands in the whole, at some of its times."""
    kept = slice(None, None, every)
    times, states = run.times[kept], run.states[kept]
    inputs = [_as_sampled(run.times, column) for column in run.inputs.T]
    everything = [*variables, *inputs]
    steps = np.append(np.diff(times), 0.0)
    between = times[:, None] + steps[:, None] * (1 + NODES) / 2
    noise = np.stack([each.noise.sizes(each.values(times)) for each in variables], axis=1)
    if every > 1 and not clean:
        states, averaged = _averaged(run, variables, every)
        noise = noise / np.sqrt(averaged)
    slopes = np.stack([each.slopes(times) for each in everything], axis=1)
    slope_errors = np.stack([each.slope_errors[kept] for each in variables], axis=1)
    if run.derivatives is not None:
        _use_measured(times, run.derivatives[kept], slopes, slope_errors)
    return Paths(
        names=(*recordings.names, *recordings.inputs),
        variables=len(variables),
        bounds=np.array([0, len(times)]),
        times=times,
        samples=states,
        errors=np.where(np.isfinite(states), noise, np.inf),
        states=np.stack([each.values(times) for each in everything], axis=1),
        slopes=slopes,
        bends=np.stack([each.path(times, 2) for each in everything], axis=1),
        slope_errors=slope_errors,
        nodes=np.stack([each.values(between) for each in everything], axis=-1),
        steps=steps,
        clean=np.array([each.is_clean for each in variables]),
        rounded=np.array([_is_rounded(each, times) for each in variables]),
        inputs=len(inputs),
    )


def _is_rounded(smoothed: Smoothed, times: FloatArray) -> bool:
    """Whether rounding makes most of the errors of samples."""
    values, noise = smoothed.values(times), smoothed.noise
    errors = np.maximum(noise.sizes(values), TRUSTED * np.std(values))
    return bool(np.median(noise.rounding.sizes(values)) >= np.median(errors) > 0)


def _averaged(run: Run, variables: list[Smoothed], every: int) -> tuple[FloatArray, FloatArray]:
    """Samples at every few times, each with what those up to the next are off the smooth path.

    With them comes of how many each is the mean.
    """
    path = np.stack([each.values(run.times) for each in variables], axis=1)
    off = run.states - path
    first = np.arange(0, len(path), every)
    counts = np.add.reduceat(np.isfinite(off).astype(float), first)
    means = np.add.reduceat(np.nan_to_num(off), first) / np.maximum(counts, 1)
    return np.where(counts > 0, path[first] + means, np.nan), np.maximum(counts, 1)


def _use_measured(
    times: FloatArray, derivatives: FloatArray, slopes: FloatArray, errors: FloatArray
) -> None:
    """Put measured derivatives in the place of slopes that are less certain."""
    for k, column in enumerate(derivatives.T):
        if np.sum(np.isfinite(column)) >= FEWEST_DERIVATIVES:
            measured = smooth(times, column)
            noise = np.maximum(
                measured.noise.sizes(measured.values(times)), TRUSTED * np.nanstd(column)
            )
            better = np.isfinite(column) & (noise < errors[:, k])
            slopes[better, k], errors[better, k] = column[better], noise[better]


def _as_sampled(times: FloatArray, column: FloatArray) -> Smoothed:
    """An input as it was set: through its samples, and if it jumps with no wiggle between them."""
    from scipy.interpolate import PchipInterpolator

    smoothed = smooth(times, column)
    wiggles = np.max(smoothed.slope_errors * np.gradient(times))
    if smoothed.is_clean and wiggles <= SMOOTH * np.std(column):
        return smoothed
    return Smoothed(PchipInterpolator(times, column), times, np.zeros(len(times)), Noise(0.0))
