"""Every number that stands in a law, exact or not, with its error."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.evidence.law import FittedNumber, in_errors, standard_errors
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Expression
from odevsr.language.number import labelled, numbers_of
from odevsr.world.sample import Sample

STEP = 1e-6
"""Share of a number by which it is moved to see what that changes."""


def fitted_numbers(
    law: Expression, names: Sequence[str], sample: Sample
) -> tuple[FittedNumber, ...]:
    """The numbers of a fitted law without their signs, in its order.

    An exact one has the value and error that the data alone would give it, all numbers free; where
    they cannot tell it from others, those that they would give it if it alone were free.
    """
    values = numbers_of(law)
    if not values:
        return ()
    at = np.array([float(value) for value in values])
    residual = _residual(law, names, sample)
    now, slopes = residual(at), _slopes(residual, at)
    errors = standard_errors(slopes, now)
    moved = at - np.linalg.lstsq(slopes * at, now, rcond=1e-12)[0] * at
    alone = [standard_errors(column[:, None], now)[0] for column in slopes.T]
    is_free = np.array([isinstance(value, float) for value in values])
    if is_free.any():
        errors[is_free] = standard_errors(slopes[:, is_free], now)
    is_blurred = ~is_free & ~((errors < at) & (np.abs(moved - at) < at))
    errors = np.where(is_blurred, alone, errors)
    fitted = np.where(is_free | is_blurred, at, moved)
    return tuple(
        FittedNumber(
            float(number), float(error), None if isinstance(value, float) else value, float(single)
        )
        for number, error, value, single in zip(fitted, errors, values, alone, strict=True)
    )


def _residual(
    law: Expression, names: Sequence[str], sample: Sample
) -> Callable[[FloatArray], FloatArray]:
    """Residuals, in units of the errors, as a function of the law's numbers."""
    labels = {value: f"number {index}" for index, value in enumerate(numbers_of(law))}
    field = compile_field([labelled(law, labels)], [*names, *labels.values()])

    def residual(numbers: FloatArray) -> FloatArray:
        now = np.broadcast_to(numbers, (len(sample.states), len(numbers)))
        return in_errors(field(np.concatenate([sample.states, now], axis=1))[:, 0], sample)

    return residual


def _slopes(residual: Callable[[FloatArray], FloatArray], at: FloatArray) -> FloatArray:
    """Derivatives (N, m) of the residuals, from small changes to either side."""
    steps = np.diag(STEP * at)
    return np.stack(
        [(residual(at + step) - residual(at - step)) / (2 * step.sum()) for step in steps], axis=1
    )
