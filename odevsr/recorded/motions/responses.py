"""How the motion of a fitted system would respond to small changes of its laws.

A term added to a law with a small coefficient moves the motion by the solution of a linear equation
along it; so do changes of constants and starts. From these responses comes, without any fit, what a
term would explain, with which coefficient, and how certain that is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from odevsr.arrays import FloatArray, IntArray
from odevsr.fitting.respond import respond, shade
from odevsr.fitting.shooting import merged
from odevsr.language.evaluate import Field, compile_field, compile_open
from odevsr.recorded.motions.systems import FittedLaw, FittedSystem, closed
from odevsr.recorded.paths import Paths

NUDGE = 1e-6
"""Relative change by which derivatives are taken."""
DEPENDENT = 1e-6
"""Share of a term's response that those of the constants leave, below which they hold it."""
FAR = 1e12
STEEPEST = 50.0
"""Rate, between two samples, beyond which changes are not told any more."""


@dataclass(frozen=True, eq=False)
class Additions:
    """What terms (T,) would bring if one of them were added to each of d laws."""

    gains: FloatArray
    """By how much the sum of squares would fall; 0 where constants hold the term already."""
    coefficients: FloatArray
    """Of the terms (T, d) in these laws,"""
    errors: FloatArray
    """and their errors."""
    constants: FloatArray
    """Values (p, T) of the system's own constants beside each term,"""
    constant_errors: FloatArray
    """and their errors."""


@dataclass(frozen=True, eq=False)
class Along:
    """Values (N, T) of functions along a motion, at the samples and in the middle behind each."""

    ends: FloatArray
    middles: FloatArray


@dataclass(frozen=True, eq=False)
class Line:
    """A motion (N, m), made linear: how small changes go on from each sample to the next."""

    names: tuple[str, ...]
    bounds: IntArray
    steps: FloatArray
    ends: FloatArray
    middles: FloatArray
    half: FloatArray
    """Transitions (N, m, m) from the middle between two samples to the next of them,"""
    whole: FloatArray
    """and from each sample to the next."""
    weights: FloatArray

    @cached_property
    def shadows(self) -> FloatArray:
        """For each segment an orthonormal basis (N, m, m) of what its start can make up for."""
        size = self.whole.shape[1]
        return np.concatenate(
            [
                np.linalg.qr(self._of_start(first, end).reshape(-1, size))[0].reshape(
                    -1, size, size
                )
                for first, end in pairwise(self.bounds.tolist())
            ]
        )

    def _of_start(self, first: int, end: int) -> FloatArray:
        """Responses (samples, m, m) of a segment to its start."""
        size = self.whole.shape[1]
        response = np.empty((end - first, size, size))
        response[0] = np.eye(size)
        for j in range(1, end - first):
            response[j] = self.whole[first + j - 1] @ response[j - 1]
        return np.nan_to_num(self.weights[first:end, :, None] * response)

    def responses(self, equation: int, functions: Along) -> FloatArray:
        """What functions, added to one law, bring at the samples (N*m, T), in errors."""
        found = np.empty((*self.weights.shape, functions.ends.shape[1]))
        respond(
            self.whole, self.half, self.steps, self.weights, self.shadows, self.bounds, equation,
            functions.ends, functions.middles, found,
        )  # fmt: skip
        return found.reshape(len(found) * found.shape[1], -1)

    def shaded(self, values: FloatArray) -> FloatArray:
        """Values (N, m) less what the starts of segments can make up for, one after the other."""
        rest = np.nan_to_num(values)[:, :, None]
        shade(self.shadows, self.bounds, rest)
        return rest.ravel()


