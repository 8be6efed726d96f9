"""The regression that laws are proposed by: rows of terms against what they must sum up to.

Two kinds of rows: the slope of the smooth path against the terms along it, and the sample itself
against the integrals of the terms. Slopes are sharper where there is next to no noise, integrals
where there is some.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from odevsr.arrays import FloatArray, IntArray
from odevsr.language.evaluate import Field
from odevsr.recorded.paths import Paths
from odevsr.recorded.proposing.libraries import Library

MOST_ROWS, LARGEST = 1500, 1e150


@dataclass(frozen=True, eq=False)
class Rows:
    """One equation's regression: rows of terms against a target, both over the row's error."""

    paths: Paths
    equation: int
    integral: bool

    @property
    def of_each_size(self) -> int:
        """Best subsets of a library that become candidates, of each size."""
        return 4

    @property
    def with_atom(self) -> int:
        """The same of all sizes, where there is an atom."""
        return 12

    @property
    def moves(self) -> int:
        """How often the constants of atoms are moved; integrals along smooth paths tell little."""
        return 0 if self.integral else 12

    @property
    def samples(self) -> int:
        """By whose number constants are counted."""
        return len(self.target)

    @property
    def least(self) -> float:
        """The sum of squares that a right law leaves, where it is known."""
        return 0.0

    @property
    def forgiven(self) -> float:
        """How much more one with an atom may leave before its constants are fitted."""
        return 0.0

    def expected(self, left: float, constants: int) -> float:
        """The sum of squares that so many constants would leave of other rows."""
        count = len(self.target)
        return left * count / max(count - constants, 1)

    @property
    def explained(self) -> float:
        """The sum of squares that a right law may leave: slopes may be off by ten such errors."""
        return 100.0 * len(self.target)

    @property
    def chosen(self) -> IntArray:
        """Rows that are used: of very many, every few."""
        count = len(self.paths.times)
        return np.arange(0, count, max(1, count // MOST_ROWS))

    @cached_property
    def errors(self) -> FloatArray:
        """Of the rows; inf where nothing was measured."""
        paths, k = self.paths, self.equation
        if self.integral:
            return np.asarray(paths.errors[self.chosen, k])
        errors = paths.slope_errors[self.chosen, k]
        size = np.sqrt(np.mean(paths.slopes[self.chosen, k] ** 2))
        return np.asarray(np.hypot(errors, 1e-9 * size + 1e-300))

    @cached_property
    def target(self) -> FloatArray:
        """What the terms must sum up to (rows,)."""
        paths, k = self.paths, self.equation
        values = paths.samples if self.integral else paths.slopes
        return self._weighted(values[self.chosen, k][:, None])[:, 0]

    def columns(self, terms: Field) -> FloatArray:
        """Weighted columns (rows, terms)."""
        if self.integral:
            return self._weighted(self.paths.integrals(terms)[self.chosen])
        return self._weighted(terms(self.paths.states[self.chosen]))

    def columns_of(self, library: Library) -> FloatArray:
        """Of all terms of a library; in a quotient those of the denominator times the slope."""
        columns = self.columns(library.field)
        if library.is_quotient:
            slopes = self.paths.slopes[self.chosen, self.equation]
            columns[:, len(library.plain) :] *= -slopes[:, None]
        return columns

    def _weighted(self, values: FloatArray) -> FloatArray:
        """Over the errors; of integrals the unknown start of each run is projected out."""
        weights = np.where(np.isfinite(self.errors), 1 / self.errors, 0.0)
        rows = (
            np.where(weights[:, None] > 0, np.clip(np.nan_to_num(values), -LARGEST, LARGEST), 0.0)
            * weights[:, None]
        )
        if self.integral:
            edges = np.searchsorted(self.chosen, self.paths.bounds)
            for first, last in pairwise(edges):
                unit = weights[first:last] / (np.linalg.norm(weights[first:last]) + 1e-300)
                rows[first:last] -= np.outer(unit, unit @ rows[first:last])
        return np.asarray(rows)
