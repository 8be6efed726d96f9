"""Readings: denominators, rates and exponents that linear algebra finds in the data."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from odevsr.evidence.agreement import Agreement
from odevsr.evidence.controlled import fit_expressions, make_controlled
from odevsr.evidence.form import accepted_forms
from odevsr.fitting.fit import CAREFUL
from odevsr.language.expression import Constant, Number, count, variables, walk
from odevsr.search.readings import readings
from odevsr.world.sample import Sample

ERROR = 1e-11


def trials_of(law, low, high, trials=4, points=40):
    """Trials of a law of x and one held variable, measured to eleven digits."""
    rng = np.random.default_rng(0)
    x = low + (high - low) * (np.arange(points) + rng.random((trials, points))) / points
    held = rng.uniform(0.5, 2.0, (trials, 1))
    values = law(x, held)
    errors = np.full(values.shape, ERROR * np.sqrt(np.mean(values**2)))
    noisy = values + errors * rng.standard_normal(values.shape)
    return make_controlled(["x"], Sample(x[..., None], noisy, errors), Agreement())


def numbers(expression):
    return sorted(
        {
            float(node.value)
            for node in walk(expression)
            if isinstance(node, Number) and isinstance(node.value, float)
        }
    )


@pytest.mark.parametrize(
    ("law", "low", "high", "known"),
    [
        pytest.param(
            lambda x, y: y * x**2 / (1.5 + x**2) - x / (0.5 + x) + y * x, 0.1, 8, [0.0, 0.5, 1.5],
            id="two denominators",
        ),
        pytest.param(lambda x, y: (y * x / (0.3 + x)) ** 3 + x, 0.05, 2, [0.3], id="a triple pole"),
        pytest.param(
            lambda x, y: y * (x + 55) / (1 - np.exp(-(x + 55) / 10)), -75, 40,
            [-np.exp(-5.5), 0.1], id="nought over nought inside the range",
        ),
        pytest.param(
            lambda x, y: (y * np.sin(x) - y**2) / (4.5 + np.cos(2 * x)), -3, 3, [0.0, 4.5],
            id="a quotient of waves",
        ),
        pytest.param(
            lambda x, y: y / np.tanh(0.85 * x) - 1 / x, 0.2, 5, [-1.0, 1.7], id="Langevin's law",
        ),
        pytest.param(
            lambda x, y: y * x**3 / (np.exp(1.7 * x) - 1), 0.2, 5, [-1.0, 1.7], id="Planck's law",
        ),
        pytest.param(
            lambda x, y: y * np.sin(0.65 * x) ** 2 / x**2, 0.5, 12, [1.3], id="light from a slit",
        ),
        pytest.param(
            lambda x, y: np.sin(1.3 * x - y) + 0.3 * np.sin(2.6 * x + y), 0, 6, [1.3, 2.6],
            id="a wave and its overtone",
        ),
        pytest.param(
            lambda x, y: 2 * y / x**13 - 1 / x**7.5, 0.9, 2.5, [-13.0, -7.5], id="two powers"
        ),
    ],
)  # fmt: skip
def test_the_numbers_of_a_law_are_read_off(law, low, high, known):
    asked = trials_of(law, low, high)
    proposals = readings(asked)
    assert any(
        len(numbers(each)) == len(known) and np.allclose(numbers(each), known, atol=1e-5)
        for each in proposals
    )
    fitted = fit_expressions(proposals, asked, CAREFUL)
    assert accepted_forms(*fitted, asked, CAREFUL, "readings")


@settings(max_examples=10, deadline=None)
@given(st.floats(0.2, 3.0), st.floats(-3.0, -0.2))
def test_poles_are_found_wherever_they_are(right, left):
    asked = trials_of(lambda x, y: y / (x - 5 - right) + 1 / (x - left), 0, 5)
    (proposal, *_) = readings(asked)
    assert numbers(proposal) == pytest.approx(sorted([-5 - right, -left]), rel=1e-4)


def test_proposals_have_open_coefficients_and_the_variable_of_the_trials_of():
    for proposal in readings(trials_of(lambda x, y: y / (x + 2) + x, 0, 5)):
        assert count(proposal, Constant) > 0
        assert variables(proposal) == {"x"}


@pytest.mark.parametrize(
    "law",
    [
        pytest.param(lambda x, y: np.arcsin(x / 6) * y, id="no fraction"),
        pytest.param(lambda x, y: x / (x + y), id="a denominator of its own in every trial"),
        pytest.param(lambda x, y: np.abs(x - 2.1) * y, id="a corner"),
    ],
)
def test_nothing_is_read_where_nothing_stands(law):
    assert readings(trials_of(law, 0, 5)) == []


@pytest.mark.parametrize(
    "law",
    [
        pytest.param(lambda x, y: 0 * x * y, id="nought"),
        pytest.param(lambda x, y: np.exp(2.5 * (x - 300)) + y, id="a rate that overflows at 0"),
    ],
)
def test_odd_values_are_no_reason_to_fail(law):
    assert isinstance(readings(trials_of(law, 290, 310)), list)
