"""The first look: polynomials are told by a few states, and nothing else is taken for one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import FunctionQuantity, error_of, make_question

from odevsr.settings import Settings
from odevsr.vertical.asking.common import Common
from odevsr.vertical.asking.design import Design
from odevsr.vertical.laws.first_look import first_look

FEW = Settings(trials=4, points=10)
coefficients = st.one_of(st.just(0.0), st.floats(0.1, 10.0), st.floats(-10.0, -0.1))


def looked(function, **options):
    quantity = FunctionQuantity(function, **options)
    everything = tuple(range(len(quantity.box)))
    return first_look(make_question(Common(quantity, everything, Design(0)), FEW)), quantity


@given(st.lists(coefficients, min_size=6, max_size=6).filter(any))
def test_a_polynomial_is_told_by_few_states(numbers):
    def function(x, y):
        return sum(c * each for c, each in zip(numbers, (1, x, y, x**2, x * y, y**2), strict=True))

    law, quantity = looked(function)
    assert error_of(law, quantity) < 1e-8
    assert quantity.measured < 60


@pytest.mark.parametrize(
    "function",
    [lambda x, y: np.sin(x) * y, lambda x, y: x / (1 + x * y**2), lambda x, y: np.exp(x - y)],
)
def test_what_is_no_polynomial_is_not_taken_for_one(function):
    law, quantity = looked(function)
    assert law is None
    assert quantity.measured < 150


@pytest.mark.parametrize("function", [lambda x: np.sin(x / 20), lambda x: x + x**2 + x**3])
def test_the_beginning_of_a_series_is_left_to_rounds(function):
    assert looked(function, box=[[-2.5, 2.5]])[0] is None


def test_terms_that_would_take_more_states_than_rounds_are_not_looked_for():
    box = np.tile([1.0, 2.0], (3, 1))
    law, quantity = looked(lambda x, y, z: x**3 * y**2, box=box)
    assert law is None
    assert quantity.measured < 150
