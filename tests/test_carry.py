"""Small changes of a motion, carried on from sample to sample."""

import numpy as np

from odevsr.fitting.carry import carry


def test_changes_begin_anew_in_each_segment_and_follow_their_transitions():
    rng = np.random.default_rng(0)
    transitions, pushes = rng.standard_normal((7, 2, 2)), rng.standard_normal((7, 2, 3))
    changes = np.full((7, 2, 3), np.nan)
    assert carry(transitions, pushes, np.array([0, 4, 7]), changes) == 2
    for j in range(7):
        expected = transitions[j - 1] @ changes[j - 1] + pushes[j - 1] if j % 4 else 0.0
        assert np.allclose(changes[j], expected)
