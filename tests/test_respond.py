"""Responses of a motion, against those followed step by step in numpy."""

from itertools import pairwise

import numpy as np

from odevsr.fitting.respond import respond, shade

BOUNDS = np.array([0, 4, 7])


def test_responses_are_carried_from_sample_to_sample_and_begin_anew_in_each_segment():
    rng = np.random.default_rng(0)
    whole, half = rng.standard_normal((2, 7, 2, 2))
    steps, weights = rng.random(7), rng.random((7, 2))
    ends, middles = rng.standard_normal((2, 7, 3))
    found = np.full((7, 2, 3), np.nan)
    nothing = np.zeros((7, 2, 2))
    respond(whole, half, steps, weights, nothing, BOUNDS, 1, ends, middles, found)
    expected = np.zeros((7, 2, 3))
    for j in (0, 1, 2, 4, 5):
        push = np.outer(whole[j, :, 1], ends[j]) + 4 * np.outer(half[j, :, 1], middles[j])
        push[1] += ends[j + 1]
        expected[j + 1] = whole[j] @ expected[j] + steps[j] / 6 * push
    assert np.allclose(found, weights[:, :, None] * expected)


def test_what_a_start_can_make_up_for_is_taken_away():
    rng = np.random.default_rng(1)
    shadows = np.concatenate(
        [
            np.linalg.qr(rng.standard_normal((2 * size, 2)))[0].reshape(size, 2, 2)
            for size in np.diff(BOUNDS)
        ]
    )
    values = rng.standard_normal((7, 2, 3))
    rest = values.copy()
    shade(shadows, BOUNDS, rest)
    for first, end in pairwise(BOUNDS):
        basis, part = shadows[first:end].reshape(-1, 2), values[first:end].reshape(-1, 3)
        assert np.allclose(rest[first:end].reshape(-1, 3), part - basis @ (basis.T @ part))
