"""How others fit constants, for the fitting bench: sympy with scipy, careful or as published."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.optimize
import sympy
from sympy.parsing.sympy_parser import parse_expr

from odevsr.arrays import FloatArray
from odevsr.language.expression import Constant, Expression, count, with_constants
from odevsr.language.sympy_form import to_sympy
from odevsr.language.text import to_text

POOR = 1e10
"""Stands for a value that is not finite: MINPACK and BFGS cannot step over a nan."""


def fit_compiled_once(
    form: Expression, names: Sequence[str], points: FloatArray, values: FloatArray
) -> float:
    """The sum of squares that `lambdify`, once, and MINPACK's Levenberg-Marquardt reach from 1."""
    expression = to_sympy(form)
    constants = sorted(expression.atoms(sympy.Dummy), key=lambda dummy: dummy.dummy_index)
    columns = [sympy.Symbol(name, real=True) for name in names]
    function = sympy.lambdify([*columns, *constants], expression, "numpy")

    def residual(theta: FloatArray) -> FloatArray:
        return _finite(function(*points.T, *theta) - values)

    with np.errstate(all="ignore"):
        found = scipy.optimize.least_squares(residual, np.ones(len(constants)), method="lm")
        return float(np.sum(residual(found.x) ** 2))


def fit_parsing_every_call(
    form: Expression, names: Sequence[str], points: FloatArray, values: FloatArray
) -> float:
    """The sum of squares by BFGS where every call parses and compiles the expression's text anew.

    So does the published implementation. The text is our own; do not do this with anyone else's.
    """
    columns = [sympy.Symbol(name) for name in names]

    def loss(theta: FloatArray) -> float:
        text = to_text(with_constants(form, [float(value) for value in theta]))
        function = sympy.lambdify(columns, parse_expr(text), "numpy")
        return float(np.mean(_finite(function(*points.T) - values) ** 2))

    with np.errstate(all="ignore"):
        found = scipy.optimize.minimize(loss, np.ones(count(form, Constant)), method="BFGS")
        return float(found.fun) * len(values)


def _finite(residual: FloatArray) -> FloatArray:
    finite = np.nan_to_num(residual, nan=POOR, posinf=POOR, neginf=-POOR)
    result: FloatArray = np.clip(finite, -POOR, POOR)
    return result
