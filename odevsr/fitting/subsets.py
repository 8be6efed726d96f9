"""Every small subset of columns, and what least squares with it leaves: the compiled search."""

import numpy as np
from numba import float64, int64, void

from odevsr.fitting.compiled import (
    CUBE,
    MATRIX,
    VECTOR,
    WHOLE_CUBE,
    WHOLE_CUBES,
    WHOLES,
    Cube,
    Matrix,
    Vector,
    Whole,
    inner,
    kernel,
)  # fmt: skip

DEPENDENT = 1e-9
"""What is left of a column of length 1 if others hold it already."""


@inner(float64(VECTOR, VECTOR))
def _dot(one: Vector, other: Vector) -> float:
    total = 0.0
    for i in range(one.shape[0]):
        total += one[i] * other[i]
    return total


@inner(void(VECTOR, VECTOR, float64, VECTOR))
def _less(whole: Vector, part: Vector, square: float, rest: Vector) -> None:
    """Fill `rest` with the whole less what it has along a part, whose length squared is given."""
    times = _dot(whole, part) / square
    for i in range(whole.shape[0]):
        rest[i] = whole[i] - times * part[i]


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


@inner(void(CUBE, VECTOR, MATRIX, int64, int64, float64, MATRIX, WHOLE_CUBE))
def _search(
    columns: Cube,
    costs: Vector,
    rests: Matrix,
    fixed: int,
    most: int,
    farthest: float,
    left: Matrix,
    chosen: Whole,
) -> None:
    """Fill the best subsets of each size, depth first.

    columns[d] and rests[d] are the columns and the target less what d of the columns hold; those of
    depth 0 are given.
    """
    count = columns.shape[1]
    spent = np.zeros(most + 1)
    path = np.zeros(most, np.int64)
    depth = 0
    candidate = count - 1
    # Columns are taken in falling order, so that the last of `path` is the least: a subset with one
    # of the columns from `fixed` on is one whose first is.
    while True:
        first_allowed = fixed if depth == 0 and fixed < count else 0
        if candidate < first_allowed:
            if depth == 0:
                return
            depth -= 1
            candidate = path[depth] - 1
            continue
        column = columns[depth, candidate]
        square = _dot(column, column)
        cost = spent[depth] + costs[candidate]
        if cost <= farthest and square > DEPENDENT**2:
            _less(rests[depth], column, square, rests[depth + 1])
            path[depth] = candidate
            spent[depth + 1] = cost
            total = _dot(rests[depth + 1], rests[depth + 1]) + cost
            _enter(total, path, depth, left, chosen)
            if depth + 1 < most:
                for other in range(candidate):
                    _less(columns[depth, other], column, square, columns[depth + 1, other])
                depth += 1
        candidate -= 1


@kernel(void(CUBE, VECTOR, MATRIX, int64, int64, VECTOR, CUBE, WHOLE_CUBES))
def best_subsets(
    columns: Cube,
    costs: Vector,
    targets: Matrix,
    fixed: int,
    most: int,
    farthest: Vector,
    left: Cube,
    chosen: Whole,
) -> None:
    """Fill the best subsets of each size up to `most`, in several regressions.

    `columns` (B, M, rows) have length 1 and cost so much each; those before `fixed` alone make no
    subset, unless all columns are. left[b, s, k] is the sum of squares that the k-th best subset of
    s + 1 columns leaves of targets[b], and what they cost; chosen[b, s, k] are its columns, from
    the last to the first. Subsets that cost more than farthest[b] are passed over with all that
    hold them.
    """
    blocks, count, rows = columns.shape
    reduced = np.zeros((most, count, rows))
    rests = np.zeros((most + 1, rows))
    left[:, :, :] = np.inf
    for b in range(blocks):
        reduced[0] = columns[b]
        rests[0] = targets[b]
        _search(reduced, costs, rests, fixed, most, farthest[b], left[b], chosen[b])
