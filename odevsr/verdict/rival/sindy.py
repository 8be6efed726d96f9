"""SINDy given its best: many libraries and thresholds, chosen by held-out error and sparsity.

The regression is pysindy's STLSQ (sequentially thresholded least squares) with next to no ridge.
Rational laws are sought as SINDy-PI does, by regression of f*Q on P and the rest of f*Q; pysindy's
own optimizer for that needs another solver package, so STLSQ does it here too.

The rule of choice, per equation: every library and threshold is fitted without the held-out part of
the data; among those that predict that part nearly as well as the best (NMSE within a factor of 10,
or below 1e-16), the one with the fewest terms is taken, and its coefficients are fitted again to
all data. Where the errors of the data, such as noise, explain what the best leaves, the factor is
what chance allows. Libraries are tried from small to large until one predicts to NMSE 1e-10, or to
those errors.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from odevsr.arrays import BoolArray, FloatArray, IntArray
from odevsr.evidence.law import FittedNumber
from odevsr.language.algebra.monomials import monomials
from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.term import added
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import ONE, ZERO, Apply, Expression, Number, Op
from odevsr.verdict.rival.libraries import Library, quiet_pysindy
from odevsr.verdict.scores import nmse

THRESHOLDS = tuple(float(x) for x in np.logspace(-3, 1, 9))
"""Of coefficients as they stand."""
RELATIVE_THRESHOLDS = (1e-5, 1e-4, 1e-3, 1e-2, 1e-1)
"""Of coefficients times the size of their feature, relative to the size of the derivative."""
RIDGE = 1e-10
NEARLY_AS_GOOD = 10.0
CANNOT_BE_TOLD = 1e-16
SETTLED = 1e-10
LEEWAY = 1.5
"""By so much may errors' mean square be above what they were estimated to be,"""
SCATTER = 3.0
"""and by so many standard deviations above another's."""


@dataclass(frozen=True, eq=False)
class Samples:
    """What SINDy sees: states and derivatives (N, n); `held` (N,) marks those kept for choosing."""

    states: FloatArray
    derivatives: FloatArray
    held: BoolArray
    errors: FloatArray | None = None
    """Of the derivatives, (N, n), where they were estimated."""


@dataclass(frozen=True)
class SindyLaw:
    """The law SINDy has for one variable, where it comes from, and its held-out NMSE."""

    variable: str
    expression: Expression
    library: str
    threshold: float
    nmse: float
    constants: tuple[FittedNumber, ...] = ()
    """Coefficients of the regression, in the order of the library's features."""
    floor: float = 0.0
    """The NMSE that the errors of the data may leave of a right law."""

    @property
    def is_settled(self) -> bool:
        """True if no other library can predict notably better."""
        return self.nmse <= max(SETTLED, self.floor)


@dataclass(frozen=True, eq=False)
class _Regression:
    """f*left = columns @ coefficients, for one equation and library; `left` is a denominator.

    `columns` (N, features) are those of the law's numerator, then of the rest of f*Q; `below`
    (N, denominators) is Q without f. Least squares sees the data that are not held through
    `reduced` and `reduced_target` only, which have as few rows as columns.
    """

    library: Library
    left: int
    columns: FloatArray
    target: FloatArray
    below: FloatArray
    reduced: FloatArray
    reduced_target: FloatArray

    def predicted(self, coefficients: FloatArray, rows: BoolArray) -> FloatArray:
        """The derivative (rows,) that the coefficients give."""
        count = len(self.library.features)
        above = self.columns[rows, :count] @ coefficients[:count]
        return above / (self.below[rows] @ self.weights(coefficients))

    def weights(self, coefficients: FloatArray) -> FloatArray:
        """Coefficients (denominators,) of Q, whose `left` is 1."""
        return np.insert(coefficients[len(self.library.features) :], self.left, 1.0)


@dataclass(frozen=True, eq=False)
class _Candidate:
    """A thresholded model and how well it predicts what was held out."""

    regression: _Regression
    kept: IntArray
    threshold: float
    nmse: float


