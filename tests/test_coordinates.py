"""Two variables in one coordinate: seen where they act together, and written out again."""

import numpy as np
import pytest
from laws import FunctionTarget, error_of, make_bench

from odevsr.language.parse import parse
from odevsr.language.text import to_text
from odevsr.settings import Settings
from odevsr.vertical.coordinates import changed, merged
from odevsr.vertical.solve import solve

BOX = np.array([[0.5, 2.5], [0.4, 2.0], [-1.0, 1.0]])


def together(function):
    return merged(FunctionTarget(function, BOX), (0, 1), np.random.default_rng(0))


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
    z = np.random.default_rng(1).uniform(*restricted.box.T, (20, 2))
    values, _ = restricted.measure(z)
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


def test_a_changed_target_is_measured_only_where_x_stays_in_its_range():
    asked = []

    def function(x, y, z):
        asked.append(np.stack([x, y, z], axis=-1))
        return x

    for target in changed(FunctionTarget(function, BOX), (0, 1)):
        low, high = target.box.T
        assert np.all(low < high)
        target.measure(low + (high - low) * np.random.default_rng(0).random((200, 3)))
    states = np.concatenate(asked)
    assert np.all((states >= BOX[:, 0] - 1e-12) & (states <= BOX[:, 1] + 1e-12))


def test_a_double_pendulum_comes_apart_in_the_difference_of_its_angles():
    target = FunctionTarget(
        lambda x, y: (3 * np.sin(x) - np.sin(x - 2 * y)) / (3 - np.cos(2 * x - 2 * y)),
        np.array([[-2.0, 2.0], [-2.0, 2.0]]),
    )
    assert error_of(solve(target, make_bench(), "x"), target) < 1e-8


def test_a_law_found_in_one_coordinate_is_held_to_all_states():
    target = FunctionTarget(
        lambda x, y: np.where(np.abs(x - y) > 2.5, x - y, np.sign(x - y) * 2.5),
        np.array([[-2.0, 2.0], [-2.0, 2.0]]),
    )
    quick = Settings(prior_batches=0, epochs=0)
    assert solve(target, make_bench(quick), "x") is None
