"""Curves as a network sees them: without line, size and sign, whatever the points."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from odevsr.search.policy.curves import FEATURES, features

X = np.linspace(0.5, 3.0, 40)
FUNCTIONS = (np.sin, np.exp, np.log, lambda x: 1 / (x + 1), lambda x: x**4)
SIZES = st.floats(0.1, 100).flatmap(lambda size: st.sampled_from([size, -size]))


def seen(points, values):
    return features(points, values, np.isfinite(values))


@given(function=st.sampled_from(FUNCTIONS), size=SIZES, width=st.floats(0.01, 100))
def test_neither_size_nor_sign_nor_units_are_seen(function, size, width):
    plain, scaled = seen(X, function(X)), seen(width * X, size * function(X))
    assert scaled == pytest.approx(plain, abs=1e-3)


@given(function=st.sampled_from(FUNCTIONS), slope=st.floats(-3, 3), shift=st.floats(-3, 3))
def test_what_bends_is_seen_alike_whatever_line_is_added(function, slope, shift):
    bent = slice(0, 11)
    plain, tilted = seen(X, function(X)), seen(X, function(X) + slope * X + shift)
    assert tilted[bent] == pytest.approx(plain[bent], abs=1e-6)


def test_functions_look_different_and_curves_of_one_function_alike():
    looks = [seen(X, function(X)) for function in FUNCTIONS]
    distances = [np.linalg.norm(one - other) for one in looks for other in looks]
    assert np.sum(np.array(distances) < 0.1) == len(FUNCTIONS)


def test_curves_of_a_batch_are_described_one_by_one():
    values = np.stack([function(X) for function in FUNCTIONS])
    batch = seen(np.broadcast_to(X, values.shape), values)
    assert batch.shape == (len(FUNCTIONS), FEATURES)
    assert batch[1] == pytest.approx(seen(X, np.exp(X)))


def test_points_that_could_not_be_measured_change_little():
    values = np.exp(X)
    values[7] = np.nan
    assert seen(X, values) == pytest.approx(seen(X, np.exp(X)), abs=0.2)


@pytest.mark.parametrize("values", [0 * X, 3 + 0 * X, X, np.where(X < 1, np.nan, 0.0)])
def test_what_has_no_bend_is_described_by_finite_numbers(values):
    assert np.all(np.isfinite(seen(X, values)))