@dataclass(frozen=True, eq=False)
class Responses:
    """Responses (N*m, p) to a system's constants, and what it leaves of the samples (N*m,).

    Both are in errors, and less what the starts of segments can make up for.
    """

    line: Line
    theta: FloatArray
    own: FloatArray
    left: FloatArray
    owners: IntArray
    """To which law each constant belongs."""

    def others(self, laws: Sequence[int]) -> FloatArray:
        """An orthonormal basis of what the constants of all laws but these can make up for."""
        return np.linalg.qr(self.own[:, ~np.isin(self.owners, laws)])[0]

    def to(self, equation: int, functions: Along) -> FloatArray:
        """Responses (N*m, T) to functions added to one law; not finite where they have no value."""
        return self.line.responses(equation, functions)

    def along(self, field: Field) -> Along:
        """The values of functions along the motion, the same for each law."""
        return Along(field(self.line.ends), field(self.line.middles))

    @cached_property
    def _scale(self) -> FloatArray:
        return np.asarray(np.linalg.norm(self.own, axis=0) + 1e-300)

    @cached_property
    def _inverse(self) -> FloatArray:
        """Of the normal matrix of the constants, each over its scale."""
        own = self.own / self._scale
        return np.asarray(np.linalg.pinv(own.T @ own, rcond=1e-12, hermitian=True))

    def additions(self, forced: Sequence[FloatArray]) -> Additions:
        """What functions would bring, each added to several laws at once.

        `forced` are the responses (N*m, T) to them in each of these laws.
        """
        with np.errstate(all="ignore"):
            columns = np.stack(forced, axis=2)
            size = np.linalg.norm(columns, axis=0)
        usable = np.all(np.isfinite(size) & (size > 0) & (size < FAR), axis=1)
        size = np.where(usable[:, None], size, 1.0)
        unit = np.where(usable[:, None], columns, 0.0) / size
        scale, inverse = self._scale, self._inverse
        own = self.own / scale
        along = np.tensordot(own, unit, (0, 0))
        across = np.tensordot(inverse, along, 1)
        rest = np.einsum("rtd,rte->tde", unit, unit) - np.einsum("ptd,pte->tde", along, across)
        usable &= np.linalg.eigvalsh(rest)[:, 0] > DEPENDENT
        inner = np.zeros_like(rest)
        inner[usable] = np.linalg.inv(rest[usable])
        shared = own.T @ self.left
        pulls = np.tensordot(unit, self.left, (0, 0)) - np.tensordot(across, shared, (0, 0))
        changes = np.einsum("tde,te->td", inner, pulls)
        moved = np.einsum("ptd,td->pt", across, changes) - (inverse @ shared)[:, None]
        spread = np.einsum("ptd,tde,pte->pt", across, inner, across)
        return Additions(
            gains=np.sum(pulls * changes, axis=1),
            coefficients=-changes / size,
            errors=np.where(usable[:, None], np.sqrt(np.einsum("tdd->td", inner)) / size, np.inf),
            constants=self.theta[:, None] + moved / scale[:, None],
            constant_errors=np.sqrt(np.diag(inverse)[:, None] + spread) / scale[:, None],
        )


def responses_of(paths: Paths, system: FittedSystem) -> Responses:
    """The responses of a fitted system."""
    with np.errstate(all="ignore"):
        return _responses_of(paths, system)


def _responses_of(paths: Paths, system: FittedSystem) -> Responses:
    line = _line(paths, system)
    parts = [
        line.responses(
            k,
            Along(
                by_constants(each, line.names, line.ends),
                by_constants(each, line.names, line.middles),
            ),
        )
        for k, each in enumerate(system.laws)
    ]
    own = np.clip(np.nan_to_num(np.hstack(parts)), -FAR, FAR)
    left = line.shaded(line.weights * (system.shot.path - np.nan_to_num(paths.samples)))
    theta = np.concatenate([each.theta for each in system.laws])
    owners = np.repeat(np.arange(len(parts)), [len(each.theta) for each in system.laws])
    return Responses(line, theta, own, np.clip(left, -FAR, FAR), owners)


def _line(paths: Paths, system: FittedSystem) -> Line:
    from scipy.linalg import expm

    m = paths.variables
    motion = merged(paths.whole, paths.bounds, system.segments)
    field = compile_field([closed(each) for each in system.laws], paths.names)
    ends = np.hstack([system.shot.path, paths.states[:, m:]])
    rates = field(ends)
    sums, bends = ends[:-1, :m] + ends[1:, :m], rates[:-1] - rates[1:]
    between = sums / 2 + paths.steps[:-1, None] * bends / 8
    middles = np.hstack([np.vstack([between, ends[-1:, :m]]), paths.nodes[:, 1, m:]])
    slopes = np.empty((len(ends), m, m))
    for k in range(m):
        nudge = np.zeros(ends.shape[1])
        nudge[k] = NUDGE * motion.scale[k]
        slopes[:, :, k] = (field(middles + nudge) - field(middles - nudge)) / (2 * nudge[k])
    slopes = np.nan_to_num(slopes) * paths.steps[:, None, None]
    half = expm(np.clip(slopes, -STEEPEST, STEEPEST) / 2)
    return Line(
        paths.names, motion.bounds, paths.steps, ends, middles, half, half @ half, motion.weights
    )


def by_constants(law: FittedLaw, names: Sequence[str], states: FloatArray) -> FloatArray:
    """Derivatives (N, p) of a law by its constants."""
    field, theta = compile_open([law.law], names), law.theta
    nudges = np.diag(NUDGE * np.maximum(np.abs(theta), NUDGE))
    pairs = [(field(states, theta + each), field(states, theta - each)) for each in nudges]
    return np.hstack([above - below for above, below in pairs]) / (2 * np.diag(nudges))
