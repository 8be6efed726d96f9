"""Terms that a law lacks: which low monomial would explain most of what it leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.evidence.law import Law, inexact, residual_of, residuals, slopes, with_labels
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import ONE, Expression
from odevsr.language.monomials import monomials
from odevsr.world.sample import Sample

DEGREES, MOST_TERMS = (3, 2, 1), 120
"""Degrees of monomials, the highest that gives no more terms than this is looked at."""
DISTINCT = 1e-3
"""Share of a term that the law's own numbers must not be able to stand for."""


@dataclass(frozen=True)
class Missed:
    """A term, and by how many errors its coefficient differs from nought beside the law."""

    term: Expression
    significance: float


def most_missed(law: Law, names: Sequence[str], sample: Sample) -> Missed:
    """The low monomial that the law lacks most."""
    own = tangents(law.expression, names, sample)
    candidates = next(
        found
        for degree in DEGREES
        if len(found := monomials(names, degree)) <= MOST_TERMS or degree == DEGREES[-1]
    )
    errors = sample.honest_errors[:, None]
    others = compile_field(candidates, names)(sample.states) / errors
    significance = beside(own, others, -residuals(law.expression, names, sample))
    best = int(np.argmax(significance))
    return Missed(candidates[best], float(significance[best])) if candidates else Missed(ONE, 0.0)


def beside(own: FloatArray, others: FloatArray, left: FloatArray) -> FloatArray:
    """Significance of each column of `others` (N, m) in what is left (N,), beside one's own."""
    basis, _ = np.linalg.qr(own)
    missing, rest = (each - basis @ (basis.T @ each) for each in (left[:, None], others))
    norms = np.linalg.norm(rest, axis=0)
    usable = norms > DISTINCT * np.linalg.norm(others, axis=0)
    significance: FloatArray = np.abs(rest.T @ missing)[:, 0] / np.where(usable, norms, np.inf)
    return significance


def tangents(law: Expression, names: Sequence[str], sample: Sample) -> FloatArray:
    """What small changes of the law's inexact numbers do (N, numbers), in units of the errors."""
    numbers = inexact(law)
    if not numbers:
        return np.empty((len(sample.values), 0))
    residual = residual_of(*with_labels(law, numbers), names, sample)
    return slopes(residual, np.array(numbers))
