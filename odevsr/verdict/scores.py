"""How good a law is: each score defined once.

R2 and NMSE say how well a law fits; wrong laws reach high ones. Exact recovery, and precision and
recall of terms, say whether it is the law, and how much of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.algebra.normal import is_invalid, normal_form
from odevsr.language.algebra.term import split_coefficient, terms
from odevsr.language.expression import ZERO, Expression
from odevsr.language.size import size
from odevsr.verdict.equivalence import is_equivalent, same_form
from odevsr.world.box import Box

PAPER_R2 = 0.9999
"""The R2 from which on the paper counts an equation as found."""


@dataclass(frozen=True)
class FormScores:
    """A law beside the truth: what does not depend on any data; None without a truth."""

    exact: bool | None
    precision: float | None
    recall: float | None
    terms: int
    complexity: int


def nmse(predicted: FloatArray, measured: FloatArray) -> float:
    """Mean square error divided by the variance of what was measured, both (N,).

    0 for a perfect prediction, 1 for the mean; infinite where a prediction has no value, and where
    something that does not vary is missed.

    >>> nmse(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 6.0])).__round__(3)
    0.643
    """
    error = float(np.mean((predicted - measured) ** 2))
    variance = float(np.var(measured))
    if not np.isfinite(error):
        return float("inf")
    if variance == 0.0:
        return 0.0 if error == 0.0 else float("inf")
    return error / variance


def r2(predicted: FloatArray, measured: FloatArray) -> float:
    """1 - NMSE, the coefficient of determination."""
    return 1.0 - nmse(predicted, measured)


def r2_text(error: float) -> str:
    """R2 with as many nines as it has, for a NMSE.

    >>> r2_text(3e-9), r2_text(0.25), r2_text(0.0)
    ('1 - 3e-09', '0.75', '1')
    """
    if not np.isfinite(error):
        return "-inf"
    return f"1 - {error:.0e}" if 0 < error < 1e-4 else f"{1 - error:.4g}"


def r2_accuracy(scores: Sequence[float]) -> float:
    """The paper's accuracy: the share of equations whose R2 is at least 0.9999.

    >>> r2_accuracy([1.0, 0.9999, 0.9998, -3.0])
    0.5
    """
    return share([score >= PAPER_R2 for score in scores])


def share(hits: Sequence[bool]) -> float:
    """How many of them are true, from 0 to 1; of none, nan."""
    return sum(hits) / len(hits) if hits else float("nan")


def expanded_terms(law: Expression) -> tuple[Expression, ...]:
    """The summands of a law that is multiplied out; zero has none.

    >>> from odevsr.language.parse import parse
    >>> len(expanded_terms(parse("x*(28 - z) - y", ["x", "y", "z"])))
    3
    """
    form = normal_form(law)
    if form == ZERO:
        return ()
    return (law,) if is_invalid(form) else terms(form)


def term_precision_and_recall(found: Expression, truth: Expression) -> tuple[float, float]:
    """The share of the found terms that are in the truth, and of the true ones that were found.

    Terms are the same if they differ in their coefficient only, up to 0.1 % in constants inside
    them. Of no terms, all are right.
    """
    found_shapes, true_shapes = (
        [split_coefficient(term)[1] for term in expanded_terms(law)] for law in (found, truth)
    )
    right = sum(any(same_form(each, true) for true in true_shapes) for each in found_shapes)
    seen = sum(any(same_form(each, true) for each in found_shapes) for true in true_shapes)
    precision = right / len(found_shapes) if found_shapes else 1.0
    recall = seen / len(true_shapes) if true_shapes else 1.0
    return precision, recall


def score_form(
    found: Expression, truth: Expression | None, names: Sequence[str], box: Box
) -> FormScores:
    """All scores of the form; an exact law has precision and recall 1 however written."""
    sizes = len(expanded_terms(found)), size(found)
    if truth is None:
        return FormScores(None, None, None, *sizes)
    exact = is_equivalent(found, truth, names, box)
    precision, recall = (1.0, 1.0) if exact else term_precision_and_recall(found, truth)
    return FormScores(exact, precision, recall, *sizes)
