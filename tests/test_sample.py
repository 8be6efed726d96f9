"""Samples: what was measured, and no value more certain than rounding leaves it."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from odevsr.world.sample import RELATIVE_ERROR, Sample

kinds = st.lists(
    st.tuples(st.floats(-1e6, 1e6), st.sampled_from(["fine", "no error", "no value"])), min_size=1
)


def sample_of(values, errors):
    values = np.array(values, dtype=float)
    return Sample(np.arange(2.0 * values.size).reshape(*values.shape, 2), values, np.array(errors))


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=9), st.floats(0, 1e6), st.integers(1, 3))
def test_honest_errors_are_never_nought_and_never_less_than_claimed(values, error, trials):
    data = np.tile(values, (trials, 1))
    honest = sample_of(data, np.full(data.shape, error)).honest_errors
    assert honest.shape == data.shape
    assert np.all(honest > 0)
    assert np.all(honest >= error)
    assert np.all(honest >= 0.99e-12 * np.sqrt(np.mean(np.square(values))))
    assert np.all(honest <= error + 1.01e-12 * np.max(np.abs(values)) + 1e-299)


@given(kinds)
def test_only_what_was_measured_is_usable(points):
    values = [np.nan if kind == "no value" else value for value, kind in points]
    errors = [np.inf if kind == "no error" else 1.0 for _, kind in points]
    sample = sample_of(values, errors)
    assert sample.usable.tolist() == [kind == "fine" for _, kind in points]
    assert np.array_equal(np.isfinite(sample.honest_errors), sample.usable)


@given(kinds, st.integers(1, 4))
def test_what_was_measured_comes_in_one_row_and_in_order(points, rows):
    one = np.array([np.nan if kind == "no value" else value for value, kind in points])
    sample = sample_of(np.tile(one, (rows, 1)), np.ones((rows, len(points))))
    measured = sample.measured()
    assert measured.values.tolist() == sample.values[sample.usable].tolist()
    assert measured.states.tolist() == sample.states[sample.usable].tolist()
    assert np.all(measured.usable)
    assert measured.measured().values.tolist() == measured.values.tolist()


def test_rounding_is_that_of_the_values_of_a_row():
    sample = sample_of([[1e3, 1e-3], [1.0, 1.0]], np.zeros((2, 2)))
    small, large = sample.honest_errors[1], sample.honest_errors[0]
    np.testing.assert_allclose(small, RELATIVE_ERROR)
    np.testing.assert_allclose(large, RELATIVE_ERROR * 1e3 / np.sqrt(2), rtol=1e-3)


def test_what_was_not_measured_says_nothing_of_the_size():
    whole, gap = sample_of([1.0, 1.0], [0.0, 0.0]), sample_of([1.0, 1e9], [0.0, np.inf])
    assert gap.honest_errors[0] <= whole.honest_errors[0]


def test_more_points_come_after_those_that_were_there():
    first, other = (
        Sample(np.full((n, 2), float(n)), np.full(n, float(n)), np.ones(n)) for n in (2, 3)
    )
    both = first.with_more(other)
    assert both.values.tolist() == [2, 2, 3, 3, 3]
    assert both.states.shape == (5, 2)
    assert len(both.errors) == 5
