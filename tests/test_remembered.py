"""What a quantity remembers: the same states once, and no more than a round needs."""

import numpy as np
from laws import FunctionQuantity

from odevsr.vertical.quantity import MOST_REMEMBERED
from odevsr.vertical.remembered import Remembered


def test_what_was_measured_is_not_measured_again():
    quantity = FunctionQuantity(lambda x, y: x * y)
    remembered = Remembered(quantity)
    first, again = (remembered.measure(np.ones((6, 2))) for _ in range(2))
    assert first is again
    assert quantity.measured == 6


def test_the_same_states_in_another_arrangement_keep_it():
    remembered = Remembered(FunctionQuantity(lambda x, y: x * y))
    assert remembered.measure(np.ones((6, 2))).values.shape == (6,)
    assert remembered.measure(np.ones((2, 3, 2))).values.shape == (2, 3)


def test_what_was_measured_long_ago_is_forgotten():
    remembered = Remembered(FunctionQuantity(lambda x, y: x * y))
    for number in range(MOST_REMEMBERED + 3):
        remembered.measure(np.full((1, 2), 0.1 * number))
    assert len(remembered.seen) == MOST_REMEMBERED
