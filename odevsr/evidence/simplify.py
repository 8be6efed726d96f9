"""Choosing terms: one loop that leaves out what data do not need, and sums fitted with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from odevsr.arrays import FloatArray, IntArray
from odevsr.evidence.agreement import Agreement, deviation
from odevsr.evidence.data import Data
from odevsr.evidence.law import fit
from odevsr.evidence.missed import LOW_DEGREE, significance_beside, tangents
from odevsr.language.algebra.monomials import monomials
from odevsr.language.algebra.normal import weighted_sum
from odevsr.language.algebra.term import split_coefficient, terms
from odevsr.language.expression import ZERO, Expression
from odevsr.limits import FINEST

QUIETEST = 0.2
"""Errors of coefficients are those of the residuals left, but no less than this share of those
measured."""


class Deviating(Protocol):
    """Whatever has a deviation."""

    @property
    def deviation(self) -> float:
        """How far it is from the data."""
        ...


T = TypeVar("T", bound=Deviating)


def simplified(whole: T, smaller: Callable[[T], Iterable[T]], agreement: Agreement) -> T:
    """The last of a chain, each smaller than the one before and no worse than the whole.

    `smaller` gives what may come next, the best first, each fitted when it is its turn.
    """
    last = whole
    while True:
        for each in smaller(last):
            if agreement.no_worse(each.deviation, whole.deviation):
                last = each
                break
        else:
            return last


@dataclass(frozen=True, eq=False)
class _Sum:
    """Columns `kept` with coefficients, their errors, and the deviation they leave."""

    kept: IntArray
    coefficients: FloatArray
    errors: FloatArray
    deviation: float


def fit_terms(functions: Sequence[Expression], data: Data) -> tuple[Expression, float]:
    """The sum of those terms that the data need, and its deviation.

    Infinite where there are no more data than terms.
    """
    with np.errstate(over="ignore"):  # A column too large for its square is left out.
        columns = data.columns(functions)
        kept = _independent(columns)
    target = data.sample.values / data.sample.honest_errors
    if not kept.size:
        return ZERO, float(deviation(target))
    if len(target) <= len(kept):
        return ZERO, np.inf

    def smaller(whole: _Sum) -> Iterator[_Sum]:
        """Without the least significant half of the idle terms, or else the very least one."""
        significance = np.abs(whole.coefficients) / whole.errors
        idle = int(np.sum(significance < data.agreement.limits.significant))
        if idle and len(whole.kept) > 1:
            for leaving in dict.fromkeys((max(1, idle // 2), 1)):
                rest = np.delete(whole.kept, np.argsort(significance)[:leaving])
                if rest.size:
                    yield _solved(columns, target, rest)

    whole = _solved(columns, target, kept)
    chosen = simplified(whole, smaller, data.agreement.among(len(target)))
    kept_functions = [functions[index] for index in chosen.kept]
    return weighted_sum(chosen.coefficients, kept_functions), chosen.deviation


def explaining_sum(functions: Sequence[Expression], data: Data) -> Expression | None:
    """The sum of those terms that the data need, if it explains them."""
    if not len(data):
        return None
    law, deviation = fit_terms(functions, data)
    return law if data.explained(deviation) else None


def with_hidden_terms(law: Expression, data: Data, few: Data) -> Expression:
    """The law with the low monomials it lacks, and without the terms that are not significant.

    Noise hides weak terms until the law of the strong ones leaves only the weak. What a change of
    the law's own numbers could do as well is not lacking. Terms of the highest degree that speaks
    against a law are not added, nor more than a `few` of the data show: a wrong form that was given
    them all would no longer be doubted. Which they are, all data tell.
    """
    law = fit(law, data).expression
    functions = _functions(law)
    low = monomials(data.names, LOW_DEGREE - 1)
    lacking = [each for each in low if each not in functions]
    shown = _shown(lacking, fit(law, few).expression, few)
    return fit_terms([*functions, *_shown(lacking, law, data)[: len(shown)]], data)[0]


def _functions(law: Expression) -> list[Expression]:
    return [split_coefficient(term)[1] for term in terms(law)]


def _shown(candidates: Sequence[Expression], law: Expression, data: Data) -> list[Expression]:
    """The candidates, one after the other, that data show beside a law and those before.

    Of those that they do not tell apart, the first.
    """
    own = np.column_stack([data.columns(_functions(law)), tangents(law, data)])
    others, target = data.columns(candidates), data.sample.values / data.sample.honest_errors
    found: list[Expression] = []
    sure = data.agreement.limits.sure**2
    while len(found) < len(candidates):
        explained = significance_beside(own, others, target) ** 2
        if np.max(explained) < sure:
            break
        best = int(np.argmax(explained > np.max(explained) - sure))
        found.append(candidates[best])
        own = np.column_stack([own, others[:, best]])
    return found


def _independent(columns: FloatArray) -> IntArray:
    """Indices of columns that are finite and not combinations of earlier, simpler ones."""
    basis = np.empty((columns.shape[1], len(columns))).T
    kept: list[int] = []
    for index, column in enumerate(columns.T):
        norm = np.linalg.norm(column)
        if not np.isfinite(norm) or norm == 0.0:
            continue
        rest, before = column / norm, basis[:, : len(kept)]
        for _ in range(2):
            rest = rest - before @ (before.T @ rest)
        length = np.linalg.norm(rest)
        if length > FINEST:
            basis[:, len(kept)] = rest / length
            kept.append(index)
    return np.array(kept, dtype=np.int64)


def _solved(columns: FloatArray, target: FloatArray, kept: IntArray) -> _Sum:
    """Least squares with the columns kept."""
    chosen = columns[:, kept]
    scale = np.linalg.norm(chosen, axis=0)
    left, singular, right = np.linalg.svd(chosen / scale, full_matrices=False)
    inverse = 1 / np.maximum(singular, 1e-14 * singular[0])
    coefficients = (right.T * inverse) @ (left.T @ target) / scale
    residual = target - chosen @ coefficients
    freedom = max(len(target) - len(kept), 1)
    # With as many terms as half the data residuals shrink; the deviation is what they would be.
    shrunk = np.sqrt(len(target) / freedom)
    spread = float(np.sqrt(residual @ residual / freedom))
    errors = np.sqrt(np.sum((right.T * inverse) ** 2, axis=1)) / scale * max(spread, QUIETEST)
    return _Sum(kept, coefficients, errors, float(deviation(shrunk * residual)))
