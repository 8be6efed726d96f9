"""Every small subset of columns, and what least squares with it leaves: the compiled search."""

import numpy as np
from numba import float64, int64, void

from odevsr.fitting.compiled import (
    MATRIX,
    VECTOR,
    WHOLE_CUBE,
    WHOLES,
    Matrix,
    Vector,
    Whole,
    inner,
    kernel,
)  # fmt: skip

DEPENDENT = 1e-9
"""What is left of a column of length 1 if those above it hold it already."""


@inner(float64(VECTOR, VECTOR))
def _dot(one: Vector, other: Vector) -> float:
    total = 0.0
    for i in range(one.shape[0]):
        total += one[i] * other[i]
    return total


@inner(void(VECTOR, float64, VECTOR, VECTOR))
def _less(whole: Vector, times: float, part: Vector, rest: Vector) -> None:
    """Fill `rest` with the whole less so many times a part."""
    for i in range(whole.shape[0]):
        rest[i] = whole[i] - times * part[i]


@inner(int64(MATRIX, int64))
def _orthogonal(basis: Matrix, depth: int) -> int:
    """Make a row orthogonal to those above it, twice for accuracy, and of length 1.

    0 if they hold it already.
    """
    row = basis[depth]
    for _ in range(2):
        for d in range(depth):
            _less(row, _dot(basis[d], row), basis[d], row)
    length = np.sqrt(_dot(row, row))
    if length < DEPENDENT:
        return 0
    for i in range(row.shape[0]):
        row[i] /= length
    return 1


@inner(void(float64, WHOLES, int64, MATRIX, WHOLE_CUBE))
def _enter(total: float, path: Whole, depth: int, left: Matrix, chosen: Whole) -> None:
    """Put a subset among the best of its size, if it is one of them."""
    place = left.shape[1] - 1
    if not total < left[depth, place]:
        return
    while place > 0 and left[depth, place - 1] > total:
        left[depth, place] = left[depth, place - 1]
        chosen[depth, place] = chosen[depth, place - 1]
        place -= 1
    left[depth, place] = total
    chosen[depth, place, : depth + 1] = path[: depth + 1]


@kernel(int64(MATRIX, VECTOR, VECTOR, int64, int64, float64, MATRIX, WHOLE_CUBE))
def best_subsets(
    columns: Matrix,
    costs: Vector,
    target: Vector,
    fixed: int,
    most: int,
    farthest: float,
    left: Matrix,
    chosen: Whole,
) -> int:
    """Fill the best subsets of each size up to `most`; how many were looked at comes back.

    `columns` (rows, M) have length 1 and cost so much each; those before `fixed` alone make no
    subset, unless all columns are. left[s, k] is the sum of squares that the k-th best subset of
    s + 1 columns leaves, and what they cost; chosen[s, k] are its columns. Depth first, each column
    made orthogonal to those above it. Subsets that cost more than `farthest` are passed over with
    all that hold them.
    """
    rows, count = columns.shape
    basis = np.zeros((most, rows))
    rests = np.zeros((most + 1, rows))
    rests[0] = target
    spent = np.zeros(most + 1)
    path = np.zeros(most, np.int64)
    left[:, :] = np.inf
    looked = 0
    depth = 0
    candidate = count - 1
    # Columns are taken in falling order, so that the last of `path` is the least: a subset with one
    # of the columns from `fixed` on is one whose first is.
    while True:
        first_allowed = fixed if depth == 0 and fixed < count else 0
        if candidate < first_allowed:
            if depth == 0:
                return looked
            depth -= 1
            candidate = path[depth] - 1
            continue
        basis[depth] = columns[:, candidate]
        is_dear = spent[depth] + costs[candidate] > farthest
        if not is_dear and _orthogonal(basis, depth) == 1:
            _less(rests[depth], _dot(basis[depth], rests[depth]), basis[depth], rests[depth + 1])
            path[depth] = candidate
            spent[depth + 1] = spent[depth] + costs[candidate]
            looked += 1
            total = _dot(rests[depth + 1], rests[depth + 1]) + spent[depth + 1]
            _enter(total, path, depth, left, chosen)
            if depth + 1 < most:
                depth += 1
        candidate -= 1
