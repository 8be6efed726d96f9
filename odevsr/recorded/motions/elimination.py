"""Whole systems of polynomials, fitted as motions and shortened term by term.

Regressions take the smooth path for the state, and where motion is fast and noise large it is not.
Here nothing is taken from the path but where to begin: all terms of all laws are fitted to the
samples at once, over short segments, and the one that is missed least goes, again and again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.language.algebra.term import added
from odevsr.language.expression import Expression
from odevsr.recorded.motions.systems import FittedLaw, FittedSystem, fit_system, without
from odevsr.recorded.paths import Paths
from odevsr.recorded.proposing.libraries import opened, polynomial
from odevsr.recorded.proposing.regression import regression_of
from odevsr.recorded.proposing.rows import Rows

MOST_CONSTANTS, DEGREES = 64, (2, 3, 4)
"""Constants of the first system, and the degrees of its terms."""
MOST_STARTS = 240
"""States with which all segments begin, in numbers."""
FIRST_STEPS, STEPS = 12, 4
NOTHING, AT_ONCE = 2.0, 0.25
"""Terms whose loss costs no more than the first may go several at a time, at most this share."""


def fine_segments(paths: Paths, samples: int) -> int:
    """Segments a run of so many samples each, if runs are few."""
    runs = len(paths.bounds) - 1
    most = MOST_STARTS // (runs * paths.variables)
    return max(1, min(most, len(paths.times) // (samples * runs)))


def full_systems(paths: Paths, segments: int) -> list[FittedSystem]:
    """All polynomials of each degree with which a full system can be followed."""
    most = MOST_CONSTANTS // paths.variables
    libraries = dict.fromkeys(polynomial(paths.names, degree, most) for degree in DEGREES)
    found = [_full(paths, terms, segments) for terms in libraries]
    return [system for system in found if np.isfinite(system.chi2)]


def _full(paths: Paths, terms: Sequence[Expression], segments: int) -> FittedSystem:
    """The system of sums of all these terms, begun at the slopes of the smooth path."""
    field, law = paths.field(terms), added([opened(each) for each in terms])
    laws = [
        FittedLaw(law, regression_of(rows.columns(field), rows.target).coefficients)
        for rows in (Rows(paths, k, integral=False) for k in range(paths.variables))
    ]
    return fit_system(paths, laws, segments, FIRST_STEPS)


def eliminated(paths: Paths, system: FittedSystem) -> FittedSystem:
    """The best of the systems from all terms down to one for each law."""
    return min(_shortened(paths, system), key=lambda each: each.score)


def _shortened(paths: Paths, system: FittedSystem) -> Iterator[FittedSystem]:
    while np.isfinite(system.chi2):
        yield system
        shorter = _shorter(system)
        if shorter is None:
            return
        system = fit_system(paths, shorter, system.segments, STEPS, system)


def without_idle(paths: Paths, system: FittedSystem) -> FittedSystem:
    """The system without terms as long as its score gets better."""
    while np.isfinite(system.chi2) and (laws := _shorter(system)) is not None:
        trial = fit_system(paths, laws, system.segments, STEPS, system)
        if not trial.score < system.score:
            break
        system = trial
    return system


def _shorter(system: FittedSystem) -> list[FittedLaw] | None:
    """The laws without the terms that are missed least; None if each has only one left."""
    sizes = [len(each.theta) for each in system.laws]
    owners = np.repeat(np.arange(len(sizes)), sizes)
    gone = _idle(system, np.array(sizes)[owners] == 1)
    if not gone.any():
        return None
    theta, errors = np.concatenate([each.theta for each in system.laws]), system.shot.errors
    among = (system.shot.covariance / np.outer(errors, errors))[:, gone]
    pulled = np.linalg.lstsq(among[gone], (theta / errors)[gone], rcond=1e-12)[0]
    theta = theta - errors * (among @ pulled)
    return [
        _part(each.law, theta[owners == k], gone[owners == k]) for k, each in enumerate(system.laws)
    ]


def _idle(system: FittedSystem, kept: BoolArray) -> BoolArray:
    """Which constants go: those without which the sum of squares grows least."""
    theta = np.concatenate([each.theta for each in system.laws])
    missed = (theta / system.shot.errors) ** 2
    missed[kept] = np.inf
    order = np.argsort(missed)
    several = min(int(np.sum(missed < NOTHING)), int(AT_ONCE * len(order)))
    gone = np.zeros(len(theta), dtype=bool)
    gone[order[: max(1, several)]] = True
    return gone & ~kept


def _part(law: Expression, theta: FloatArray, gone: BoolArray) -> FittedLaw:
    """A law without some of its terms, but not without the last of them."""
    left = np.arange(len(theta))
    for place in np.flatnonzero(gone):
        if place in left:
            shorter, kept = without(law, int(np.searchsorted(left, place)))
            if shorter is not None:
                law, theta, left = shorter, theta[kept], left[kept]
    return FittedLaw(law, theta)
