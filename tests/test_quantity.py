"""Quantities: derivatives, restrictions of them, and summary constants as experiments."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import FunctionQuantity, form

from odevsr.evidence.agreement import Agreement
from odevsr.language.algebra.normal import normal_form
from odevsr.vertical.asking.design import Design
from odevsr.vertical.asking.quantity import (
    MOST_REMEMBERED,
    FormExperiment,
    Held,
    Remembered,
)


def experiment(quantity, free, text):
    expression = normal_form(form(text))
    return FormExperiment(quantity, free, expression, Agreement(), Design(1))


@given(st.permutations([0, 1, 2]), st.integers(0, 3))
def test_a_restricted_quantity_holds_the_others_at_the_base(order, number):
    kept = tuple(sorted(order[:number]))
    box = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])
    whole = FunctionQuantity(lambda x, y, z: x + 10 * y + 100 * z, box, error=0.0)
    base = np.array([7.0, 8.0, 9.0])
    quantity = Held(whole, kept, base)
    states = np.arange(6.0 * number).reshape(2, 3, number)
    sample = quantity.measure(states)
    assert sample.states is states
    expected = sum(
        (10**k) * (states[..., kept.index(k)] if k in kept else base[k]) for k in range(3)
    )
    np.testing.assert_allclose(sample.values, np.broadcast_to(expected, (2, 3)))
    assert quantity.names == tuple("xyz"[k] for k in kept)
    assert np.array_equal(quantity.box.limits, box[list(kept)])


def test_summary_constants_are_functions_of_what_the_form_does_not_hold():
    whole = FunctionQuantity(lambda x, y: np.sin(y) * x**2 + y**3)
    fit = experiment(whole, (0,), "C*x^2 + C")
    states = np.linspace(-0.8, 1.8, 6)[:, None]
    for index, truth in enumerate([np.sin(states[:, 0]), states[:, 0] ** 3]):
        quantity = fit.summary(index)
        sample = quantity.measure(states)
        assert quantity.names == ("y",)
        assert quantity.box == whole.box.part([1])
        assert np.all(np.abs(sample.values - truth) <= 8 * sample.errors)
        assert np.all(sample.errors < 1e-8)


def test_one_experiment_serves_all_constants_of_a_form():
    whole = FunctionQuantity(lambda x, y: y * x + 1)
    fit = experiment(whole, (0,), "C*x + C")
    states = np.array([[0.5], [1.0]])
    fit.summary(0).measure(states)
    spent = whole.measured
    fit.summary(1).measure(states)
    assert 0 < whole.measured == spent


def test_constants_inside_functions_are_measured_too():
    whole = FunctionQuantity(lambda x, y: 2 * np.exp(-x * y))
    states = np.array([[[0.3], [0.9]], [[1.2], [1.7]]])
    sample = experiment(whole, (0,), "C*exp(C*x)").summary(1).measure(states)
    assert sample.values.shape == sample.errors.shape == (2, 2)
    np.testing.assert_allclose(sample.values, -states[..., 0], atol=1e-7)


def test_a_form_that_does_not_fit_measures_nothing():
    whole = FunctionQuantity(lambda x, y: np.exp(x) + y)
    sample = experiment(whole, (0,), "C*x + C").summary(0).measure(np.array([[1.0]]))
    assert not np.any(sample.usable)


def test_where_the_whole_cannot_be_measured_its_constants_cannot_either():
    whole = FunctionQuantity(lambda x, y: x * y, missing=lambda x, y: y > 1.0)
    states = np.array([[0.5], [1.5]])
    sample = experiment(whole, (0,), "C*x").summary(0).measure(states)
    assert sample.usable.tolist() == [True, False]


def test_the_same_states_are_measured_at_the_same_points():
    asked = []

    def function(x, y):
        asked.append(x)
        return x * y

    for _ in range(2):
        experiment(FunctionQuantity(function), (0,), "C*x").constants(np.array([[0.5]]))
    assert np.array_equal(*asked)


def test_what_was_measured_first_is_forgotten_first():
    whole = FunctionQuantity(lambda x, y: y * x)
    fit = experiment(whole, (0,), "C*x")
    for value in np.linspace(0.1, 1.0, 70):
        fit.constants(np.array([[value]]))
    assert len(fit.remembered) == 64
    assert np.array([[0.1]]).tobytes() not in fit.remembered
    assert fit.constants(np.array([[1.0]]))[0][0, 0] == pytest.approx(1.0)


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
