"""Symmetries read off gradients: groups of variables, and scalings."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import FunctionQuantity

from odevsr.vertical.simpler.slopes import measured_slopes
from odevsr.vertical.simpler.symmetries import Member, Scaling, groups, scalings, simple_number

BOX = np.array([[0.5, 2.5], [0.4, 2.0], [1.0, 3.0]])


def slopes(function, error=1e-13, box=BOX):
    return measured_slopes(FunctionQuantity(function, box, error), np.random.default_rng(0))


def test_slopes_are_partial_derivatives_within_their_errors():
    found = slopes(lambda x, y, z: np.sin(x * y) + z**2)
    x, y, z = found.states.T
    truth = np.stack([y * np.cos(x * y), x * np.cos(x * y), 2 * z], axis=1)
    assert np.allclose(found.partials, truth, rtol=1e-6, atol=1e-8)
    assert np.allclose(found.values, np.sin(x * y) + z**2)


def test_there_are_no_slopes_where_hardly_anything_can_be_measured():
    quantity = FunctionQuantity(lambda x, y, z: x, BOX, missing=lambda x, y, z: x > 0.505)
    assert measured_slopes(quantity, np.random.default_rng(0)) is None


@given(st.sampled_from([-2, -1, 1, 2, 3]), st.sampled_from([-3, -1, 2, 5]))
def test_powers_that_act_by_their_sum_are_one_group(power, weight):
    found = groups(slopes(lambda x, y, z: np.arctan(x**2 + weight * y**power / 9) + np.exp(-z * x)))
    assert found == []
    found = groups(slopes(lambda x, y, z: np.exp((x**2 + weight * y**power) / 99) * (z + z * z)))
    assert found[0] == (Member(0, 2, 1), Member(1, power, weight))


def test_a_weak_member_of_a_group_is_not_lost():
    ((first, second),) = groups(slopes(lambda x, y, z: np.sin(x + 1e-6 * y) * (z + z * z)))
    assert first == Member(0, 1, 1)
    assert float(second.weight) == pytest.approx(1e-6, rel=1e-3)


def test_a_product_is_a_sum_of_logarithms():
    ((first, second, third),) = groups(slopes(lambda x, y, z: np.sin(x * y**2 / np.sqrt(z) / 9)))
    assert [first.power, second.power, third.power] == [0, 0, 0]
    assert [first.weight, second.weight, third.weight] == [1, 2, Fraction(-1, 2)]


def test_exponents_of_a_variable_that_hardly_varies_are_the_simplest_there_are():
    box = np.array([[0.5, 2.5], [5.0, 5.0005], [1.0, 3.0]])
    ((first, second),) = groups(slopes(lambda x, y, z: np.sin(x * y) + z, box=box))
    assert [first.power, second.power] == [0, 0]
    assert [first.weight, second.weight] == [1, 1]


@pytest.mark.parametrize(
    ("function", "found"),
    [
        (
            lambda x, y, z: y**3 * np.sin(x / y) * np.exp(z),
            [Scaling(0, ((1, 1),), 3)],
        ),
        (
            lambda x, y, z: np.exp(y / x) / z**2.5,
            [Scaling(0, ((1, 1),), 0), Scaling(2, (), Fraction(-5, 2))],
        ),
        (lambda x, y, z: np.exp(x) + np.sin(y) + z, []),
    ],
)
def test_scalings_are_those_of_all_variables_that_have_any(function, found):
    assert scalings(slopes(function), [0, 2, 1]) == found


def test_only_numbers_with_small_denominators_are_simple():
    assert simple_number(0.3333333) == Fraction(1, 3)
    assert simple_number(-2.0000001) == -2
    assert simple_number(2.71828) == 2.71828
