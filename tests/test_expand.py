"""Powers of sums multiplied out: the same values, and nothing left that cancels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from odevsr.language.algebra.expand import expanded
from odevsr.language.evaluate import compile_field
from odevsr.language.parse import parse
from odevsr.language.text import to_text

NAMES = ("x", "y")


@given(st.integers(-3, 3), st.integers(1, 6), st.sampled_from(["1", "sin(x)", "1/(y + 7)", "x"]))
def test_the_value_stays_the_same(number, power, factor):
    expression = parse(f"{factor}*(x + {number}*y + 1)**{power} - 2*x*(x - y)**2", NAMES)
    states = np.random.default_rng(0).uniform(-2, 2, (20, 2))
    before, after = compile_field([expression, expanded(expression)], NAMES)(states).T
    assert np.allclose(before, after, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    ("text", "shorter"),
    [
        ("(x + y)**4 - 4*y*(x + y)**3 + 6*y**2*(x + y)**2 - 4*x*y**3 - 3*y**4", "x**4"),
        ("(x + y)**2*sin(x) - y**2*sin(x)", "x**2*sin(x) + 2*x*y*sin(x)"),
        ("1/(x + y)**2", "1/(x + y)**2"),
    ],
)
def test_what_cancels_goes_and_denominators_stay(text, shorter):
    assert to_text(expanded(parse(text, NAMES))) == shorter
