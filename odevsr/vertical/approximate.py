"""What to show when no law was found: the short polynomial that comes nearest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.evidence.law import FittedNumber, Law, deviation_of
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Apply, Number, Op
from odevsr.language.monomials import monomials
from odevsr.language.normal import normal_form
from odevsr.world.sample import Sample

DEGREES = (4, 3, 2, 1)
MOST_TERMS = 12
"""More of them nobody reads."""


def best_polynomial(names: Sequence[str], sample: Sample, relevant: Sequence[str]) -> Law:
    """The polynomial of the highest degree that the data determine well, up to degree 4.

    It is one of the relevant variables, and is left with its most important terms.
    """
    for degree in DEGREES:
        features = monomials(relevant, degree)
        if 3 * len(features) <= len(sample.values) or degree == DEGREES[-1]:
            break
    columns = compile_field(features, names)(sample.states)
    scale = np.linalg.norm(columns, axis=0)
    scale[scale == 0] = 1.0
    kept, weights = _most_important(columns / scale, sample.values)
    coefficients = weights / scale[kept]
    pieces = tuple(
        Apply(Op.MUL, (Number(float(c)), features[index]))
        for c, index in zip(coefficients, kept, strict=True)
    )
    law = normal_form(Apply(Op.ADD, (*pieces, Number(0))))
    constants = tuple(FittedNumber(float(c), float("inf")) for c in coefficients)
    return Law(law, constants, deviation_of(law, names, sample))


def _most_important(columns: FloatArray, values: FloatArray) -> tuple[list[int], FloatArray]:
    """Columns that least squares can do without least, and their weights."""
    kept = list(range(columns.shape[1]))
    while True:
        inverse = np.linalg.pinv(columns[:, kept], rcond=1e-12)
        weights = inverse @ values
        if len(kept) <= MOST_TERMS:
            return kept, weights
        # What the residual grows by without a column, each alone.
        growth = weights**2 / np.maximum(np.sum(inverse**2, axis=1), 1e-300)
        del kept[int(np.argmin(growth))]
