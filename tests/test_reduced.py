"""Quantities in fewer variables: found by their symmetries, measured, and written out again."""

import numpy as np
import pytest
from laws import FunctionQuantity, error_of, make_question

from odevsr.language.parse import parse
from odevsr.language.text import to_text
from odevsr.limits import DEFAULT_LIMITS
from odevsr.vertical.laws.solve import solve
from odevsr.vertical.simpler.fewer import in_power, pair_as_one, with_fewer_variables
from odevsr.world.box import box_of
from odevsr.world.ranges import Range

BOX = np.array([[0.5, 2.5], [0.4, 2.0], [-1.0, 1.0]])


def rng():
    return np.random.default_rng(1)


def seen(function, box=BOX):
    return with_fewer_variables(
        FunctionQuantity(function, box, error=1e-12), rng(), DEFAULT_LIMITS, with_scalings=True
    )


@pytest.mark.parametrize(
    ("function", "ends"),
    [
        (lambda x, y, z: np.exp(x - y) * (z + 2), (-1.5, 2.1)),
        (lambda x, y, z: np.log(x / y) * np.exp(z), (0.25, 6.25)),
        (lambda x, y, z: np.sin(x**2 + 3 * y**2) * np.exp(z), (0.73, 18.25)),
        (lambda x, y, z: x**2 * np.exp(y / x) * (z + 2), (0.16, 4.0)),
    ],
)
def test_a_coordinate_goes_through_all_values_that_states_of_the_box_have(function, ends):
    found = seen(function)
    assert np.allclose(found.box.limits[0], ends)
    inside = found._states_of(found.box.at(rng().random((50, len(found.box)))))
    assert np.all((inside > BOX[:, 0] - 1e-9) & (inside < BOX[:, 1] + 1e-9))


@pytest.mark.parametrize(
    ("function", "written"),
    [
        (lambda x, y, z: np.exp(x - y) * (z + 2), "x - y"),
        (lambda x, y, z: np.sin(x + y) + np.exp(z * x + z * y), "x + y"),
        (lambda x, y, z: np.tanh(x * y + z), "x*y"),
        (lambda x, y, z: np.log(x / y) * np.exp(z), "x/y"),
        (lambda x, y, z: np.sin(x**2 + 3 * y**2) * np.exp(z), "x**2 + 3*y**2"),
        (lambda x, y, z: np.exp(-(x**2.7) * y**1.35 - z), "x**2*y"),
    ],
)
def test_variables_that_act_as_one_become_one(function, written):
    found = seen(function)
    first, *_ = (to_text(found.written_out(parse(name, [name]))) for name in found.names)
    assert first == written
    states = found.box.at(rng().random((20, len(found.box))))
    values = found.measure(states).values
    assert np.all(np.isfinite(values))


@pytest.mark.parametrize(
    "function",
    [
        pytest.param(lambda x, y, z: np.exp(x - y) + 1e-6 * y * np.sin(z), id="all but a little"),
        pytest.param(lambda x, y, z: np.sin(x * y) + np.exp(y * z) + x, id="each in its own way"),
    ],
)
def test_variables_that_act_on_their_own_stay_apart(function):
    assert seen(function) is None


def test_what_scales_with_its_variables_is_set_apart():
    found = seen(lambda x, y, z: x**2 * np.sin(y / x) * np.exp(z * y / x))
    assert to_text(found.factor) == "x**2"
    assert found.names == ("y", "z")
    law = found.written_out(parse("sin(y)*exp(z*y)", ["y", "z"]))
    assert to_text(law) == "x**2*exp(y*z/x)*sin(y/x)"


@pytest.mark.parametrize(
    ("function", "is_log"), [(lambda x, y: np.tanh(x * y), True), (lambda x, y: x - y, False)]
)
def test_products_of_decades_span_decades_and_differences_do_not(function, is_log):
    found = seen(function, box_of([Range(0.01, 1, "log"), Range(0.1, 10, "log")]))
    assert found.box.is_log.tolist() == [is_log]
    assert np.all(np.isinf(found.box.domain))


def test_coordinates_are_set_inside_the_ranges():
    asked = []

    def function(x, y, z):
        asked.append(np.stack([x, y, z], axis=-1).reshape(-1, 3))
        return 1 / (x**2 + y**2 + 2 * z**2)

    found = seen(function, BOX)
    found.measure(found.box.at(rng().random((200, 1))))
    states = np.concatenate(asked)
    assert np.all((states >= BOX[:, 0] - 1e-12) & (states <= BOX[:, 1] + 1e-12))


def test_where_slopes_are_lost_in_noise_pairs_are_guessed():
    noisy = FunctionQuantity(lambda x, y, z: np.exp(x - y) * z, BOX, error=1e-3)
    found = pair_as_one(noisy, [(0, 1)], rng(), DEFAULT_LIMITS)
    assert to_text(found.coordinates[0].expression) == "x - y"
    assert pair_as_one(noisy, [(0, 2), (1, 2)], rng(), DEFAULT_LIMITS) is None


@pytest.mark.parametrize(
    ("function", "box"),
    [
        (lambda x, y, z: 3 * x / np.sqrt(1 - y**2 / z**2), [[1, 5], [1, 2], [3, 10]]),
        (lambda x, y, z: 1 / (np.exp(0.7 * x / (y * z)) - 1), [[1, 5], [1, 3], [1, 3]]),
        (lambda x, y, z: x**1.3 * np.exp(-(y**0.7) * z**1.6), [[1, 9], [0.1, 1], [0.3, 3]]),
        (lambda x, y, z: 2.5 / (x**2 + y**2 + z**2), [[1, 3], [-3, 2], [2, 4]]),
    ],
)
def test_laws_tangled_in_three_variables_are_found(function, box):
    quantity = FunctionQuantity(function, np.array(box, dtype=float), error=1e-11)
    assert error_of(solve(make_question(quantity)), quantity) < 1e-8


def test_what_is_held_leaves_the_quantity_a_value_where_it_can():
    quantity = FunctionQuantity(
        lambda x, y, z: np.arcsin(np.minimum(x / y, 1.0)) * np.exp(z),
        BOX,
        error=1e-12,
        missing=lambda x, y, z: x > 0.99 * y,
    )
    found = with_fewer_variables(quantity, rng(), DEFAULT_LIMITS, with_scalings=True)
    states = found.box.at(rng().random((200, len(found.box))))
    assert np.mean(found.measure(states).usable) > 0.6


@pytest.mark.parametrize("power", [-1, 2, 0.5])
def test_a_variable_can_be_asked_about_in_a_power_of_it(power):
    quantity = FunctionQuantity(lambda x: np.sin(x**power), np.array([[0.5, 2.5]]), error=1e-12)
    found = in_power(quantity, power)
    states = found.box.at(rng().random((20, 1)))
    assert np.allclose(found.measure(states).values, np.sin(states[:, 0]), atol=1e-10)
    law = found.written_out(parse("sin(x)", ["x"]))
    assert error_of(law, quantity) < 1e-10
