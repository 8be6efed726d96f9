"""Constants that may all be negated come out with one sign, and with the same values."""

import numpy as np
import pytest

from odevsr.evidence.signs import with_one_sign, with_steady_signs
from odevsr.language.algebra.normal import normal_form
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Constant, count, with_constants
from odevsr.language.parse import parse


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("C*tanh(C*x + C) + C*x", -2),
        ("C*sin(C*x)", 1),
        ("C*x*cos(C*x + C) + C", 1),
        ("C*abs(C*x + C)", 1),
        ("tanh(C*x) + C", None),
        ("C*exp(C*x) + C", None),
    ],
)
def test_a_rate_is_made_positive_where_that_changes_no_value(text, rate):
    expression = normal_form(parse(text, ["x"], open_symbols=True))
    rng = np.random.default_rng(0)
    constants = rng.normal(size=(8, count(expression, Constant)))
    fixed = with_one_sign(expression, constants)
    states = rng.uniform(-2, 2, (20, 1))
    for before, after in zip(constants, fixed, strict=True):
        laws = [with_constants(expression, list(values)) for values in (before, after)]
        values = compile_field(laws, ["x"])(states)
        np.testing.assert_allclose(values[:, 0], values[:, 1], rtol=1e-12)
    if rate is None:
        np.testing.assert_array_equal(fixed, constants)
    else:
        assert np.all(fixed[:, rate] > 0)
        assert not np.array_equal(fixed, constants)


@pytest.mark.parametrize(
    ("text", "steady", "other"),
    [("C*sin(C*x)", 0, 1), ("C*sin(C*x)", 1, 0), ("abs(C*x + C)", 1, 0)],
)
def test_a_constant_of_one_size_has_one_sign(text, steady, other):
    expression = normal_form(parse(text, ["x"], open_symbols=True))
    rng = np.random.default_rng(1)
    constants = rng.normal(size=(8, count(expression, Constant)))
    constants[:, steady] = 1.5 * rng.choice([-1, 1], 8)
    fixed = with_steady_signs(expression, constants)
    assert np.all(fixed[:, steady] == 1.5)
    assert np.any(fixed[:, other] < 0)
