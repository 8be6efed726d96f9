"""Running expressions through the compiled machine."""

import numpy as np

from odevsr.fitting.covariance import value_and_jacobian
from odevsr.fitting.program import compile_program


def values_of(expression, points, constants=(), names=("x0", "x1")):
    """Values at points (n, N)."""
    return values_and_jacobian_of(expression, points, constants, names)[0]


def values_and_jacobian_of(expression, points, constants=(), names=("x0", "x1")):
    """Values (N,) and derivatives (N, constants) at points (n, N)."""
    program = compile_program(expression, names)
    return value_and_jacobian(program, np.array(constants, dtype=float), points)
