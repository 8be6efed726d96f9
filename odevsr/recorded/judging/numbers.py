"""Constants that are simple numbers, as far as samples tell.

Constants are often known better together than alone: noise leaves open how large a variable is, and
so what everything with it is multiplied by. The surest becomes a simple number first, and what that
says of the others counts for them.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.evidence.exact import CHANCE, Simple, simple_value
from odevsr.evidence.law import FittedNumber, inexact, replaced
from odevsr.fitting.shooting import Shot, covariance_of, merged, shoot
from odevsr.fitting.tape import record_tape
from odevsr.language.expression import CONSTANT, Constant, Expression, Number, rebuild
from odevsr.language.size import length
from odevsr.language.tidying.writings import writings
from odevsr.limits import DEFAULT_LIMITS, FINEST, LIKELY
from odevsr.recorded.motions.systems import MANY_STEPS, FittedLaw, FittedSystem, closed
from odevsr.recorded.paths import Paths
from odevsr.recorded.score import NEAR

TOLERANCE = 1e-8
"""Of the motions' solver: what it leaves out moves constants that are known only together."""

Numbers = tuple[int | Fraction | None, ...]
"""For each constant of a system, one law behind the other, the simple number that it is."""


@dataclass(frozen=True, eq=False)
class Written:
    """A law as people write it, and its constants with their errors."""

    law: Expression
    constants: tuple[FittedNumber, ...]


def as_fitted(system: FittedSystem, k: int) -> Written:
    """The law of one equation with the numbers that fit best."""
    return Written(closed(system.laws[k]), tuple(_measured(system.shot)[_own(system, k)]))


def with_simple_numbers(paths: Paths, system: FittedSystem) -> list[Written]:
    """The laws of a system that explains the samples, with simple numbers where these agree."""
    free = _fitted(paths, system, (None,) * len(system.shot.theta), _unknown(system.shot))
    if not free.shot.chi2 <= system.chi2 + NEAR:
        return [as_fitted(system, k) for k in range(len(system.laws))]
    bound = free
    while (more := _with_more(paths, system, bound)) is not None:
        bound = more
    return [_written(system, free, bound, k) for k in range(len(system.laws))]


@dataclass(frozen=True, eq=False)
class _Bound:
    """Constants of a system that are simple numbers, and the fit of all others beside them."""

    numbers: Numbers
    shot: Shot

    @property
    def open_places(self) -> list[int]:
        """Which constants are no simple numbers."""
        return [place for place, number in enumerate(self.numbers) if number is None]


def _unknown(shot: Shot) -> FloatArray:
    """What a fit looks for: constants, then starts."""
    return np.concatenate([shot.theta, shot.starts.ravel()])


def _fitted(paths: Paths, system: FittedSystem, numbers: Numbers, unknown: FloatArray) -> _Bound:
    """The fit of what is unknown beside the numbers, from values nearby."""
    motion = merged(paths.whole, paths.bounds, system.segments)
    motion = replace(motion, tolerance=min(motion.tolerance, TOLERANCE))
    tape = record_tape(_laws(system, numbers), paths.names)
    theta, starts = np.split(unknown, [numbers.count(None)])
    shot = shoot(tape, motion, theta, starts.reshape(-1, paths.variables), MANY_STEPS)
    return _Bound(numbers, shot)


def _laws(system: FittedSystem, numbers: Numbers) -> list[Expression]:
    """The laws with simple numbers in place of constants that are such."""
    leaves = iter([CONSTANT if each is None else Number(each) for each in numbers])
    return [rebuild(each.law, leaves, Constant) for each in system.laws]


