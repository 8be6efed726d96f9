"""Every small subset of columns, and what least squares with it leaves: the compiled search."""

import numpy as np
from numba import int64

from odevsr.fitting.compiled import (
    MATRIX,
    VECTOR,
    WHOLE_CUBE,
    Matrix,
    Vector,
    Whole,
    kernel,
)  # fmt: skip


@kernel(int64(MATRIX, VECTOR, int64, int64, MATRIX, WHOLE_CUBE))
def best_subsets(  # noqa: C901 - one walk through the tree of subsets
    columns: Matrix, target: Vector, fixed: int, most: int, left: Matrix, chosen: Whole
) -> int:
    """Fill the best subsets of each size up to `most`; how many were looked at comes back.

    `columns` (rows, M) have length 1; those before `fixed` alone make no subset, unless all columns
    are. left[s, k] is the sum of squares that the k-th best subset of s + 1 columns leaves, and
    chosen[s, k] are its columns. Depth first, each column made orthogonal to those above it.
    """
    rows = columns.shape[0]
    count = columns.shape[1]
    keep = left.shape[1]
    basis = np.zeros((most, rows))
    rests = np.zeros((most + 1, rows))
    rests[0] = target
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
        for i in range(rows):
            basis[depth, i] = columns[i, candidate]
        for _ in range(2):
            for d in range(depth):
                dot = 0.0
                for i in range(rows):
                    dot += basis[d, i] * basis[depth, i]
                for i in range(rows):
                    basis[depth, i] -= dot * basis[d, i]
        length = 0.0
        along = 0.0
        for i in range(rows):
            length += basis[depth, i] * basis[depth, i]
        if length < 1e-18:
            candidate -= 1
            continue
        length = np.sqrt(length)
        for i in range(rows):
            basis[depth, i] /= length
            along += basis[depth, i] * rests[depth, i]
        total = 0.0
        for i in range(rows):
            rests[depth + 1, i] = rests[depth, i] - along * basis[depth, i]
            total += rests[depth + 1, i] * rests[depth + 1, i]
        path[depth] = candidate
        looked += 1
        if total < left[depth, keep - 1]:
            place = keep - 1
            while place > 0 and left[depth, place - 1] > total:
                left[depth, place] = left[depth, place - 1]
                for d in range(depth + 1):
                    chosen[depth, place, d] = chosen[depth, place - 1, d]
                place -= 1
            left[depth, place] = total
            for d in range(depth + 1):
                chosen[depth, place, d] = path[d]
        if depth + 1 < most:
            depth += 1
        candidate -= 1
