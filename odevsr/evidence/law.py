"""A law and its numbers: fitted together on uncontrolled data, with error bars."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.evidence.agreement import LARGEST
from odevsr.evidence.data import Data
from odevsr.language.algebra.term import added, terms
from odevsr.language.evaluate import Field, compile_field
from odevsr.language.expression import Expression, Number, Real, Variable, rebuild, variables, walk
from odevsr.language.number import Errors
from odevsr.limits import SAME

MOST_EVALUATIONS = 30
"""Of a fit that begins near where it ends."""


@dataclass(frozen=True)
class FittedNumber:
    """A number of a law: value, standard error, and exact value where the error allows one."""

    value: float
    error: float
    exact: Real | None = None
    error_alone: float = math.inf
    """The error it would have if all other numbers of the law were known."""
    certain: bool = True
    """Whether the error alone leaves room for no other simple value; else it is but likely."""

    @property
    def sureness(self) -> str:
        """What is to be said of its exact value, if it has one."""
        if self.exact is None:
            return ""
        return "exact" if self.certain else "likely"


def errors_of(constants: Iterable[FittedNumber]) -> Errors:
    """Errors of the numbers that are not exact, by their sizes."""
    return {abs(each.value): each.error for each in constants if each.exact is None}


@dataclass(frozen=True)
class Law:
    """An expression whose numbers have been fitted together, and how far it is from the data."""

    expression: Expression
    constants: tuple[FittedNumber, ...]
    deviation: float
    blur: float = 0.0
    """The size of the data's errors over that of their values."""

    @property
    def odd_numbers(self) -> list[FittedNumber]:
        """Those of its numbers that are not exact."""
        return [each for each in self.constants if each.exact is None]


def fit(expression: Expression, data: Data) -> Law:
    """Fit every inexact number of the expression; equal numbers stay equal."""
    numbers = inexact(expression)
    if not (numbers and np.isfinite(numbers).all()):
        return Law(expression, (), data.deviation(expression))
    values, errors = _least_squares(expression, numbers, data)
    fitted = replaced(expression, numbers, [Number(float(value)) for value in values])
    constants = tuple(
        FittedNumber(float(value), float(error))
        for value, error in zip(values, errors, strict=True)
    )
    return Law(fitted, constants, data.deviation(fitted))


def inexact(expression: Expression) -> list[float]:
    """The distinct floats of a law, in preorder."""
    values = [node.value for node in walk(expression) if isinstance(node, Number)]
    return list(dict.fromkeys(value for value in values if isinstance(value, float)))


def replaced(
    expression: Expression, numbers: Sequence[float], replacements: Sequence[Expression]
) -> Expression:
    """The expression with others for its inexact numbers."""
    table = dict(zip(numbers, replacements, strict=True))
    leaves = [node for node in walk(expression) if isinstance(node, Number)]
    new = [table[leaf.value] if isinstance(leaf.value, float) else leaf for leaf in leaves]
    return rebuild(expression, iter(new), Number)


@dataclass(frozen=True, eq=False)
class Residual:
    """Residuals, in units of the errors, as a function of the numbers that labels stand for."""

    law: Expression
    labels: Sequence[str]
    data: Data

    def __call__(self, numbers: FloatArray) -> FloatArray:
        """Residuals (N,) with these numbers (m,)."""
        return self.data.residuals_of(self._values(self._whole, numbers))

    def slopes(self, at: FloatArray) -> FloatArray:
        """Derivatives (N, m) of the residuals by the numbers, from small changes to either side.

        A number moves only the terms it stands in: a law of hundreds costs no square of them.
        """
        steps = SAME * np.where(at == 0, 1.0, np.abs(at))
        with np.errstate(over="ignore", invalid="ignore"):
            columns = [
                (self._values(part, at + move) - self._values(part, at - move)) / (2 * move.sum())
                for part, move in zip(self._parts, np.diag(steps), strict=True)
            ]
            slopes = np.stack(columns, axis=1) / self.data.sample.honest_errors[:, None]
        return np.clip(np.nan_to_num(slopes, nan=0.0), -LARGEST, LARGEST)

    @cached_property
    def _whole(self) -> _Part:
        return _part(self.law, self.data.names, self.labels)

    @cached_property
    def _parts(self) -> list[_Part]:
        """For each number the terms that it stands in."""
        within: dict[str, list[Expression]] = {label: [] for label in self.labels}
        for term in terms(self.law):
            for label in variables(term) & within.keys():
                within[label].append(term)
        return [_part(added(each), self.data.names, self.labels) for each in within.values()]

    def _values(self, part: _Part, numbers: FloatArray) -> FloatArray:
        field, own = part
        states = self.data.sample.states
        now = np.broadcast_to(numbers[own], (len(states), len(own)))
        return field(np.concatenate([states, now], axis=1))[:, 0]


_Part = tuple[Field, list[int]]


def _part(law: Expression, names: Sequence[str], labels: Sequence[str]) -> _Part:
    """Terms as a function of states and of the numbers in them, and which those are."""
    present = variables(law)
    own = [index for index, label in enumerate(labels) if label in present]
    return compile_field([law], [*names, *(labels[index] for index in own)]), own


def with_labels(
    expression: Expression, numbers: Sequence[float]
) -> tuple[Expression, Sequence[str]]:
    """The expression with variables for its inexact numbers, and what they are called."""
    labels = [f"number {index}" for index in range(len(numbers))]
    return replaced(expression, numbers, [Variable(label) for label in labels]), labels


def _least_squares(
    expression: Expression, numbers: list[float], data: Data
) -> tuple[FloatArray, FloatArray]:
    from scipy.optimize import least_squares

    residual = Residual(*with_labels(expression, numbers), data)
    scale = np.array(numbers)
    scale[scale == 0] = 1.0
    solution = least_squares(
        lambda relative: residual(relative * scale),
        np.array(numbers) / scale,
        jac=lambda relative: residual.slopes(relative * scale) * scale,
        method="trf",
        x_scale="jac",
        max_nfev=MOST_EVALUATIONS,
    )
    errors = standard_errors(solution.jac, solution.fun)
    return solution.x * scale, errors * np.abs(scale)


def standard_errors(slopes: FloatArray, residuals: FloatArray) -> FloatArray:
    """Errors (m,) of numbers from the slopes (N, m) of residuals (N,) in units of the errors."""
    size = np.maximum(np.linalg.norm(slopes, axis=0), 1e-150)
    _, singular, right = np.linalg.svd(slopes / size, full_matrices=False)
    inverse = 1 / np.maximum(singular, 1e-14)
    spread = max(1.0, float(np.sqrt(np.mean(residuals**2))))
    errors: FloatArray = np.sqrt(np.sum((right * inverse[:, None]) ** 2, axis=0)) / size * spread
    return errors
