import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from odevsr.errors import UsageError
from odevsr.world.trajectories.differences import differentiate, stencil


@given(
    rows=st.integers(2, 40),
    coefficients=st.lists(st.floats(-3, 3), min_size=1, max_size=7),
    step=st.sampled_from([0.01, 0.5, 2.0]),
)
def test_polynomials_up_to_the_order_are_differentiated_exactly_at_every_sample(
    rows, coefficients, step
):
    law = np.polynomial.Polynomial(coefficients[: min(rows, 7)], domain=[0, rows * step])
    time = step * np.arange(rows)
    found = differentiate(law(time)[:, None], step)[:, 0]
    scale = 1 + sum(map(abs, coefficients)) / step
    assert np.abs(found - law.deriv()(time)).max() < 1e-12 * scale


@pytest.mark.parametrize("order", [2, 4, 6])
def test_the_error_falls_with_the_order_promised_inside_and_at_the_ends(order):
    def worst(step):
        time = np.arange(0, 2 + step / 2, step)
        states = np.column_stack([np.sin(3 * time), np.exp(time)])
        truth = np.column_stack([3 * np.cos(3 * time), np.exp(time)])
        return np.abs(differentiate(states, step, order=order) - truth).max()

    assert np.log2(worst(0.04) / worst(0.02)) == pytest.approx(order, abs=0.4)


def test_one_sample_has_no_derivative():
    assert np.isnan(differentiate(np.ones((1, 3)), 0.1)).all()


def test_inner_weights_are_the_known_central_ones():
    assert stencil(7, 3) * 60 == pytest.approx([-1, 9, -45, 0, 45, -9, 1])


@pytest.mark.parametrize(("step", "order"), [(0.0, 6), (-1.0, 6), (float("nan"), 6), (0.1, 3)])
def test_a_step_or_order_that_makes_no_sense_is_refused(step, order):
    with pytest.raises(UsageError):
        differentiate(np.ones((9, 1)), step, order=order)
