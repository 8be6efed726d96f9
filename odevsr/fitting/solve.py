"""Compiled linear algebra of one fit: projection on the linear constants, damped steps for the others."""

import math

import numba

from odevsr.fitting.machine import OPTIONS

_jit = numba.njit(**OPTIONS)


@_jit
def dot(left, right):
    total = 0.0
    for i in range(left.shape[0]):
        total += left[i] * right[i]
    return total


@_jit
def _subtract(vector, factor, direction):
    for i in range(vector.shape[0]):
        vector[i] -= factor * direction[i]


@_jit
def project(columns, target, weights, basis, upper, coefficients, residual):
    """Least squares for the linear constants by modified Gram-Schmidt; the rank of the columns.

    Leaves an orthonormal basis, the coefficients and the weighted residual. A column that depends on
    earlier ones gets coefficient 0.
    """
    m = columns.shape[0] - 1
    for i in range(residual.shape[0]):
        residual[i] = (target[i] - columns[m, i]) * weights[i]
    rank = 0
    for j in range(m):
        for i in range(residual.shape[0]):
            basis[j, i] = columns[j, i] * weights[i]
        before = math.sqrt(dot(basis[j], basis[j]))
        for k in range(j):
            upper[k, j] = 0.0
        for _ in range(2):
            for k in range(j):
                overlap = dot(basis[k], basis[j])
                upper[k, j] += overlap
                _subtract(basis[j], overlap, basis[k])
        after = math.sqrt(dot(basis[j], basis[j]))
        independent = after > 1e-11 * before and before > 0.0
        rank += independent
        upper[j, j] = after if independent else 0.0
        scale = 1.0 / after if independent else 0.0
        for i in range(residual.shape[0]):
            basis[j, i] *= scale
        coefficients[j] = dot(basis[j], residual)
        _subtract(residual, coefficients[j], basis[j])
    for j in range(m - 1, -1, -1):
        for k in range(j + 1, m):
            coefficients[j] -= upper[j, k] * coefficients[k]
        coefficients[j] = coefficients[j] / upper[j, j] if upper[j, j] > 0.0 else 0.0
    return rank


@_jit
def normal_equations(tangents, owner, coefficients, weights, basis, residual, hessian, gradient):
    """Tangents of the projected residual (Kaufman's form), their products with each other and it."""
    p = gradient.shape[0]
    m = coefficients.shape[0]
    for q in range(p):
        factor = coefficients[owner[q]] if owner[q] >= 0 else 1.0
        for i in range(residual.shape[0]):
            tangents[q, i] *= factor * weights[i]
        for j in range(m):
            _subtract(tangents[q], dot(basis[j], tangents[q]), basis[j])
        gradient[q] = dot(tangents[q], residual)
        for k in range(q + 1):
            hessian[q, k] = dot(tangents[q], tangents[k])
            hessian[k, q] = hessian[q, k]


@_jit
def damped_step(hessian, gradient, damping, factor, step):
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
