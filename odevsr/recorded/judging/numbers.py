"""Constants that are simple numbers, as far as samples tell.

Constants are often known better together than alone: noise leaves open how large a variable is, and
so what everything with it is multiplied by. The surest becomes a simple number first, and what that
says of the others counts for them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.evidence.exact import CHANCE, exact_value, simple_value
from odevsr.evidence.law import FittedNumber, inexact, replaced
from odevsr.fitting.shooting import Shot, covariance_of, merged, shoot
from odevsr.fitting.tape import record_tape
from odevsr.language.algebra.normal import normal_form
from odevsr.language.expression import (
    CONSTANT,
    Constant,
    Expression,
    Number,
    rebuild,
    walk,
    with_constants,
)
from odevsr.language.size import length
from odevsr.language.tidying.writings import writings
from odevsr.limits import DEFAULT_LIMITS, FINEST, LIKELY
from odevsr.recorded.motions.systems import MANY_STEPS, FittedSystem, closed
from odevsr.recorded.paths import Paths
from odevsr.recorded.score import NEAR

TOLERANCE = 1e-8
"""Of the motions' solver: what it leaves out moves constants that are known only together."""

Numbers = tuple[int | Fraction | None, ...]
"""For each constant of a system, one law behind the other, the simple number that it is."""


@dataclass(frozen=True, eq=False)
class Written:
    """A law, its constants with their errors, and its variable as the laws together move it."""

    law: Expression
    constants: tuple[FittedNumber, ...]
    path: FloatArray


def as_fitted(paths: Paths, system: FittedSystem) -> list[Written]:
    """The laws of a system with the numbers that fit best."""
    constants = _measured(system.shot, _inflation(paths))
    return [
        Written(closed(law), tuple(constants[system.constants_of(k)]), system.shot.path[:, k])
        for k, law in enumerate(system.laws)
    ]


def with_simple_numbers(paths: Paths, system: FittedSystem) -> list[Written]:
    """The laws of a system that explains the samples, with simple numbers where these agree.

    Errors are those that constants have if none of them is a simple number.
    """
    free = _fitted(paths, system, (None,) * len(system.shot.theta), _unknown(system.shot))
    if not free.shot.chi2 <= system.chi2 + NEAR:
        return as_fitted(paths, system)
    partial = free
    while (more := _with_more(paths, system, free, partial)) is not None:
        partial = more
    constants = _constants(paths, free, partial)
    path = partial.shot.path
    return [
        _written(paths, system.laws[k].law, constants[system.constants_of(k)], path[:, k])
        for k in range(len(system.laws))
    ]


@dataclass(frozen=True, eq=False)
class _Partial:
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


def _fitted(paths: Paths, system: FittedSystem, numbers: Numbers, unknown: FloatArray) -> _Partial:
    """The fit of what is unknown beside the numbers, from values nearby."""
    motion = merged(paths.whole, paths.bounds, system.segments)
    motion = replace(motion, tolerance=min(motion.tolerance, TOLERANCE))
    tape = record_tape(_laws(system, numbers), paths.names)
    theta, starts = np.split(unknown, [numbers.count(None)])
    shot = shoot(tape, motion, theta, starts.reshape(-1, paths.variables), MANY_STEPS)
    return _Partial(numbers, shot)


def _laws(system: FittedSystem, numbers: Numbers) -> list[Expression]:
    """The laws with simple numbers in place of constants that are such."""
    leaves = iter([CONSTANT if each is None else Number(each) for each in numbers])
    return [rebuild(each.law, leaves, Constant) for each in system.laws]


def _with_more(
    paths: Paths, system: FittedSystem, free: _Partial, partial: _Partial
) -> _Partial | None:
    """With all numbers at once that the fit suggests, or with the surest, if samples agree.

    Errors that are bounds may be used up once, those of chance by each number.
    """
    samples, inflation = paths.whole.count, _inflation(paths)
    before = free if paths.has_bounds else partial
    usual = max(before.shot.chi2, samples)
    tried = [partial.numbers]
    for most in (len(partial.open_places), 1):
        numbers, unknown = _suggested(partial, inflation, most)
        if numbers in tried:
            return None
        tried.append(numbers)
        more = _fitted(paths, system, numbers, unknown)
        new = len(partial.open_places) - len(more.open_places)
        allowed = usual if paths.has_bounds else new * LIKELY**2 * usual / samples
        if more.shot.chi2 - before.shot.chi2 <= allowed:
            return more
    return None


