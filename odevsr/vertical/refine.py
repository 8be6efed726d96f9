"""The last fit: all numbers of a law at once on uncontrolled data, error bars, and exact values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Expression, Number, Real, Variable, rebuild, walk
from odevsr.language.normal import normal_form
from odevsr.search.problem import honest_errors
from odevsr.vertical.constants import exact_value

FloatArray = NDArray[np.float64]
LARGEST = 1e29
"""A deviation that counts as none at all."""


@dataclass(frozen=True, eq=False)
class Data:
    """States (N, n), values and errors (N,) to which a law is held."""

    states: FloatArray
    values: FloatArray
    errors: FloatArray


@dataclass(frozen=True)
class FittedNumber:
    """A constant of a law: value, standard error, and exact value where the error allows one."""

    value: float
    error: float
    exact: Real | None = None


@dataclass(frozen=True)
class Refined:
    """A law whose numbers have been fitted together; `deviation` is in units of the errors."""

    expression: Expression
    constants: tuple[FittedNumber, ...]
    deviation: float


def deviation(expression: Expression, names: Sequence[str], data: Data) -> float:
    """90 % quantile of |residual|/error, as a multiple of what it is for a Gaussian.

    Infinite for a law that lacks a value anywhere in the data.
    """
    predicted = compile_field([expression], names)(data.states)[..., 0]
    if not np.all(np.isfinite(predicted)):
        return np.inf
    typical = float(np.quantile(np.abs(in_errors(predicted, data)), 0.9)) / 1.645
    return typical if typical < LARGEST else np.inf


def in_errors(predicted: FloatArray, data: Data) -> FloatArray:
    """Residuals in units of the errors; a large number where there is no value."""
    with np.errstate(over="ignore"):
        residual = (predicted - data.values) / honest_errors(data.values, data.errors)
    return np.clip(np.nan_to_num(residual, nan=10 * LARGEST), -10 * LARGEST, 10 * LARGEST)


def refine(expression: Expression, names: Sequence[str], data: Data) -> Refined:
    """Fit every inexact number of the law; equal numbers stay equal."""
    numbers = _inexact(expression)
    if not numbers:
        return Refined(expression, (), deviation(expression, names, data))
    values, errors = _least_squares(expression, numbers, names, data)
    fitted = _replaced(expression, numbers, [Number(float(value)) for value in values])
    constants = tuple(
        FittedNumber(float(value), float(error))
        for value, error in zip(values, errors, strict=True)
    )
    return Refined(fitted, constants, deviation(fitted, names, data))


def with_exact_numbers(
    law: Refined,
    names: Sequence[str],
    data: Data,
    settled: Callable[[Expression], Expression] = normal_form,
) -> Refined:
    """The law with exact values where error bars single them out, if the fit agrees.

    `settled` puts together what the exact values are simpler with.
    """
    exact = [exact_value(each.value, each.error) for each in law.constants]
    numbers = [each.value for each in law.constants]
    chosen = [
        Number(number if value is None else value)
        for number, value in zip(numbers, exact, strict=True)
    ]
    candidate = settled(_replaced(law.expression, numbers, chosen))
    refitted = refine(candidate, names, data)
    if not refitted.deviation <= max(1.5 * law.deviation, 2.0):
        return law
    known = [
        FittedNumber(each.value, each.error, value)
        for each, value in zip(law.constants, exact, strict=True)
        if value is not None
    ]
    return Refined(refitted.expression, (*known, *refitted.constants), refitted.deviation)


def _inexact(expression: Expression) -> list[float]:
    """The distinct floats of a law, in preorder."""
    values = [node.value for node in walk(expression) if isinstance(node, Number)]
    return list(dict.fromkeys(value for value in values if isinstance(value, float)))


def _replaced(
    expression: Expression, numbers: Sequence[float], replacements: Sequence[Expression]
) -> Expression:
    """The expression with others for its inexact numbers."""
    table = dict(zip(numbers, replacements, strict=True))
    leaves = [node for node in walk(expression) if isinstance(node, Number)]
    new = [table[leaf.value] if isinstance(leaf.value, float) else leaf for leaf in leaves]
    return rebuild(expression, iter(new), Number)


def _least_squares(
    expression: Expression, numbers: list[float], names: Sequence[str], data: Data
) -> tuple[FloatArray, FloatArray]:
    from scipy.optimize import least_squares

    labels = [f"number {index}" for index in range(len(numbers))]
    law = _replaced(expression, numbers, [Variable(label) for label in labels])
    field = compile_field([law], [*names, *labels])
    scale = np.array(numbers)
    scale[scale == 0] = 1.0

    def residual(relative: FloatArray) -> FloatArray:
        numbers_now = np.broadcast_to(relative * scale, (len(data.states), len(scale)))
        predicted = field(np.concatenate([data.states, numbers_now], axis=1))[:, 0]
        return in_errors(predicted, data)

    start = np.array(numbers) / scale
    solution = least_squares(
        residual, start, jac="3-point", method="trf", x_scale="jac", max_nfev=12
    )
    errors = standard_errors(solution.jac, solution.fun)
    return solution.x * scale, errors * np.abs(scale)


def standard_errors(jacobian: FloatArray, residuals: FloatArray) -> FloatArray:
    """Errors (m,) of unknowns from the slopes (N, m) of residuals that are in units of errors."""
    size_of = np.maximum(np.linalg.norm(jacobian, axis=0), 1e-150)
    _, singular, right = np.linalg.svd(jacobian / size_of, full_matrices=False)
    inverse = 1 / np.maximum(singular, 1e-14)
    spread = max(1.0, float(np.sqrt(np.mean(residuals**2))))
    errors: FloatArray = np.sqrt(np.sum((right * inverse[:, None]) ** 2, axis=0)) / size_of * spread
    return errors
