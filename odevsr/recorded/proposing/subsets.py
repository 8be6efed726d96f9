"""The best subsets of a library's terms in a regression, of each size."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import numpy as np

from odevsr.arrays import FloatArray, IntArray
from odevsr.fitting.subsets import best_subsets
from odevsr.recorded.proposing.libraries import Library
from odevsr.recorded.proposing.regression import Regressions, Subset
from odevsr.recorded.proposing.rows import Rows
from odevsr.recorded.score import constants_cost

MOST_TERMS = 7
"""Of the largest subsets."""


@dataclass(frozen=True, eq=False)
class Subsets:
    """Subsets (n, MOST_TERMS) of a library's terms, falling, with -1 behind their ends."""

    terms: IntArray
    left: FloatArray
    """Sums of squares (n,) that they leave,"""
    totals: FloatArray
    """these and what the terms cost,"""
    hoped: FloatArray
    """and what both may be once the constants of an atom are fitted."""
    scan: IntArray
    """At which of the atom's constants they were looked at."""

    @property
    def sizes(self) -> IntArray:
        """How many terms each has."""
        return np.asarray(np.sum(self.terms >= 0, axis=1))

    def each(self) -> list[Subset]:
        """The terms of each, rising."""
        return [
            tuple(row[:size][::-1])
            for row, size in zip(self.terms.tolist(), self.sizes.tolist(), strict=True)
        ]

    def chosen(self, places: IntArray) -> Subsets:
        """Some of them."""
        return Subsets(*(getattr(self, each.name)[places] for each in fields(self)))


def subsets_of(
    rows: Rows, scans: Regressions, library: Library, looked: int, farthest: float
) -> Subsets:
    """The best subsets, as large as so many can be looked at, each at its best scan.

    Those that cost more than `farthest`, and can hope for nothing less, are passed over.
    """
    farthest -= constants_cost(library.constants, rows.samples) + library.prior
    costs = library.priors + constants_cost(1, rows.samples)
    most = largest(len(costs), MOST_TERMS, looked)
    totals, chosen = cheapest(
        scans, costs, len(library.plain), farthest - scans.floors, (most, rows.of_each_size)
    )
    near = np.nonzero(totals < farthest + rows.forgiven)
    terms = np.full((len(near[0]), MOST_TERMS), -1)
    terms[:, :most] = chosen[near]
    terms[np.arange(MOST_TERMS) > near[1][:, None]] = -1
    left = totals[near] - np.sum(np.where(terms >= 0, costs[terms], 0.0), axis=1)
    hoped = totals[near] - forgiven(rows, library, left)
    found = Subsets(terms, left, totals[near], hoped, near[0])
    return _once(found.chosen(np.flatnonzero(hoped < farthest)), len(costs))


def cheapest(
    regressions: Regressions,
    costs: FloatArray,
    plain: int,
    farthest: FloatArray,
    kept: tuple[int, int],
) -> tuple[FloatArray, IntArray]:
    """Totals (regressions, sizes, n) of the n best subsets of each size, and their terms, falling.

    `kept` are the largest size and n. Each has a term behind the first `plain`, if there are any.
    """
    totals = np.full((len(regressions.targets), *kept), math.inf)
    chosen = np.zeros((*totals.shape, kept[0]), dtype=np.int64)
    columns = np.ascontiguousarray(np.moveaxis(regressions.columns, 1, 2))
    best_subsets(columns, costs, regressions.targets, plain, kept[0], farthest, totals, chosen)
    return totals, chosen


def forgiven(rows: Rows, library: Library, left: FloatArray) -> FloatArray:
    """What of sums of squares may be due to constants of an atom that are not right yet."""
    return np.clip(left - rows.least, 0.0, 0.0 if library.atom is None else rows.forgiven)


def largest(columns: int, terms: int, looked: int) -> int:
    """The size, of so many terms at most, up to which no more subsets are than may be looked at."""
    subsets, most = 0, 0
    while most < min(columns, terms):
        subsets += math.comb(columns, most + 1)
        if subsets > looked:
            break
        most += 1
    return max(most, 1)


def _once(found: Subsets, terms: int) -> Subsets:
    """Each subset of so many terms once, as it was where it leaves least; best first."""
    rising = found.chosen(np.argsort(found.totals, kind="stable"))
    names = (rising.terms + 1) @ (terms + 1) ** np.arange(MOST_TERMS)
    return rising.chosen(np.sort(np.unique(names, return_index=True)[1]))
