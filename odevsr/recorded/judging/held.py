"""Whether laws follow what they were not fitted to."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.fitting.shooting import merged, shoot
from odevsr.fitting.tape import record_tape
from odevsr.language.expression import with_constants
from odevsr.recorded.motions.systems import FittedSystem, fit_system
from odevsr.recorded.paths import ROWS, Paths

HELD = 0.2
"""Share of each run, its end, that the laws are not fitted to."""
WORSE = 1.5
"""Factor by which residuals there may be larger than where the laws were fitted."""
FEWEST = 20
"""With fewer samples nothing is held out."""
STRETCH, WORST = 16, 4.0
"""So many samples in a row may be followed so many times worse, in squares, than all: where most of
a run is at rest, what moves must be followed, too."""


def follows(paths: Paths, system: FittedSystem, held: Paths | None) -> bool:
    """Whether the laws follow what was held out, or else the ends of runs left out of a fit.

    Only the state at the beginning of what was held out is fitted to it.
    """
    if held is not None:
        near = held.states[:, : held.variables]
        return _left(held, system, near) <= _allowed(system, paths)
    if len(paths.times) < FEWEST:
        return True
    ends = _ends(paths)
    first, last = _part(paths, ~ends), _part(paths, ends)
    shot = replace(system.shot, path=system.shot.path[~ends])
    fitted = fit_system(first, system.laws, system.segments, near=replace(system, shot=shot))
    return _left(last, fitted, system.shot.path[ends]) <= _allowed(fitted, first)


def _allowed(system: FittedSystem, paths: Paths) -> float:
    return WORSE**2 * max(1.0, system.chi2 / paths.whole.count)


def _left(paths: Paths, system: FittedSystem, near: FloatArray) -> float:
    """The mean square of residuals with the constants as they are, and starts near these states.

    Where a stretch is followed much worse, what counts is that.
    """
    motion = merged(paths.whole, paths.bounds, max(1, round(HELD * system.segments)))
    laws = [with_constants(each.law, each.theta.tolist()) for each in system.laws]
    starts = np.ascontiguousarray(near[motion.bounds[:-1]])
    shot = shoot(record_tape(laws, paths.names), motion, np.empty(0), starts)
    if not np.isfinite(shot.chi2):
        return np.inf
    whole = shot.chi2 / max(motion.count - starts.size, 1)
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