def fit_sindy(
    names: Sequence[str], samples: Samples, libraries: Sequence[Library], variables: Sequence[str]
) -> tuple[tuple[SindyLaw, ...], float]:
    """SINDy's law of each of the variables, and the wall seconds they took together."""
    with quiet_pysindy():
        began = time.perf_counter()
        laws = tuple(_fit_equation(name, names, samples, libraries) for name in variables)
    return laws, time.perf_counter() - began


def plain_sindy(
    names: Sequence[str], states: FloatArray, values: FloatArray, degree: int, threshold: float
) -> Expression:
    """The polynomial of pysindy's STLSQ as it comes, for derivatives (N,) at states (N, n)."""
    features = monomials(names, degree)
    columns = compile_field(features, names)(states)
    with quiet_pysindy() as pysindy:
        optimizer = pysindy.STLSQ(threshold=threshold)
        optimizer.fit(columns, values[:, None])
    return normal_form(linear_sum(features, np.ravel(optimizer.coef_)))


def _fit_equation(
    name: str, names: Sequence[str], samples: Samples, libraries: Sequence[Library]
) -> SindyLaw:
    derivative = samples.derivatives[:, list(names).index(name)]
    floor = _floor(samples, list(names).index(name))
    candidates: list[_Candidate] = []
    for library in sorted(libraries, key=lambda each: (each.is_implicit, each.size)):
        for regression in _regressions(library, names, samples, derivative):
            scanned = [*candidates, *_scan(regression, samples, derivative)]
            candidates = _good(scanned, floor, int(samples.held.sum()))
        if candidates and min(each.nmse for each in candidates) <= max(SETTLED, floor):
            break
    if not candidates:
        return SindyLaw(name, ZERO, "none", 0.0, nmse(0 * derivative, derivative), floor=floor)
    return _law(name, min(candidates, key=lambda each: (len(each.kept), each.nmse)), floor)


def _floor(samples: Samples, column: int) -> float:
    """The NMSE that the errors of the held-out derivatives may leave of a right law."""
    if samples.errors is None:
        return 0.0
    errors = samples.errors[samples.held, column]
    variance = np.var(samples.derivatives[samples.held, column])
    return float(LEEWAY * np.mean(errors**2) / variance) if variance > 0 else 0.0


def _good(candidates: Sequence[_Candidate], floor: float, held: int) -> list[_Candidate]:
    """Those that predict nearly as well as the best.

    What the best leaves may be the data's errors alone; then chance says what is near.
    """
    best = min((each.nmse for each in candidates), default=0.0)
    nearly = 1 + SCATTER * np.sqrt(2 / held) if best <= floor else NEARLY_AS_GOOD
    most = max(nearly * best, CANNOT_BE_TOLD)
    return [each for each in candidates if each.nmse <= most]


def _law(name: str, chosen: _Candidate, floor: float) -> SindyLaw:
    """The chosen model, its coefficients fitted to all data."""
    regression, kept = chosen.regression, chosen.kept
    coefficients = np.zeros(regression.columns.shape[1])
    coefficients[kept] = solved(regression.columns[:, kept], regression.target)
    errors = _standard_errors(regression, kept, coefficients[kept])
    pairs = zip(coefficients[kept].tolist(), errors.tolist(), strict=True)
    return SindyLaw(
        variable=name,
        expression=_expression(regression, coefficients),
        library=regression.library.label,
        threshold=chosen.threshold,
        nmse=chosen.nmse,
        constants=tuple(FittedNumber(value, error) for value, error in pairs),
        floor=floor,
    )


