"""The constants of an atom, moved to where its terms leave least of a target."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.evaluate import OpenField, at_constants
from odevsr.recorded.proposing.atoms import Values
from odevsr.recorded.proposing.regression import HUGE
from odevsr.recorded.proposing.rows import Rows

FARTHEST = 3.0
"""How far constants of atoms move, in logarithms."""


@dataclass(frozen=True, eq=False)
class Remainder:
    """What plain terms leave of a target, and a basis of all that they can make up for."""

    basis: FloatArray
    rest: FloatArray

    def less(self, columns: FloatArray) -> FloatArray:
        """What is left of the rest beside further columns."""
        if not np.abs(columns).max(initial=0.0) < HUGE:
            return np.full(len(self.rest), math.inf)
        beside = _basis(columns - self.basis @ (self.basis.T @ columns))
        return np.asarray(self.rest - beside @ (beside.T @ self.rest))


def remainder(plain: FloatArray, target: FloatArray) -> Remainder:
    """What is left of a target by plain columns."""
    basis = _basis(plain)
    return Remainder(basis, target - basis @ (basis.T @ target))


def _basis(columns: FloatArray) -> FloatArray:
    size = np.linalg.norm(columns, axis=0)
    return np.linalg.qr(columns[:, size > 0] / size[size > 0])[0]


def best_constants(
    rows: Rows,
    terms: OpenField,
    beside: Remainder,
    values: Values,
    most_moves: int,
    precision: float = 1e-8,
) -> Values:
    """The constants that all terms share, near these values, at which they leave least."""
    from scipy.optimize import leastsq

    start = np.array(values)

    def moved(logarithms: FloatArray) -> FloatArray:
        return np.asarray(start * np.exp(np.clip(logarithms, -FARTHEST, FARTHEST)))

    def left(logarithms: FloatArray) -> FloatArray:
        rest = beside.less(rows.columns(at_constants(terms, moved(logarithms))))
        return np.clip(np.nan_to_num(rest, nan=HUGE), -HUGE, HUGE)

    found = leastsq(
        left,
        np.zeros(len(start)),
        full_output=True,
        ftol=precision,
        xtol=precision,
        maxfev=most_moves * (1 + len(start)),
        factor=1.0,
        diag=np.ones(len(start)),
    )
    return tuple(moved(found[0]).tolist())
