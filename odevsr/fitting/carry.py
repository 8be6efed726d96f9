"""How small changes of a motion go on from sample to sample: the compiled recursion."""

from numba import int64

from odevsr.fitting.compiled import CUBE, WHOLES, Cube, Whole, kernel


@kernel(int64(CUBE, CUBE, WHOLES, CUBE))
def carry(transitions: Cube, pushes: Cube, bounds: Whole, changes: Cube) -> int:
    """Fill changes (N, m, T) of all segments; how many these are comes back.

    They are nought at the first sample of each; those at sample j + 1 are transitions[j] (m, m)
    times those at j, plus pushes[j] (m, T).
    """
    size, count = changes.shape[1], changes.shape[2]
    segments = 0
    for segment in range(bounds.shape[0] - 1):
        changes[bounds[segment]] = 0.0
        for j in range(bounds[segment], bounds[segment + 1] - 1):
            for i in range(size):
                for c in range(count):
                    changes[j + 1, i, c] = pushes[j, i, c]
                for k in range(size):
                    share = transitions[j, i, k]
                    for c in range(count):
                        changes[j + 1, i, c] += share * changes[j, k, c]
        segments += 1
    return segments