def _suggested(partial: _Partial, inflation: float, most: int) -> tuple[Numbers, FloatArray]:
    """Simple numbers, so many more at most, and where that moves what is still unknown."""
    numbers, unknown, normal = list(partial.numbers), _unknown(partial.shot), partial.shot.normal
    for _ in range(most):
        places = [place for place, number in enumerate(numbers) if number is None]
        covariance = covariance_of(normal, len(normal))
        errors = inflation * np.sqrt(np.diag(covariance))[: len(places)]
        known = sorted({Fraction(1), *(abs(Fraction(each)) for each in numbers if each)})
        surest = _surest(unknown[: len(places)], errors, known)
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
    likely = []
    for k, (value, error) in enumerate(zip(values.tolist(), errors.tolist(), strict=True)):
        found = simple_value(value, error, DEFAULT_LIMITS, LIKELY, known)
        if found is not None and error > 0:
            off = (value - float(found.number)) / error
            likely.append((found.chance * math.exp(off**2 / 2), k, found.number))
    chance, k, number = min(likely, default=(math.inf, 0, 0))
    return None if chance > CHANCE else (k, number)


def _written(
    paths: Paths, law: Expression, constants: Sequence[FittedNumber], path: FloatArray
) -> Written:
    """A law with its numbers, as people write it."""
    numbers = [each.value if each.exact is None else each.exact for each in constants]
    whole = normal_form(with_constants(law, numbers))
    return Written(_shortest(whole, constants, paths), tuple(constants), path)


def _constants(paths: Paths, free: _Partial, partial: _Partial) -> list[FittedNumber]:
    """Of all laws; those that are simple numbers with what was measured of them."""
    fitted = iter(partial.shot.theta.tolist())
    measured = _measured(free.shot, _inflation(paths))
    return [
        replace(alone, value=next(fitted)) if number is None else _simple(alone, number)
        for number, alone in zip(partial.numbers, measured, strict=True)
    ]


def _simple(measured: FittedNumber, number: int | Fraction) -> FittedNumber:
    """A constant that is a simple number, for certain if that is to be told of it alone."""
    alone = exact_value(measured.value, measured.error, DEFAULT_LIMITS)
    return replace(measured, exact=number, certain=alone == number)


def _inflation(paths: Paths) -> float:
    """How many times what they would be by chance errors are.

    Those without noise are bounds: of many samples they do not average out.
    """
    return math.sqrt(paths.whole.count) if paths.has_bounds else 1.0


def _measured(shot: Shot, inflation: float) -> list[FittedNumber]:
    """The constants of a fit with their errors, so many times what they are by chance."""
    pairs = zip(shot.theta.tolist(), shot.errors.tolist(), strict=True)
    return [FittedNumber(value, inflation * error) for value, error in pairs]


def _shortest(law: Expression, constants: Sequence[FittedNumber], paths: Paths) -> Expression:
    """In the shortest writing of which all numbers were fitted, or are simple; else as it is.

    Writings may lack what is next to nothing beside larger numbers; along the runs it must not be.
    """
    fitted = np.array([abs(each.value) for each in constants if each.exact is None])
    known = _exact_numbers(law)
    others = [each for each in writings(law) if all(map(_is_plain, _exact_numbers(each) - known))]
    for each in sorted([law, *others], key=length):
        short = _with_fitted(each, fitted)
        if short is not None and _is_same(paths, law, short):
            return short
    return law


def _exact_numbers(law: Expression) -> set[Fraction]:
    """The sizes of numbers that were not fitted."""
    numbers = (node.value for node in walk(law) if isinstance(node, Number))
    return {abs(Fraction(each)) for each in numbers if not isinstance(each, float)}


def _is_plain(number: Fraction) -> bool:
    """Whether a number says no more than the one it was made of, as a whole one or one over it."""
    return 1 in (number.numerator, number.denominator)


def _is_same(paths: Paths, law: Expression, other: Expression) -> bool:
    """Whether laws have the same values along the runs, but for rounding."""
    first, second = paths.along([law, other]).T
    with np.errstate(invalid="ignore"):
        apart = np.max(np.abs(first - second))
    return bool(apart <= FINEST * np.max(np.abs(first)))


def _with_fitted(law: Expression, sizes: FloatArray) -> Expression | None:
    """The law with the numbers that were fitted in place of those that rounding made of them."""
    numbers = inexact(law)
    near = [sizes[np.isclose(sizes, abs(each), rtol=FINEST, atol=0)] for each in numbers]
    if not all(map(len, near)):
        return None
    pairs = zip(numbers, near, strict=True)
    return replaced(law, numbers, [Number(math.copysign(size[0], each)) for each, size in pairs])
