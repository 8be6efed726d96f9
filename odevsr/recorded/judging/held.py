"""Whether laws follow what they were not fitted to."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.fitting.shooting import Shot, apart, merged, shoot
from odevsr.fitting.tape import record_tape
from odevsr.language.expression import Expression, with_constants
from odevsr.recorded.motions.systems import FittedSystem, fit_system
from odevsr.recorded.paths import ROWS, Paths

HELD = 0.2
"""Share of each run, its end, that the laws are not fitted to."""
WORSE = 1.5
"""Factor by which residuals there may be larger than where the laws were fitted."""
FINER = (16, 8, 4, 2, 1)
"""Where motions part fast, starts are found over stretches so many times as short, one after the
other. A quarter must be followed,"""
CHANCE = 4.0
"""and constants that are right be no more standard deviations of a sum of squares worse."""
NOTHING = np.empty(0)
"""Constants that are open where none is."""
FEWEST = 20
"""With fewer samples nothing is held out."""
STRETCH, WORST = 16, 4.0
"""So many samples in a row may be followed so many times worse, in squares, than all: where most of
a run is at rest, what moves must be followed, too."""


def follows(paths: Paths, system: FittedSystem, held: Paths | None) -> bool:
    """Whether the laws follow what was held out, or else the ends of runs left out of a fit.

    Only the state at the beginning of what was held out is fitted to it.
    """
    stretch = _duration(paths) / system.segments
    if held is not None:
        return follows_runs(held, system, stretch, _allowed(system, paths))
    if len(paths.times) < FEWEST:
        return True
    ends = _ends(paths)
    first, last = _part(paths, ~ends), _part(paths, ends)
    shot = replace(system.shot, path=system.shot.path[~ends])
    fitted = fit_system(first, system.laws, system.segments, near=replace(system, shot=shot))
    segments = max(1, round(_duration(last) / stretch))
    (own,) = _lengthened(last, _as_found(fitted), NOTHING, system.shot.path[ends], [segments])
    return _left(last, own) <= _allowed(fitted, first)


def follows_runs(paths: Paths, system: FittedSystem, stretch: float, most: float) -> bool:
    """Whether the laws follow whole runs, for about so long at a time.

    Where motions part fast, small errors of constants grow along them. There it is enough if parts
    are followed, and the whole by constants that are the same as far as errors tell.
    """
    segments = max(1, round(_duration(paths) / stretch))
    finer = [each * segments for each in FINER]
    near, laws = paths.states[:, : paths.variables], _as_found(system)
    for several in ([segments], finer):
        *shorter, whole = _lengthened(paths, laws, NOTHING, near, several)
        if _left(paths, whole) <= most:
            return True
    parts = shorter[-2]
    if not _left(paths, parts) <= most:
        return False
    theta = np.concatenate([each.theta for each in system.laws])
    opened = [each.law for each in system.laws]
    *_, freely = _lengthened(paths, opened, theta, parts.path, finer[-3:])
    by_chance = len(theta) + CHANCE * math.sqrt(2 * len(theta))
    return _left(paths, freely) <= most and apart(freely, system.shot) <= most * by_chance


def _as_found(system: FittedSystem) -> list[Expression]:
    """The laws with their constants, which no fit moves."""
    return [with_constants(each.law, each.theta.tolist()) for each in system.laws]


def _lengthened(
    paths: Paths,
    laws: Sequence[Expression],
    theta: FloatArray,
    near: FloatArray,
    segments: Sequence[int],
) -> Iterator[Shot]:
    """Motions over so many segments a run, each begun on the one before, the first near states."""
    tape = record_tape(laws, paths.names)
    for each in segments:
        motion = merged(paths.whole, paths.bounds, each)
        shot = shoot(tape, motion, theta, np.ascontiguousarray(near[motion.bounds[:-1]]))
        if np.isfinite(shot.chi2):
            near, theta = shot.path, shot.theta
        yield shot


def _duration(paths: Paths) -> float:
    """Of a run, on average."""
    return float(np.mean(paths.times[paths.bounds[1:] - 1] - paths.times[paths.bounds[:-1]]))


def _allowed(system: FittedSystem, paths: Paths) -> float:
    return WORSE**2 * max(1.0, system.chi2 / paths.whole.count)


def _left(paths: Paths, shot: Shot) -> float:
    """The mean square of residuals; where a stretch is followed much worse, what counts is that."""
    if not np.isfinite(shot.chi2):
        return np.inf
    whole = shot.chi2 / max(paths.whole.count - shot.starts.size, 1)
    return max(whole, _of_worst_stretch(paths, shot.path) / WORST)


def _of_worst_stretch(paths: Paths, path: FloatArray) -> float:
    """The largest mean square of a few samples in a row, of any variable."""
    squares = (paths.whole.weights * (path - paths.whole.samples)) ** 2
    sums = np.cumsum(np.vstack([np.zeros(paths.variables), squares]), axis=0)
    means = (sums[STRETCH:] - sums[:-STRETCH]) / STRETCH
    return float(np.max(means, initial=0.0))


def _ends(paths: Paths) -> BoolArray:
    """Which samples are the ends of their runs."""
    ends = np.zeros(len(paths.times), dtype=bool)
    for first, last in pairwise(paths.bounds.tolist()):
        ends[last - max(2, round(HELD * (last - first))) : last] = True
    return ends


def _part(paths: Paths, chosen: BoolArray) -> Paths:
    """Some samples; runs of which none is chosen are none."""
    counts = [int(np.sum(chosen[first:last])) for first, last in pairwise(paths.bounds.tolist())]
    return replace(
        paths,
        bounds=np.cumsum([0, *filter(None, counts)], dtype=np.int64),
        **{name: getattr(paths, name)[chosen] for name in ROWS},
    )
