"""Numbers folded together; brackets stay."""

import numpy as np
import pytest
from hypothesis import given

from odevsr.language.algebra.fold import folded
from odevsr.language.algebra.normal import is_invalid
from odevsr.language.evaluate import compile_field
from odevsr.language.parse import parse
from odevsr.language.text import to_text
from tests.trees import NAMES, expressions


@given(expressions())
def test_the_value_stays_the_same(expression):
    states = np.random.default_rng(0).uniform(0.3, 2.0, (10, 2))
    again = folded(expression)
    if any(is_invalid(each) for each in (expression, again)):
        return
    before, after = compile_field([expression, again], NAMES)(states).T
    usable = np.isfinite(before) & (np.abs(before) < 1e12)
    assert np.allclose(before[usable], after[usable], rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("1*x*(y + 0)*2", "2*x*y"),
        ("3*(x - 2)*(y + 1)", "3*(x - 2)*(y + 1)"),
        ("0*(x + y) + 2 + y + 3", "5 + y"),
        ("(x + y)**1", "x + y"),
        ("2*(1*(x + y))", "2*(x + y)"),
    ],
)
def test_only_numbers_are_put_together(text, short):
    assert to_text(folded(parse(text, ["x", "y"]))) == short
