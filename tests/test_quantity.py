"""Targets: derivatives, restrictions of them, and summary constants as experiments."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import FunctionOracle, FunctionTarget, form

from odevsr.fitting.fit import start_multipliers
from odevsr.language.normal import normal_form
from odevsr.vertical.quantity import (
    DerivativeTarget,
    FormExperiment,
    RestrictedTarget,
    SummaryTarget,
    trials_along,
    uniform_states,
)

STARTS = start_multipliers(16, np.random.default_rng(0))


def experiment(target, free, text):
    return FormExperiment(target, free, normal_form(form(text)), STARTS, seed=1)


def test_a_derivative_is_what_the_oracle_measures():
    oracle = FunctionOracle(lambda x, y: x + y, error=0.0)
    target = DerivativeTarget(oracle)
    values, errors = target.measure(np.array([[1.0, 2.0], [3.0, 4.0]]))
    assert values.tolist() == [3.0, 7.0]
    assert errors.tolist() == [0.0, 0.0]
    assert target.names == ("x", "y")
    assert target.box is oracle.box
    assert oracle.cost.states == 2


@given(st.permutations([0, 1, 2]), st.integers(0, 3))
def test_a_restricted_target_holds_the_others_at_the_base(order, number):
    kept = tuple(sorted(order[:number]))
    box = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])
    whole = FunctionTarget(lambda x, y, z: x + 10 * y + 100 * z, box, error=0.0)
    base = np.array([7.0, 8.0, 9.0])
    target = RestrictedTarget(whole, kept, base)
    states = np.arange(6.0 * number).reshape(2, 3, number)
    values, _ = target.measure(states)
    expected = sum(
        (10**k) * (states[..., kept.index(k)] if k in kept else base[k]) for k in range(3)
    )
    np.testing.assert_allclose(values, np.broadcast_to(expected, (2, 3)))
    assert target.names == tuple("xyz"[k] for k in kept)
    assert np.array_equal(target.box, box[list(kept)])


def test_summary_constants_are_functions_of_what_the_form_does_not_hold():
    whole = FunctionTarget(lambda x, y: np.sin(y) * x**2 + y**3)
    fit = experiment(whole, (0,), "C*x^2 + C")
    states = np.linspace(-0.8, 1.8, 6)[:, None]
    for index, truth in enumerate([np.sin(states[:, 0]), states[:, 0] ** 3]):
        target = SummaryTarget(fit, index)
        values, errors = target.measure(states)
        assert target.names == ("y",)
        assert np.array_equal(target.box, whole.box[1:])
        assert np.all(np.abs(values - truth) <= 8 * errors)
        assert np.all(errors < 1e-8)


def test_one_experiment_serves_all_constants_of_a_form():
    whole = FunctionTarget(lambda x, y: y * x + 1)
    fit = experiment(whole, (0,), "C*x + C")
    states = np.array([[0.5], [1.0]])
    SummaryTarget(fit, 0).measure(states)
    spent = whole.measured
    SummaryTarget(fit, 1).measure(states)
    assert 0 < whole.measured == spent


def test_constants_inside_functions_are_measured_too():
    whole = FunctionTarget(lambda x, y: 2 * np.exp(-x * y))
    states = np.array([[[0.3], [0.9]], [[1.2], [1.7]]])
    values, errors = SummaryTarget(experiment(whole, (0,), "C*exp(C*x)"), 1).measure(states)
    assert values.shape == errors.shape == (2, 2)
    np.testing.assert_allclose(values, -states[..., 0], atol=1e-7)


def test_a_form_that_does_not_fit_measures_nothing():
    whole = FunctionTarget(lambda x, y: np.exp(x) + y)
    _, errors = SummaryTarget(experiment(whole, (0,), "C*x + C"), 0).measure(np.array([[1.0]]))
    assert np.all(np.isinf(errors))


def test_where_the_whole_cannot_be_measured_its_constants_cannot_either():
    whole = FunctionTarget(lambda x, y: x * y)
    plain = whole.measure

    def measure(states):
        values, errors = plain(states)
        return values, np.where(states[..., 1] > 1.0, np.inf, errors)

    whole.measure = measure
    _, errors = SummaryTarget(experiment(whole, (0,), "C*x"), 0).measure(np.array([[0.5], [1.5]]))
    assert np.isfinite(errors).tolist() == [True, False]


def test_a_controlled_experiment_moves_the_free_variables_alone():
    target = FunctionTarget(lambda x, y: x - y)
    states, values, errors = trials_along(target, [1], 4, 30, np.random.default_rng(0))
    assert states.shape == (4, 30, 2)
    assert np.all(np.ptp(states[..., 0], axis=1) == 0)
    assert len(np.unique(states[:, 0, 0])) == 4
    low, high = target.box[1]
    assert np.all((states[..., 1] >= low) & (states[..., 1] <= high))
    assert np.all(np.ptp(states[..., 1], axis=1) > 0.9 * (high - low))
    np.testing.assert_allclose(values, states[..., 0] - states[..., 1], atol=10 * errors.max())


@given(
    st.lists(st.tuples(st.floats(-1e3, 1e3), st.floats(1e-3, 1e3)), min_size=1, max_size=4),
    st.integers(1, 20),
)
def test_uniform_states_lie_in_the_box(limits, count):
    box = np.array([[low, low + width] for low, width in limits])
    states = uniform_states(box, count, np.random.default_rng(0))
    assert states.shape == (count, len(box))
    assert np.all((states >= box[:, 0]) & (states <= box[:, 1]))


def test_what_was_measured_first_is_forgotten_first():
    whole = FunctionTarget(lambda x, y: y * x)
    fit = experiment(whole, (0,), "C*x")
    for value in np.linspace(0.1, 1.0, 70):
        fit.constants(np.array([[value]]))
    assert len(fit.remembered) == 64
    assert np.array([[0.1]]).tobytes() not in fit.remembered
    assert fit.constants(np.array([[1.0]]))[0][0, 0] == pytest.approx(1.0)
