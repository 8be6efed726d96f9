"""Waves of sums: the same values, written shorter where a person would."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from odevsr.language.evaluate import compile_field
from odevsr.language.parse import parse
from odevsr.language.text import to_text
from odevsr.language.tidying.angles import contracted, with_phases

NAMES = ("x", "y", "z")
waves = st.builds(
    lambda function, rate, name: f"{function}({rate}*{name})",
    st.sampled_from(["sin", "cos"]),
    st.integers(1, 3),
    st.sampled_from(NAMES),
)
products = st.builds(
    lambda number, factors: "*".join([str(number), *factors]),
    st.integers(-3, 3).filter(bool),
    st.lists(st.one_of(waves, st.sampled_from(["x", "exp(y)"])), min_size=1, max_size=4),
)
sums = st.builds(" + ".join, st.lists(products, min_size=1, max_size=5))


@pytest.mark.parametrize("rewrite", [contracted, with_phases])
@given(text=sums)
def test_the_value_stays_the_same(rewrite, text):
    expression = parse(text, NAMES)
    states = np.random.default_rng(0).uniform(-2, 2, (20, 3))
    before, after = compile_field([expression, rewrite(expression)], NAMES)(states).T
    assert np.allclose(before, after, atol=1e-9)


@pytest.mark.parametrize(
    ("text", "shorter"),
    [
        ("3*sin(x)*cos(y) - 3*cos(x)*sin(y)", "3*sin(x - y)"),
        ("cos(x^2)*cos(y^2) - sin(x^2)*sin(y^2)", "cos(x**2 + y**2)"),
        ("z*sin(x)*sin(2*y) + z*cos(x)*cos(2*y)", "z*cos(x - 2*y)"),
        ("0.3*sin(x)*cos(y) + 0.3000000001*cos(x)*sin(y)", "0.30000000005*sin(x + y)"),
    ],
)
def test_waves_of_two_angles_become_waves_of_their_sum(text, shorter):
    assert to_text(contracted(parse(text, NAMES))) == shorter


def test_a_pair_of_waves_becomes_one_with_a_phase():
    found = with_phases(parse("3*y*sin(2*x) + 4*y*cos(2*x) + cos(x)", NAMES))
    assert to_text(found) == "5*y*sin(2*x + 0.9272952180016122) + cos(x)"


def test_what_has_no_waves_is_left_alone():
    assert to_text(with_phases(contracted(parse("x*y - 2/3*z", NAMES)))) == "x*y - 2/3*z"
