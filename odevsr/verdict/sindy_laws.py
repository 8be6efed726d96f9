"""SINDy as a baseline: sparse polynomials by sequentially thresholded least squares."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from odevsr.language.expression import Apply, Expression, Number, Op, Variable
from odevsr.language.normal import normal_form

FloatArray = NDArray[np.float64]


def sindy_law(
    states: FloatArray, values: FloatArray, names: Sequence[str], degree: int, threshold: float
) -> Expression:
    """The law pysindy's STLSQ finds for derivatives (N,) at states (N, n)."""
    import pysindy

    library = pysindy.PolynomialLibrary(degree=degree)
    columns = np.asarray(library.fit_transform(states))
    optimizer = pysindy.STLSQ(threshold=threshold)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that all terms fell below the threshold, and the like
        optimizer.fit(columns, values[:, None])
    coefficients = np.ravel(optimizer.coef_)
    pieces = [
        _term(float(coefficient), powers, names)
        for coefficient, powers in zip(coefficients, library.powers_, strict=True)
        if coefficient
    ]
    return normal_form(Apply(Op.ADD, (Number(0), Number(0), *pieces)))


def _term(coefficient: float, powers: Sequence[int], names: Sequence[str]) -> Expression:
    factors = tuple(
        Apply(Op.POW, (Variable(name), Number(int(power))))
        for name, power in zip(names, powers, strict=True)
        if power
    )
    return Apply(Op.MUL, (Number(coefficient), *factors)) if factors else Number(coefficient)
