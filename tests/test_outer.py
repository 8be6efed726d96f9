"""Outer functions: what they make simpler, and what undoes them."""

import numpy as np
import pytest
from laws import FunctionQuantity, error_of, make_question

from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Variable
from odevsr.vertical.laws.solve import solve
from odevsr.vertical.simpler.outer import OUTERS, promising_views


def rng():
    return np.random.default_rng(0)


@pytest.mark.parametrize("outer", OUTERS, ids=lambda outer: outer.name)
def test_every_outer_function_is_undone_by_its_inverse(outer):
    values = np.array([0.3, 0.5, 0.8])
    assert outer.applies(values) or outer.applies(60 * values)
    back = compile_field([outer.inverse(Variable("g"), 1.0)], ["g"])
    assert np.allclose(back(outer.ahead(values)[:, None])[:, 0], values)
    slope = (outer.ahead(values + 1e-6) - outer.ahead(values - 1e-6)) / 2e-6
    assert np.allclose(np.abs(outer.slope(values)), np.abs(slope), rtol=1e-5)


def test_what_separates_after_an_outer_function_promises_most():
    quantity = FunctionQuantity(lambda x, y: np.sqrt(x**2 + np.exp(y) + x * y + 3))
    assert promising_views(quantity, rng())[0].outer.name == "square"
    assert promising_views(FunctionQuantity(lambda x, y: np.sin(9 * x * y)), rng()) == []


@pytest.mark.parametrize(
    "function",
    [
        lambda x, y: np.sqrt(x**2 + y**2 + 3 * x * np.cos(y) + 5),
        lambda x, y: np.arcsin(0.3 * x * np.cos(y)),
    ],
)
def test_laws_inside_a_root_or_an_arc_function_are_found(function):
    quantity = FunctionQuantity(function, error=1e-12)
    assert error_of(solve(make_question(quantity)), quantity) < 1e-8


def test_ranks_are_told_where_a_part_of_the_box_has_no_value():
    box = np.array([[0.5, 1.3], [0.1, 1.5]])
    law = FunctionQuantity(
        lambda x, y: np.arcsin(np.minimum(x * np.sin(y), 1.0)),
        box,
        error=1e-13,
        missing=lambda x, y: x * np.sin(y) >= 1,
    )
    first, *_ = promising_views(law, rng())
    assert first.outer.name == "sine"
