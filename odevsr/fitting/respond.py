"""How a motion responds to what is added to one of its laws: the compiled recursion."""

import numpy as np
from numba import int64, void

from odevsr.fitting.compiled import (
    CUBE,
    MATRIX,
    VECTOR,
    WHOLES,
    Cube,
    Matrix,
    Vector,
    Whole,
    inner,
    kernel,
)


@inner(void(CUBE, int64, int64, CUBE))
def _shade(shadows: Cube, first: int, end: int, values: Cube) -> None:
    """Take from the values of one segment what its start can make up for."""
    size, count = values.shape[1], values.shape[2]
    along = np.zeros((size, count))
    for j in range(first, end):
        for i in range(size):
            for s in range(size):
                share = shadows[j, i, s]
                for c in range(count):
                    along[s, c] += share * values[j, i, c]
    for j in range(first, end):
        for i in range(size):
            for s in range(size):
                share = shadows[j, i, s]
                for c in range(count):
                    values[j, i, c] -= share * along[s, c]


@kernel(void(CUBE, CUBE, VECTOR, MATRIX, CUBE, WHOLES, int64, MATRIX, MATRIX, CUBE))
def respond(
    whole: Cube,
    half: Cube,
    steps: Vector,
    weights: Matrix,
    shadows: Cube,
    bounds: Whole,
    equation: int,
    ends: Matrix,
    middles: Matrix,
    responses: Cube,
) -> None:
    """Fill responses (N, m, T) to functions added to one law, over the errors of the samples.

    The functions have the values `ends` (N, T) at the samples and `middles` in between. `whole` and
    `half` (N, m, m) carry changes from a sample, and from the middle, to the next sample; segments
    s hold the samples bounds[s]:bounds[s + 1]. What their starts can make up for is taken away: the
    `shadows` (N, m, m) are an orthonormal basis of it, segment by segment.
    """
    size, count = responses.shape[1], responses.shape[2]
    for segment in range(bounds.shape[0] - 1):
        first, end = bounds[segment], bounds[segment + 1]
        responses[first] = 0.0
        for j in range(first, end - 1):
            sixth = steps[j] / 6
            for i in range(size):
                before, between = sixth * whole[j, i, equation], 4 * sixth * half[j, i, equation]
                behind = sixth if i == equation else 0.0
                row = responses[j + 1, i]
                for c in range(count):
                    row[c] = before * ends[j, c] + between * middles[j, c] + behind * ends[j + 1, c]
                for k in range(size):
                    share = whole[j, i, k]
                    for c in range(count):
                        row[c] += share * responses[j, k, c]
        for j in range(first, end):
            for i in range(size):
                for c in range(count):
                    responses[j, i, c] *= weights[j, i]
        _shade(shadows, first, end, responses)


@kernel(void(CUBE, WHOLES, CUBE))
def shade(shadows: Cube, bounds: Whole, values: Cube) -> None:
    """Take from values (N, m, T) what the starts of segments can make up for."""
    for segment in range(bounds.shape[0] - 1):
        _shade(shadows, bounds[segment], bounds[segment + 1], values)
