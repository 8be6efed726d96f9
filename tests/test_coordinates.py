"""Two variables in one coordinate: seen where they act together, and written out again."""

import numpy as np
import pytest
from laws import FunctionQuantity, error_of, make_question

from odevsr.language.parse import parse
from odevsr.language.text import to_text
from odevsr.vertical.coordinates import DIFFERENCE, SUM, changed, merged
from odevsr.vertical.solve import solve
from odevsr.world.box import box_of
from odevsr.world.ranges import Range

BOX = np.array([[0.5, 2.5], [0.4, 2.0], [-1.0, 1.0]])


def together(function):
    return merged(FunctionQuantity(function, BOX), (0, 1), np.random.default_rng(0))


@pytest.mark.parametrize(
    ("function", "written"),
    [
        (lambda x, y, z: np.exp(x - y) * z, "x - y"),
        (lambda x, y, z: np.sin(x + y) + z, "x + y"),
        (lambda x, y, z: np.tanh(x * y), "x*y"),
        (lambda x, y, z: np.log(x / y) * z, "x/y"),
    ],
)
def test_variables_that_act_as_one_become_one(function, written):
    in_z, restricted = together(function)
    assert to_text(in_z.written_out(parse("x", ["x"]))) == written
    assert restricted.names == ("x", "z")
    z = np.random.default_rng(1).uniform(*restricted.box.limits.T, (20, 2))
    values = restricted.measure(z).values
    x = in_z.relation.back(z[:, 0], 1.0)
    assert np.allclose(values, function(x, 1.0, z[:, 1]), atol=1e-8)


@pytest.mark.parametrize(
    "function",
    [
        pytest.param(lambda x, y, z: np.exp(x - y) + 1e-6 * y, id="all but a little"),
        pytest.param(lambda x, y, z: x + 2 * y, id="with other weights"),
    ],
)
def test_variables_that_act_on_their_own_stay_apart(function):
    assert together(function) is None


def test_a_changed_quantity_is_measured_only_where_x_stays_in_its_range():
    asked = []

    def function(x, y, z):
        asked.append(np.stack([x, y, z], axis=-1))
        return x

    for relation in (DIFFERENCE, SUM):
        quantity = changed(FunctionQuantity(function, BOX), (0, 1), relation)
        low, high = quantity.box.limits.T
        assert np.all(low < high)
        quantity.measure(low + (high - low) * np.random.default_rng(0).random((200, 3)))
    states = np.concatenate(asked)
    assert np.all((states >= BOX[:, 0] - 1e-12) & (states <= BOX[:, 1] + 1e-12))


@pytest.mark.parametrize(
    ("function", "is_log"),
    [
        (lambda x, y: np.tanh(x * y), True),
        (lambda x, y: np.log(x / y), True),
        (lambda x, y: np.tanh(x + y), False),
        (lambda x, y: np.sin(x - y), False),
    ],
)
def test_products_of_decades_span_decades_and_sums_do_not(function, is_log):
    box = box_of([Range(0.01, 1, "log"), Range(0.1, 10, "log")])
    quantity = FunctionQuantity(function, box)
    in_z, _ = merged(quantity, (0, 1), np.random.default_rng(0))
    assert in_z.box.is_log.tolist() == [is_log, True]
    assert np.all(np.isinf(in_z.box.domain[0]))


def test_a_double_pendulum_comes_apart_in_the_difference_of_its_angles():
    quantity = FunctionQuantity(
        lambda x, y: (3 * np.sin(x) - np.sin(x - 2 * y)) / (3 - np.cos(2 * x - 2 * y)),
        np.array([[-2.0, 2.0], [-2.0, 2.0]]),
    )
    assert error_of(solve(make_question(quantity)), quantity) < 1e-8
