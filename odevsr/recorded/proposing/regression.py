"""Least squares of a target in a few columns, kept as a triangle that says all about them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from odevsr.arrays import FloatArray, IntArray

HUGE = 1e100
"""Length beyond which a column is none."""
ROUNDING = 1e-15
MOST_KEPT = 14
"""Columns that are left of all where subsets are too large to be looked at one by one."""

Subset = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Regression:
    """Columns (r, M) of length 1 and a target (r,), turned so that r is no more than M + 1."""

    columns: FloatArray
    target: FloatArray
    lengths: FloatArray
    """That the columns had; inf of those that are nothing or huge, which are all 0 here."""

    @cached_property
    def usable(self) -> IntArray:
        """Which columns are neither nothing nor huge."""
        return np.flatnonzero(np.isfinite(self.lengths))

    def part(self, subset: Sequence[int]) -> Regression:
        """The same in some of the columns."""
        chosen = list(subset)
        return Regression(self.columns[:, chosen], self.target, self.lengths[chosen])

    @cached_property
    def coefficients(self) -> FloatArray:
        """Of the columns as they were; 0 of those that are none."""
        return np.asarray(np.linalg.lstsq(self.columns, self.target, rcond=1e-14)[0] / self.lengths)

    @property
    def left(self) -> float:
        """The sum of squares that the columns leave; inf if one of them is none."""
        if len(self.usable) < len(self.lengths):
            return math.inf
        return float(np.sum((self.target - self.columns @ (self.coefficients * self.lengths)) ** 2))

    @property
    def least_missed(self) -> int:
        """The column without which the sum of squares that is left grows least."""
        across, along = np.linalg.qr(self.columns)
        along[np.diag_indices(len(along))] += ROUNDING
        inverse = np.linalg.inv(along)
        missed = (inverse @ (across.T @ self.target)) ** 2 / np.sum(inverse**2, axis=1)
        return int(np.argmin(missed))

    def shortened(self) -> Iterator[Subset]:
        """Subsets larger than can be looked at one by one: of all columns the least missed goes."""
        kept = tuple(self.usable.tolist())
        while 1 < len(kept) < len(self.target):
            least = self.part(kept).least_missed
            kept = kept[:least] + kept[least + 1 :]
            if len(kept) <= MOST_KEPT:
                yield kept


@dataclass(frozen=True, eq=False)
class Regressions:
    """B regressions of one target: columns (B, r, M), targets (B, r) and lengths (B, M)."""

    columns: FloatArray
    targets: FloatArray
    lengths: FloatArray

    def __getitem__(self, block: int) -> Regression:
        return Regression(self.columns[block], self.targets[block], self.lengths[block])

    @property
    def floors(self) -> FloatArray:
        """The sums of squares that all columns together leave, at least."""
        return np.asarray(self.targets[:, -1] ** 2)


def regression_of(columns: FloatArray, target: FloatArray) -> Regression:
    """The regression of a target (rows,) in columns (rows, M)."""
    return regressions_of(columns, columns[:, :0], target, 1)[0]


def regressions_of(
    plain: FloatArray, special: FloatArray, target: FloatArray, blocks: int
) -> Regressions:
    """Regressions of a target (rows,) in plain columns, each with some of the special ones, too.

    What the plain ones hold is told once; the rest of the special ones is turned block by block.
    """
    (plain, held), (special, own) = _scaled(plain), _scaled(special)
    basis, above = np.linalg.qr(plain)
    everything = np.stack(
        [np.column_stack([each, target]) for each in np.split(special, blocks, axis=1)]
    )
    along = basis.T @ everything
    below = np.asarray(np.linalg.qr(everything - basis @ along, mode="r"))
    plain_columns = np.vstack([above, np.zeros((below.shape[1], len(held)))])
    other_columns = np.concatenate([along, below], axis=1)
    shared = np.broadcast_to(plain_columns, (blocks, *plain_columns.shape))
    return Regressions(
        np.concatenate([shared, other_columns[:, :, :-1]], axis=2),
        np.ascontiguousarray(other_columns[:, :, -1]),
        np.hstack([np.tile(held, (blocks, 1)), own.reshape(blocks, -1)]),
    )


def _scaled(columns: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The columns with length 1, and the lengths they had; inf of those that are none."""
    lengths = np.linalg.norm(np.clip(columns, -HUGE, HUGE), axis=0)
    lengths = np.where((lengths > 1 / HUGE) & (lengths < HUGE), lengths, math.inf)
    return np.asarray(columns / lengths), lengths
