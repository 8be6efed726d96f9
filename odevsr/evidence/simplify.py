"""A law in variables that all separate: products of their functions, fitted together and pruned."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from odevsr.evidence.form import honest_errors
from odevsr.evidence.law import Data
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import ONE, ZERO, Apply, Expression, Number, Op, complexity
from odevsr.language.normal import normal_form
from odevsr.language.term import added

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
MOST_TERMS = 1500
SIGNIFICANT = 4.0


def product_terms(
    spans: Sequence[Sequence[Expression]], interacts: BoolArray
) -> list[Expression] | None:
    """All products of one function a variable, simplest first; None if there are too many.

    Variables that do not interact (n, n) never meet in one term.
    """
    partial: list[tuple[Expression, ...]] = [()]
    for variable, functions in enumerate(spans):
        partial = [
            (*chosen, function)
            for chosen, function in product(partial, functions)
            if function == ONE or _may_join(chosen, interacts[variable])
        ]
        if len(partial) > MOST_TERMS:
            return None
    distinct = dict.fromkeys(normal_form(Apply(Op.MUL, (ONE, ONE, *each))) for each in partial)
    return sorted(distinct, key=complexity)


def _may_join(chosen: tuple[Expression, ...], interacts: BoolArray) -> bool:
    return all(interacts[index] for index, other in enumerate(chosen) if other != ONE)


def fit_terms(
    functions: Sequence[Expression], names: Sequence[str], data: Data
) -> tuple[Expression, float]:
    """The sum of those terms that the data need, and its root mean square deviation.

    Infinite where there are no more data than terms.
    """
    errors = honest_errors(data.values, data.errors)
    columns = compile_field(functions, names)(data.states) / errors[:, None]
    target = data.values / errors
    kept = _independent(columns)
    if not kept.size:
        return ZERO, float(np.sqrt(np.mean(target**2)))
    if len(target) <= len(kept):
        return ZERO, np.inf
    coefficients, uncertain, deviation = _solve(columns[:, kept], target)
    while len(kept) > 1:
        significance = np.abs(coefficients) / uncertain
        idle = significance < SIGNIFICANT
        if not idle.any():
            break
        # The least significant half of the idle terms goes, or else the very least one.
        for leaving in (max(1, int(idle.sum()) // 2), 1):
            smaller = np.delete(kept, np.argsort(significance)[:leaving])
            trial = _solve(columns[:, smaller], target)
            if trial[2] <= max(1.2 * deviation, 0.5):
                break
        else:
            break
        kept = smaller
        coefficients, uncertain, deviation = trial
    pieces = [
        Apply(Op.MUL, (Number(float(c)), functions[k]))
        for c, k in zip(coefficients, kept, strict=True)
    ]
    return normal_form(added(pieces)), deviation


def _independent(columns: FloatArray) -> NDArray[np.int64]:
    """Indices of columns that are finite and not combinations of earlier, simpler ones."""
    basis = np.empty((len(columns), 0))
    kept: list[int] = []
    for index, column in enumerate(columns.T):
        norm = np.linalg.norm(column)
        if not np.isfinite(norm) or norm == 0.0:
            continue
        rest = column / norm
        for _ in range(2):
            rest = rest - basis @ (basis.T @ rest)
        length = np.linalg.norm(rest)
        if length > 1e-9:
            basis = np.column_stack([basis, rest / length])
            kept.append(index)
    return np.array(kept, dtype=np.int64)


def _solve(columns: FloatArray, target: FloatArray) -> tuple[FloatArray, FloatArray, float]:
    """Least squares: coefficients, their standard errors, root mean square residual."""
    scale = np.linalg.norm(columns, axis=0)
    left, singular, right = np.linalg.svd(columns / scale, full_matrices=False)
    inverse = 1 / np.maximum(singular, 1e-14 * singular[0])
    coefficients = (right.T * inverse) @ (left.T @ target) / scale
    residual = target - columns @ coefficients
    freedom = max(len(target) - columns.shape[1], 1)
    spread = float(np.sqrt(residual @ residual / freedom))
    uncertain = np.sqrt(np.sum((right.T * inverse) ** 2, axis=1)) / scale * max(spread, 0.2)
    return coefficients, uncertain, spread
