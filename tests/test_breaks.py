"""Where laws break, and that smooth ones do not."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import FunctionOracle

from odevsr.vertical.breaks import Breaks, breaks_on_line, find_breaks
from odevsr.world.box import plain_box

BOX = ((-2.0, 2.0), (-1.0, 2.0))


def found(function, seed=0):
    return find_breaks(FunctionOracle(function, BOX), np.random.default_rng(seed))


@given(place=st.floats(-1.7, 1.7), seed=st.integers(0, 100))
def test_a_kink_is_found_wherever_it_is(place, seed):
    breaks = found(lambda x, y: y * x + np.abs(x - place), seed)
    assert breaks.variable == 0
    ((low, high),) = breaks.between
    assert low - 0.01 <= place <= high + 0.01
    assert high - low < 0.02


@given(place=st.floats(-1.5, 1.5), reach=st.floats(0.0, 0.02))
def test_a_jump_is_found_though_the_launches_of_a_node_cross_it(place, reach):
    nodes = np.linspace(-2.0, 2.0, 96)
    crossed = np.clip((nodes - place + reach) / (2 * reach + 1e-12), 0.0, 1.0)
    errors = np.where((crossed > 0) & (crossed < 1), 1.0, 1e-12)
    ((low, high),) = breaks_on_line(crossed - nodes, errors)
    assert nodes[low] - 0.05 <= place <= nodes[high] + 0.05
    assert high - low <= 2


@pytest.mark.parametrize(
    ("function", "variable", "places"),
    [
        (lambda x, y: np.where(y > 0.7, 1 - y, -0.5 * y), 1, [0.7]),
        (lambda x, y: np.clip(2 * x, -1, 1) + y, 0, [-0.5, 0.5]),
        (lambda x, y: np.where(x > 0.3, np.sin(x), x) - y, 0, [0.3]),
    ],
)
def test_jumps_clips_and_joins_are_found(function, variable, places):
    breaks = found(function)
    assert breaks.variable == variable
    assert [float(each) for each in breaks.places] == pytest.approx(places, abs=0.01)


@pytest.mark.parametrize(
    "function",
    [
        lambda x, y: x**3 - x * y,
        lambda x, y: np.exp(2 * x) / (1 + y**2),
        lambda x, y: np.tanh(6 * x) + y,
        lambda x, y: 1 / (x + 2.05),
        lambda x, y: np.sin(5 * x * y),
        lambda x, y: 0 * x,
    ],
)
def test_smooth_laws_break_nowhere(function):
    assert found(function) is None


@pytest.mark.parametrize(
    ("function", "told"),
    [
        (
            lambda x, y: np.where(x + 2 * y > 1, x, -y),
            r"about x \+ (2|1\.9|2\.1)\*y = (1|0\.9\d|1\.1)",
        ),
        (lambda x, y: np.where(x**2 + y**2 > 1.5, x, -y), "x = .*, y = .* and elsewhere"),
    ],
)
def test_what_breaks_elsewhere_from_elsewhere_is_told_with_its_plane_if_it_has_one(function, told):
    assert re.fullmatch(told, found(function).description(["x", "y"]))


def test_a_rough_line_has_no_places():
    values = np.random.default_rng(0).standard_cauchy(96)
    assert not breaks_on_line(values, np.full(96, np.inf))
    stairs = np.floor(np.linspace(0, 30, 96))
    assert not breaks_on_line(stairs, np.full(96, 1e-9))


def test_the_parts_lie_between_the_breaks_and_end_there():
    box = plain_box([(-2.0, 2.0), (-1.0, 2.0)])
    first, second = Breaks(1, ((0.4, 0.5),)).parts(box)
    assert first.limits.tolist() == [[-2.0, 2.0], [-1.0, 0.4]]
    assert second.limits.tolist() == [[-2.0, 2.0], [0.5, 2.0]]
    assert (first.domain[1, 1], second.domain[1, 0]) == (0.4, 0.5)
    assert first.domain[1, 0] == box.domain[1, 0]
