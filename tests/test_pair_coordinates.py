"""Two variables in one coordinate: measured inside their ranges, and written out again."""

import numpy as np
from laws import FunctionQuantity, error_of, make_question

from odevsr.vertical.laws.solve import solve
from odevsr.vertical.simpler.pair_coordinates import SIGNS, in_pair_coordinates

BOX = np.array([[0.5, 2.5], [0.4, 2.0], [-1.0, 1.0]])


def test_a_changed_quantity_is_measured_only_where_x_stays_in_its_range():
    asked = []

    def function(x, y, z):
        asked.append(np.stack([x, y, z], axis=-1))
        return x

    for op in SIGNS:
        quantity = in_pair_coordinates(FunctionQuantity(function, BOX), (0, 1), op)
        low, high = quantity.box.limits.T
        assert np.all(low < high)
        quantity.measure(low + (high - low) * np.random.default_rng(0).random((200, 3)))
    states = np.concatenate(asked)
    assert np.all((states >= BOX[:, 0] - 1e-12) & (states <= BOX[:, 1] + 1e-12))


def test_a_double_pendulum_comes_apart_in_the_difference_of_its_angles():
    quantity = FunctionQuantity(
        lambda x, y: (3 * np.sin(x) - np.sin(x - 2 * y)) / (3 - np.cos(2 * x - 2 * y)),
        np.array([[-2.0, 2.0], [-2.0, 2.0]]),
    )
    assert error_of(solve(make_question(quantity)), quantity) < 1e-8
