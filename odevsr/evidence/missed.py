"""Terms that a law lacks, or has in place of others: low monomials that explain what it leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.evidence.law import Law, Residual, inexact, residuals, with_labels
from odevsr.language.algebra.monomials import few_monomials
from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.term import added, split_coefficient, terms
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import ONE, ZERO, Expression
from odevsr.limits import VAGUE
from odevsr.world.sample import Sample

DEGREE, ALIKE_DEGREE, MOST_TERMS = 3, 5, 120
"""Highest degree of the terms that may be missed, of those that may stand for one another, and how
many are looked at."""


@dataclass(frozen=True)
class Missed:
    """A term, and by how many errors its coefficient differs from nought beside the law."""

    term: Expression
    significance: float


def most_missed(law: Law, names: Sequence[str], sample: Sample) -> Missed:
    """The low monomial that the law lacks most."""
    own = tangents(law.expression, names, sample)
    candidates = few_monomials(names, DEGREE, MOST_TERMS)
    errors = sample.honest_errors[:, None]
    others = compile_field(candidates, names)(sample.states) / errors
    significance = beside(own, others, -residuals(law.expression, names, sample))
    best = int(np.argmax(significance))
    return Missed(candidates[best], float(significance[best])) if candidates else Missed(ONE, 0.0)


def look_alike(
    law: Law, names: Sequence[str], sample: Sample, sure: float
) -> tuple[Expression, Expression] | None:
    """A power or product in the law, and another that would explain the data nearly as well.

    It would if the sum of squares, in units of the errors, grew by less than the square of `sure`.
    """
    summands = terms(normal_form(law.expression))
    functions = [split_coefficient(term)[1] for term in summands]
    low = few_monomials(names, ALIKE_DEGREE, MOST_TERMS)
    others = [each for each in low if each not in functions]

    def columns(some: Sequence[Expression]) -> FloatArray:
        found: FloatArray = compile_field([*some, ONE], names)(sample.states)[:, :-1]
        return found / sample.honest_errors[:, None]

    for place, function in enumerate(functions):
        if function in low and others:
            rest = normal_form(added([ZERO, *summands[:place], *summands[place + 1 :]]))
            own = [*functions[:place], *functions[place + 1 :]]
            beside_it = np.column_stack([columns(own), tangents(rest, names, sample)])
            left = residuals(rest, names, sample)
            explained = beside(beside_it, columns([function, *others]), left) ** 2
            best = int(np.argmax(explained[1:]))
            if explained[0] - explained[1 + best] < sure**2:
                return function, others[best]
    return None


def beside(own: FloatArray, others: FloatArray, left: FloatArray) -> FloatArray:
    """Significance of each column of `others` (N, m) in what is left (N,), beside one's own."""
    basis, _ = np.linalg.qr(own)
    missing, rest = (each - basis @ (basis.T @ each) for each in (left[:, None], others))
    norms = np.linalg.norm(rest, axis=0)
    usable = norms > VAGUE * np.linalg.norm(others, axis=0)
    significance: FloatArray = np.abs(rest.T @ missing)[:, 0] / np.where(usable, norms, np.inf)
    return significance


def tangents(law: Expression, names: Sequence[str], sample: Sample) -> FloatArray:
    """What small changes of the law's inexact numbers do (N, numbers), in units of the errors."""
    numbers = inexact(law)
    if not numbers:
        return np.empty((len(sample.values), 0))
    return Residual(*with_labels(law, numbers), names, sample).slopes(np.array(numbers))
