"""States handed in with names, and inputs beside them."""

import numpy as np
import pytest

from odevsr.discovery.columns import chosen_columns
from odevsr.errors import UsageError

NAMES = ("x", "y", "u")


class Table:
    """What a DataFrame has in common with other tables."""

    def __init__(self, columns, **values):
        self.columns, self._values = columns, values

    def __getitem__(self, name):
        return self._values[name]

    def __array__(self, dtype=None, copy=None):
        return np.stack([self._values[name] for name in self.columns], axis=-1)


def chosen(states, **inputs):
    return chosen_columns(states, NAMES, inputs, "a system").tolist()


def test_columns_are_matched_by_name_whatever_their_order():
    table = Table(["time", "u", "y", "x"], x=[1, 2], y=[3, 4], u=[5, 6], time=[7, 8])
    assert chosen(table) == [[1, 3, 5], [2, 4, 6]]


def test_arrays_are_taken_in_order():
    assert chosen([[1, 3, 5], [2, 4, 6]]) == [[1, 3, 5], [2, 4, 6]]
    assert chosen([1, 3, 5]) == [1, 3, 5]


def test_inputs_have_no_column():
    assert chosen([[1, 3], [2, 4]], u=5) == [[1, 3, 5], [2, 4, 5]]
    assert chosen([[1, 3], [2, 4]], u=[5, 6]) == [[1, 3, 5], [2, 4, 6]]
    assert chosen([[3, 5], [4, 6]], x=[1, 2]) == [[1, 3, 5], [2, 4, 6]]
    table = Table(["y", "x"], x=[1, 2], y=[3, 4])
    assert chosen(table, u=5) == [[1, 3, 5], [2, 4, 5]]


@pytest.mark.parametrize(
    ("states", "inputs", "sentence"),
    [
        (Table(["x", "y"], x=[1], y=[2]), {}, "0 columns u; give one for each of x, y, u"),
        (Table(["x", "y", "u", "u"]), {}, "2 columns u"),
        (Table([0, 1, 2]), {}, "0 columns x"),
        ([[1, 2]], {}, r"states of shape \(1, 2\).*x, y, u"),
        ([[1, 2, 3]], {"u": 1}, r"give \(\.\.\., 2\): x, y"),
        ([[1, 2]], {"w": 1}, "'w' is no variable of a system"),
        ([[1, 2]], {"u": [1, 2]}, r"the input u has the shape \(2,\) and the states \(1,\)"),
        ([[1, 2]], {"u": "much"}, "the input u must be numbers"),
    ],
)
def test_what_does_not_match_is_refused(states, inputs, sentence):
    with pytest.raises(UsageError, match=sentence):
        chosen(states, **inputs)
