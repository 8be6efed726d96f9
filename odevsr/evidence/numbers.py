"""Every number that stands in a law, exact or not, with its error."""

from __future__ import annotations

import numpy as np

from odevsr.evidence.data import Data
from odevsr.evidence.law import FittedNumber, Residual, standard_errors
from odevsr.language.expression import Expression
from odevsr.language.number import labelled, numbers_of


def fitted_numbers(law: Expression, data: Data) -> tuple[FittedNumber, ...]:
    """The numbers of a fitted law without their signs, in its order.

    An exact one has the value and error that the data alone would give it, all numbers free; where
    they cannot tell it from others, those that they would give it if it alone were free.
    """
    values = numbers_of(law)
    if not values:
        return ()
    at = np.array([float(value) for value in values])
    labels = {value: f"number {index}" for index, value in enumerate(values)}
    residual = Residual(labelled(law, labels), list(labels.values()), data)
    now, moves = residual(at), residual.slopes(at)
    errors = standard_errors(moves, now)
    moved = at - np.linalg.lstsq(moves * at, now, rcond=1e-12)[0] * at
    alone = [standard_errors(column[:, None], now)[0] for column in moves.T]
    is_free = np.array([isinstance(value, float) for value in values])
    if is_free.any():
        errors[is_free] = standard_errors(moves[:, is_free], now)
    is_blurred = ~is_free & ~((errors < at) & (np.abs(moved - at) < at))
    errors = np.where(is_blurred, alone, errors)
    fitted = np.where(is_free | is_blurred, at, moved)
    return tuple(
        FittedNumber(
            float(number), float(error), None if isinstance(value, float) else value, float(single)
        )
        for number, error, value, single in zip(fitted, errors, values, alone, strict=True)
    )