def _standard_errors(
    regression: _Regression, kept: IntArray, coefficients: FloatArray
) -> FloatArray:
    """Of least squares with the scatter its own residuals have."""
    columns = regression.columns[:, kept]
    size = np.linalg.norm(columns, axis=0) + 1e-300
    _, singular, right = np.linalg.svd(columns / size, full_matrices=False)
    inverse = right.T / np.maximum(singular, 1e-14 * singular[0])
    residual = regression.target - columns @ coefficients
    freedom = max(len(residual) - len(kept), 1)
    scatter = np.sqrt(residual @ residual / freedom)
    return np.asarray(scatter * np.linalg.norm(inverse, axis=1) / size)


def _regressions(
    library: Library, names: Sequence[str], samples: Samples, derivative: FloatArray
) -> Iterator[_Regression]:
    """One for an explicit library; for an implicit one, each denominator on the left in turn."""
    above = compile_field(library.features, names)(samples.states)
    below = compile_field(library.denominator, names)(samples.states)
    everything = np.concatenate([above, -below * derivative[:, None]], axis=1)
    triangle: FloatArray = np.asarray(np.linalg.qr(everything[~samples.held], mode="r"))
    for left in range(len(library.denominator)):
        place = len(library.features) + left
        yield _Regression(
            library,
            left,
            columns=np.delete(everything, place, axis=1),
            target=-everything[:, place],
            below=below,
            reduced=np.delete(triangle, place, axis=1),
            reduced_target=-triangle[:, place],
        )


def _scan(
    regression: _Regression, samples: Samples, derivative: FloatArray
) -> Iterator[_Candidate]:
    """Every threshold; the same set of terms is judged once."""
    columns, target = regression.reduced, regression.reduced_target
    rows = np.sqrt(np.sum(~samples.held))
    size = np.linalg.norm(columns, axis=0) / rows + 1e-300
    unit = np.linalg.norm(target) / rows + 1e-300
    seen: set[bytes] = set()
    for scale, thresholds in ((1.0, THRESHOLDS), (size / unit, RELATIVE_THRESHOLDS)):
        for threshold in thresholds:
            kept = support(columns / scale, target, threshold)
            if len(kept) and kept.tobytes() not in seen:
                seen.add(kept.tobytes())
                coefficients = np.zeros(len(size))
                coefficients[kept] = solved(columns[:, kept], target)
                with np.errstate(all="ignore"):
                    predicted = regression.predicted(coefficients, samples.held)
                error = nmse(predicted, derivative[samples.held])
                yield _Candidate(regression, kept, threshold, error)


def support(columns: FloatArray, target: FloatArray, threshold: float) -> IntArray:
    """The features that pysindy's STLSQ keeps."""
    import pysindy

    # STLSQ begins with all features whatever is guessed; with a guess it is spared making one.
    guess = np.ones((1, columns.shape[1]))
    optimizer = pysindy.STLSQ(
        threshold=threshold, alpha=RIDGE, max_iter=20, unbias=False, initial_guess=guess
    )
    optimizer.fit(columns, target[:, None])
    return np.flatnonzero(np.asarray(optimizer.coef_)[0])


def solved(columns: FloatArray, target: FloatArray) -> FloatArray:
    """Least squares by columns of equal size."""
    size = np.linalg.norm(columns, axis=0) + 1e-300
    solution = np.linalg.lstsq(columns / size, target, rcond=1e-14)[0]
    return np.asarray(solution / size)


def _expression(regression: _Regression, coefficients: FloatArray) -> Expression:
    library = regression.library
    above = linear_sum(library.features, coefficients[: len(library.features)])
    if not library.is_implicit:
        return normal_form(above)
    below = linear_sum(library.denominator, regression.weights(coefficients))
    return normal_form(Apply(Op.DIV, (above, below)))


def linear_sum(features: Sequence[Expression], coefficients: FloatArray) -> Expression:
    """The features times their coefficients, less those that are nought."""
    pieces = tuple(
        feature
        if value == 1.0 and feature == ONE
        else Apply(Op.MUL, (Number(float(value)), feature))
        for feature, value in zip(features, coefficients, strict=True)
        if value != 0.0
    )
    return added(pieces) if pieces else ZERO
