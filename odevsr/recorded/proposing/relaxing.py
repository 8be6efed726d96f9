"""Laws of variables that relax fast: read off their samples, not off how these change.

Such a variable stays where its law is next to nothing: its slope is the small difference of large
terms, and less than what errors of a smooth path make of them. So x' = c*x + p is read the other
way round, x = x'/c - p/c, where the noise is that of x alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.expression import Variable
from odevsr.recorded.paths import Paths
from odevsr.recorded.proposing.candidates import Candidate, candidates
from odevsr.recorded.proposing.libraries import Library
from odevsr.recorded.proposing.rows import Rows
from odevsr.recorded.score import EXPLAINED, NEAR


@dataclass(frozen=True, eq=False)
class _Reversed(Candidate):
    """A law whose regression has the slope in its last column, and explains the variable itself."""

    @cached_property
    def theta(self) -> FloatArray:
        """Values of the law's constants to begin with: the regression's, solved for the slope."""
        *others, slope = self.regression.part(self.subset).coefficients
        return np.asarray(np.array([*others, -1.0]) / -slope)


@dataclass(frozen=True, eq=False)
class _Samples(Rows):
    """Rows of samples against terms, and against the slope in place of the variable itself."""

    @cached_property
    def errors(self) -> FloatArray:
        """Of the samples."""
        return np.asarray(self.paths.errors[self.chosen, self.equation])

    @cached_property
    def target(self) -> FloatArray:
        """The samples (rows,)."""
        return self._weighted(self.paths.samples[self.chosen, self.equation][:, None])[:, 0]

    def columns_of(self, library: Library) -> FloatArray:
        """Of all terms of a library, the last of which is the variable."""
        columns = library.field(self.paths.states[self.chosen])
        columns[:, -1] = self.paths.slopes[self.chosen, self.equation]
        return self._weighted(columns)


_NAMES = [each.name for each in fields(Candidate)]


def relaxing(paths: Paths, equation: int, library: Library) -> Iterator[Candidate]:
    """Laws that explain the samples of a variable that relaxes, with terms of a library."""
    own = Variable(paths.names[equation])
    others = tuple(each for each in library.plain if each != own)
    backwards = Library("relaxing", library.names, others, (own,))
    rows = _Samples(paths, equation, integral=False)
    most = EXPLAINED * int(np.count_nonzero(np.isfinite(rows.errors)))
    for found in candidates(rows, backwards, rows.columns_of(backwards)):
        each = _Reversed(**{name: getattr(found, name) for name in _NAMES})
        if each.chi2 <= most and each.theta[-1] < 0 and _needs_slope(each):
            yield each


def _needs_slope(candidate: Candidate) -> bool:
    """Whether the terms alone leave more; else they only tell where the variable may be."""
    return candidate.regression.part(candidate.subset[:-1]).left > candidate.chi2 + NEAR
