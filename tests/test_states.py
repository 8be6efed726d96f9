"""Where quantities are asked about: anywhere in a box, and along lines."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from odevsr.vertical.asking.states import lines, uniform_states
from odevsr.world.box import plain_box


@given(
    st.lists(st.tuples(st.floats(-1e3, 1e3), st.floats(1e-3, 1e3)), min_size=1, max_size=4),
    st.integers(1, 20),
)
def test_uniform_states_lie_in_the_box(limits, count):
    box = plain_box([[low, low + width] for low, width in limits])
    states = uniform_states(box, count, np.random.default_rng(0))
    assert states.shape == (count, len(box))
    assert np.all((states >= box.low) & (states <= box.high))


def test_along_a_line_one_variable_alone_is_moved():
    box, bases = plain_box([[0.0, 2.0], [10.0, 20.0]]), np.array([[1.0, 15.0], [0.5, 12.0]])
    states = lines(box, bases, np.array([0.0, 0.5, 1.0]))
    assert states.shape == (2, 2, 3, 2)
    assert states[0, 1].tolist() == [[0.0, 12.0], [1.0, 12.0], [2.0, 12.0]]
    assert states[1, 0].tolist() == [[1.0, 10.0], [1.0, 15.0], [1.0, 20.0]]