def _with_more(paths: Paths, system: FittedSystem, bound: _Bound) -> _Bound | None:
    """With all numbers at once that the fit suggests, or with the surest, if samples agree."""
    samples = paths.whole.count
    usual = max(bound.shot.chi2, samples)
    # Bounds are no chance: errors of many samples do not average out.
    size = math.sqrt(samples) if paths.has_bounds else 1.0
    for most in (len(bound.open_places), 1):
        numbers, unknown = _suggested(bound, size, most)
        if numbers == bound.numbers:
            return None
        more = _fitted(paths, system, numbers, unknown)
        new = len(bound.open_places) - len(more.open_places)
        allowed = usual if paths.has_bounds else new * LIKELY**2 * usual / samples
        if more.shot.chi2 - bound.shot.chi2 <= allowed:
            return more
    return None


def _suggested(bound: _Bound, size: float, most: int) -> tuple[Numbers, FloatArray]:
    """Simple numbers, so many more at most, and where that moves what is still unknown.

    Errors are so many times what they would be by chance.
    """
    numbers, unknown, normal = list(bound.numbers), _unknown(bound.shot), bound.shot.normal
    for _ in range(most):
        places = [place for place, number in enumerate(numbers) if number is None]
        covariance = covariance_of(normal, len(normal))
        errors = size * np.sqrt(np.diag(covariance))[: len(places)]
        known = [each for each in numbers if each is not None]
        surest = _surest(unknown[: len(places)], errors, [1, *known])
        if surest is None:
            break
        k, number = surest
        moved = covariance[:, k] * ((unknown[k] - float(number)) / covariance[k, k])
        numbers[places[k]] = number
        unknown = np.delete(unknown - moved, k)
        normal = np.delete(np.delete(normal, k, axis=0), k, axis=1)
    return tuple(numbers), unknown


def _surest(
    values: FloatArray, errors: FloatArray, known: Collection[int | Fraction]
) -> tuple[int, int | Fraction] | None:
    """Which of the constants is most surely a simple number, and that number."""
    pairs = zip(values.tolist(), errors.tolist(), strict=True)
    found = [simple_value(*each, DEFAULT_LIMITS, LIKELY, known) for each in pairs]
    k, best = min(enumerate(found), key=lambda pair: _chance(pair[1]), default=(0, None))
    return None if best is None or best.chance > CHANCE else (k, best.number)


def _chance(found: Simple | None) -> float:
    return math.inf if found is None else found.chance


def _written(system: FittedSystem, free: _Bound, bound: _Bound, k: int) -> Written:
    """One law with its numbers, and how well each was known when all constants were free."""
    own, fitted = _own(system, k), iter(_measured(bound.shot))
    constants = [
        next(fitted) if number is None else replace(alone, exact=number)
        for number, alone in zip(bound.numbers, _measured(free.shot), strict=True)
    ][own]
    theta = np.array([each.value for each in constants if each.exact is None])
    law = closed(FittedLaw(_laws(system, bound.numbers)[k], theta))
    return Written(_shortest(law, theta), tuple(constants))


def _own(system: FittedSystem, k: int) -> slice:
    """Where the constants of one law are among all."""
    ends = np.cumsum([len(each.theta) for each in system.laws]).tolist()
    return slice(ends[k] - len(system.laws[k].theta), ends[k])


def _measured(shot: Shot) -> list[FittedNumber]:
    """The constants of a fit with their errors."""
    pairs = zip(shot.theta.tolist(), shot.errors.tolist(), strict=True)
    return [FittedNumber(value, error) for value, error in pairs]


def _shortest(law: Expression, fitted: FloatArray) -> Expression:
    """In the shortest writing of which all numbers were fitted, or are simple; else as it is."""
    found = (_with_fitted(each, fitted) for each in sorted([law, *writings(law)], key=length))
    return next((each for each in found if each is not None), law)


def _with_fitted(law: Expression, fitted: FloatArray) -> Expression | None:
    """The law with the numbers that were fitted in place of those that rounding made of them."""
    numbers = inexact(law)
    sizes = np.abs(fitted)
    near = [sizes[np.isclose(sizes, abs(each), rtol=FINEST, atol=0)] for each in numbers]
    if not all(map(len, near)):
        return None
    pairs = zip(numbers, near, strict=True)
    return replaced(law, numbers, [Number(math.copysign(size[0], each)) for each, size in pairs])
