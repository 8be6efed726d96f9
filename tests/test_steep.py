"""Steep places of laws, found however narrow they are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from odevsr.language.evaluate import compile_field
from odevsr.language.parse import parse
from odevsr.vertical.judging.steep import steep_states
from odevsr.world.box import plain_box

NAMES = ("x", "y")
BOX = plain_box([[-2.0, 2.0], [0.0, 1.0]])


def steep(text, variable=0, seed=0):
    return steep_states(parse(text, NAMES), NAMES, BOX, variable, np.random.default_rng(seed))


@given(st.floats(-1.5, 1.5), st.sampled_from([200, 4000, 1e6]), st.integers(0, 50))
def test_states_lie_across_the_step(place, rate, seed):
    text = f"tanh({rate}*(x - {place}))"
    states = steep(text, seed=seed)
    values = compile_field([parse(text, NAMES)], NAMES)(states)[:, 0]
    assert np.ptp(values) > 0.5
    assert np.max(np.abs(np.diff(values))) < 0.9 * np.ptp(values)
    assert np.ptp(states[:, 1]) == 0


@pytest.mark.parametrize("text", ["x", "x**3 - 2*x*y", "sin(3*x)", "exp(x)", "1/(x**2 + 0.1)"])
def test_a_gentle_law_is_steep_nowhere(text):
    assert steep(text) is None


def test_along_another_variable_a_law_may_be_gentle():
    assert steep("tanh(4000*x) + y", variable=1) is None
