"""Candidates for one equation: the best sums of few terms from each library, by regression."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from odevsr.arrays import FloatArray, IntArray
from odevsr.language.evaluate import at_constants
from odevsr.language.expression import Expression
from odevsr.recorded.proposing.atoms import Atom, Values
from odevsr.recorded.proposing.constants import best_constants, remainder
from odevsr.recorded.proposing.libraries import Library
from odevsr.recorded.proposing.regression import (
    Regression,
    Subset,
    regression_of,
    regressions_of,
)
from odevsr.recorded.proposing.rows import Rows
from odevsr.recorded.proposing.subsets import Subsets, forgiven, subsets_of
from odevsr.recorded.score import constants_cost

MOST_SUBSETS, MOST_IN_SCAN = 150_000, 8_000
"""Subsets of a library that are looked at; and of one with an atom, for each of its constants."""
REFINED, MOST_REFINED = 4, 1_500
"""Up to this size, and of so many, the best subsets with an atom have its constants refined."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """Some terms of a library, with what they leave in a regression and their score."""

    library: Library
    subset: Subset
    values: Values
    regression: Regression
    """In the terms of the library, or in these alone."""
    chi2: float
    score: float
    hoped: float
    """The score it may have once constants of an atom, as they are in a scan, are right."""

    @property
    def constants(self) -> int:
        """How many constants the law has."""
        return len(self.subset) + len(self.values)

    @cached_property
    def law(self) -> Expression:
        """Its open constants are in the order of `theta`."""
        return self.library.law(self.subset)

    @cached_property
    def theta(self) -> FloatArray:
        """Values of the law's constants to begin with."""
        is_own = len(self.regression.lengths) == len(self.subset)
        own = self.regression if is_own else self.regression.part(self.subset)
        return np.array([*own.coefficients, *self.values])


def candidate(
    rows: Rows,
    library: Library,
    subset: Subset,
    values: Values,
    regression: Regression,
    left: float,
    spared: float = 0.0,
) -> Candidate:
    """Some terms of a library, and an atom's constants, that leave so much of the target."""
    constants = len(subset) + len(values)
    score = rows.expected(left, constants) + constants_cost(constants, rows.samples)
    score += float(np.sum(library.priors[list(subset)])) + library.prior
    return Candidate(library, subset, values, regression, left, score, score - spared)


def candidates(
    rows: Rows, library: Library, columns: FloatArray, farthest: float = math.inf
) -> Iterator[Candidate]:
    """The best laws of a library, of each size, unless they cost more than `farthest`.

    `columns` are those of all its terms; constants of an atom are scanned, then refined.
    """
    if library.is_quotient:
        return _quotients(rows, library, columns)
    if library.atom is None:
        return _sums(rows, library, columns, farthest)
    return _with_atom(rows, library, library.atom, columns, farthest)


def _sums(
    rows: Rows, library: Library, columns: FloatArray, farthest: float
) -> Iterator[Candidate]:
    alone = regressions_of(columns, columns[:, :0], rows.target, 1)
    whole, found = alone[0], subsets_of(rows, alone, library, MOST_SUBSETS, farthest)
    for subset, left in zip(found.each(), found.left.tolist(), strict=True):
        yield candidate(rows, library, subset, (), whole, left)
    if rows.paths.clean.all() and not library.comes_near_anything:
        for subset in whole.shortened():
            yield candidate(rows, library, subset, (), whole, whole.part(subset).left)


def _quotients(rows: Rows, library: Library, columns: FloatArray) -> Iterator[Candidate]:
    alone = regressions_of(columns, columns[:, :0], rows.target, 1)
    whole, found = alone[0], subsets_of(rows, alone, library, MOST_SUBSETS, math.inf).each()
    larger = whole.shortened() if rows.paths.clean.all() else ()
    for subset in dict.fromkeys([*found, *larger]):
        above = len(subset) - len(library.factors(subset))
        coefficients = whole.part(subset).coefficients
        left = _left_by_quotient(columns[:, list(subset)], coefficients, rows.target, above)
        yield candidate(rows, library, subset, (), whole, left)


def _left_by_quotient(
    columns: FloatArray, coefficients: FloatArray, target: FloatArray, above: int
) -> float:
    """The sum of squares that p/(1 + q) leaves of f, from the regression of f on p - f*q."""
    with np.errstate(all="ignore"):
        below = 1 - columns[:, above:] @ coefficients[above:] / target
        left = float(np.sum((target - columns[:, :above] @ coefficients[:above] / below) ** 2))
    return left if math.isfinite(left) and (below > 0).all() else math.inf


def _with_atom(
    rows: Rows, library: Library, atom: Atom, columns: FloatArray, farthest: float
) -> Iterator[Candidate]:
    """The most promising subsets, and some of each small size with constants where they are best.

    Large ones make up for wrong constants, and would come first otherwise; small ones of an atom
    with several leave much unless all are right.
    """
    plain, special = np.split(columns, [len(library.plain)], axis=1)
    scans = regressions_of(plain, special, rows.target, len(atom.values))
    found = subsets_of(rows, scans, library, MOST_IN_SCAN, farthest)
    begun = found
    if rows.moves and library.constants > 1:
        begun = subsets_of(rows, scans, library, MOST_REFINED, math.inf)
    small = begun.chosen(_small(begun, library.constants if rows.moves else 0))
    for subset, scan, left in zip(
        small.each(), small.scan.tolist(), small.left.tolist(), strict=True
    ):
        values = atom.values[scan]
        scanned = candidate(rows, library, subset, values, scans[scan], left)
        moved = refined(rows, library, subset, plain, values)
        yield moved if moved.score < scanned.score else scanned
    promising = np.argsort(found.hoped, kind="stable")[: rows.with_atom]
    others = found.chosen(promising)
    spared = forgiven(rows, library, others.left).tolist()
    known = set(small.each())
    for subset, scan, left, less in zip(
        others.each(), others.scan.tolist(), others.left.tolist(), spared, strict=True
    ):
        if subset not in known:
            yield candidate(rows, library, subset, atom.values[scan], scans[scan], left, less)


def _small(found: Subsets, constants: int) -> IntArray:
    """Which are the best of each small size: one, or more where an atom has several constants."""
    sizes = found.sizes
    of_each = [np.flatnonzero(sizes == size)[: constants**2] for size in range(1, REFINED + 1)]
    return np.concatenate(of_each)


def refined(
    rows: Rows, library: Library, subset: Subset, plain: FloatArray, values: Values
) -> Candidate:
    """The subset with its atom's constants, near these values, where they are best."""
    factors = [library.special[k] for k in library.factors(subset)]
    above, products = plain[:, list(subset[: -len(factors)])], library.open_field(factors)
    beside = remainder(above, rows.target)
    values = best_constants(rows, products, beside, values, rows.moves)
    columns = rows.columns(at_constants(products, values))
    own = regression_of(np.hstack([above, columns]), rows.target)
    return candidate(rows, library, subset, values, own, own.left)
