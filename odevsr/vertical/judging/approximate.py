"""What to try and to show when rounds led nowhere: the short polynomial that comes nearest."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.evidence.data import Data
from odevsr.evidence.law import FittedNumber, Law
from odevsr.evidence.missed import determined_monomials
from odevsr.evidence.simplify import explaining_sum
from odevsr.language.algebra.normal import weighted_sum
from odevsr.limits import READABLE
from odevsr.vertical.asking.measuring import STATES
from odevsr.vertical.judging.case import Case, JudgedLaw
from odevsr.vertical.judging.doubt import Doubt
from odevsr.world.experiments.budget import OutOfBudgetError
from odevsr.world.sample import Sample

HIGHEST_DEGREE = 4
"""Highest degree of an approximation: one of degree 5, left with its most important terms, was
further from the law of a thermal factor than its mean (R2 -0.9, and 0.5 of degree 4)."""


def explaining_polynomial(case: Case, rng: np.random.Generator) -> JudgedLaw | None:
    """A sum of powers and products: terms far weaker than others may lead rounds astray."""
    data = case.measuring.fresh(4 * STATES, rng)
    law = explaining_sum(determined_monomials(data.names, HIGHEST_DEGREE, data), data)
    return None if law is None else case.judged(law, rng)


def nearest_polynomial(
    case: Case, relevant: Sequence[str], doubt: Doubt, rng: np.random.Generator
) -> JudgedLaw:
    """What comes nearest to a law where none was found."""
    fresh = _affordable(case, STATES, rng)
    sample = _affordable(case, 4 * STATES, rng)
    return JudgedLaw(best_polynomial(case.oracle.names, sample, relevant), (doubt,), fresh)


def _affordable(case: Case, count: int, rng: np.random.Generator) -> Sample:
    """Fresh measurements as far as the limits allow; else all that was measured."""
    affordable = case.oracle.affordable(count)
    if affordable >= count // 4:
        with suppress(OutOfBudgetError):
            return case.measuring.fresh(affordable, rng).sample
    return case.oracle.all_seen().measured()


def best_polynomial(names: Sequence[str], sample: Sample, relevant: Sequence[str]) -> Law:
    """The polynomial of the highest degree that the data determine well, up to `HIGHEST_DEGREE`.

    It is one of the relevant variables, and is left with its most important terms.
    """
    data = Data(names, sample)
    features = determined_monomials(relevant, HIGHEST_DEGREE, data)
    columns = data.values(features)
    scale = np.linalg.norm(columns, axis=0)
    scale[scale == 0] = 1.0
    kept, weights = _most_important(columns / scale, sample.values)
    coefficients = weights / scale[kept]
    law = weighted_sum(coefficients, [features[index] for index in kept])
    constants = tuple(FittedNumber(float(c), float("inf")) for c in coefficients)
    return Law(law, constants, data.deviation(law))


def _most_important(columns: FloatArray, values: FloatArray) -> tuple[list[int], FloatArray]:
    """Columns that least squares can do without least, few and none by chance; their weights."""
    kept = list(range(columns.shape[1]))
    while True:
        inverse = np.linalg.pinv(columns[:, kept], rcond=1e-12)
        weights = inverse @ values
        # What the residual grows by without a column, each alone; and what would not pay (BIC).
        growth = weights**2 / np.maximum(np.sum(inverse**2, axis=1), 1e-300)
        chance = float(np.mean((columns[:, kept] @ weights - values) ** 2))
        least = int(np.argmin(growth))
        if len(kept) == 1 or (
            len(kept) <= READABLE and growth[least] > np.log(len(values)) * chance
        ):
            return kept, weights
        del kept[least]
