"""Compiled linear algebra of one fit: projection on linear constants, damped steps for the rest."""

import math

from numba import boolean, float64, int64, void

from odevsr.fitting.compiled import MATRIX, VECTOR, WHOLES, Matrix, Vector, Whole, inner

DEPENDENT = 1e-11
"""A column whose independent part is smaller than this, relative to itself, counts as dependent."""


@inner(float64(MATRIX, int64, MATRIX, int64, int64))
def _dot(left: Matrix, j: int, right: Matrix, k: int, size: int) -> float:
    """Product of row j of one matrix and row k of the other."""
    total = 0.0
    for i in range(size):
        total += left[j, i] * right[k, i]
    return total


@inner(void(MATRIX, int64, float64, MATRIX, int64, int64))
def _subtract(rows: Matrix, j: int, factor: float, directions: Matrix, k: int, size: int) -> None:
    for i in range(size):
        rows[j, i] -= factor * directions[k, i]


@inner(void(MATRIX, VECTOR, VECTOR, MATRIX, MATRIX, VECTOR, int64))
def project(
    columns: Matrix, target: Vector, weights: Vector, basis: Matrix, upper: Matrix,
    coefficients: Vector, size: int,
) -> None:  # fmt: skip
    """Least squares for the m linear constants by modified Gram-Schmidt.

    Uses the first `size` points. Leaves an orthonormal basis, the coefficients, and the weighted
    residual as the last row of the basis. A column that depends on earlier ones gets nought.
    """
    m = columns.shape[0] - 1
    for i in range(size):
        basis[m, i] = (target[i] - columns[m, i]) * weights[i]
    for j in range(m):
        for i in range(size):
            basis[j, i] = columns[j, i] * weights[i]
        before = math.sqrt(_dot(basis, j, basis, j, size))
        for k in range(j):
            upper[k, j] = 0.0
        for _ in range(2 if j > 0 else 0):
            for k in range(j):
                overlap = _dot(basis, k, basis, j, size)
                upper[k, j] += overlap
                _subtract(basis, j, overlap, basis, k, size)
        after = math.sqrt(_dot(basis, j, basis, j, size))
        independent = after > DEPENDENT * before and before > 0.0
        upper[j, j] = after if independent else 0.0
        scale = 1.0 / after if independent else 0.0
        for i in range(size):
            basis[j, i] *= scale
        coefficients[j] = _dot(basis, j, basis, m, size)
        _subtract(basis, m, coefficients[j], basis, j, size)
    for j in range(m - 1, -1, -1):
        for k in range(j + 1, m):
            coefficients[j] -= upper[j, k] * coefficients[k]
        coefficients[j] = coefficients[j] / upper[j, j] if upper[j, j] > 0.0 else 0.0


@inner(float64(MATRIX, int64))
def residual_square(basis: Matrix, size: int) -> float:
    """Sum of squares of the weighted residual; inf where it has none."""
    last = basis.shape[0] - 1
    total = _dot(basis, last, basis, last, size)
    return total if total < math.inf else math.inf


@inner(void(MATRIX, WHOLES, VECTOR, VECTOR, MATRIX, MATRIX, VECTOR, int64))
def normal_equations(
    tangents: Matrix, owner: Whole, coefficients: Vector, weights: Vector, basis: Matrix,
    hessian: Matrix, gradient: Vector, size: int,
) -> None:  # fmt: skip
    """Tangents of the projected residual (Kaufman's form) and their products, also with itself."""
    m = coefficients.shape[0]
    for q in range(gradient.shape[0]):
        factor = coefficients[owner[q]] if owner[q] >= 0 else 1.0
        for i in range(size):
            tangents[q, i] *= factor * weights[i]
        for j in range(m):
            _subtract(tangents, q, _dot(basis, j, tangents, q, size), basis, j, size)
        gradient[q] = _dot(tangents, q, basis, m, size)
        for k in range(q + 1):
            hessian[q, k] = _dot(tangents, q, tangents, k, size)
            hessian[k, q] = hessian[q, k]


@inner(boolean(MATRIX, VECTOR, float64, MATRIX, VECTOR))
def damped_step(
    hessian: Matrix, gradient: Vector, damping: float, factor: Matrix, step: Vector
) -> bool:
    """Solve (H + damping diag H) step = gradient by Cholesky; False when not positive definite."""
    p = gradient.shape[0]
    for j in range(p):
        for k in range(j + 1):
            total = hessian[j, k]
            if j == k:
                total += damping * hessian[j, j] + 1e-300
            for i in range(k):
                total -= factor[j, i] * factor[k, i]
            if j == k:
                if not total > 0.0:
                    return False
                factor[j, j] = math.sqrt(total)
            else:
                factor[j, k] = total / factor[k, k]
    for j in range(p):
        total = gradient[j]
        for k in range(j):
            total -= factor[j, k] * step[k]
        step[j] = total / factor[j, j]
    for j in range(p - 1, -1, -1):
        total = step[j]
        for k in range(j + 1, p):
            total -= factor[k, j] * step[k]
        step[j] = total / factor[j, j]
    return True
