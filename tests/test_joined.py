"""Laws of parts that meet, written as one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from odevsr.language.evaluate import compile_field
from odevsr.language.parse import parse
from odevsr.vertical.breaks import Breaks
from odevsr.vertical.joined import joined_law
from odevsr.world.box import plain_box

BOX = plain_box([[-2.0, 2.0], [1.0, 2.0]])
NAMES = ("x", "y")
slopes = st.integers(-5, 5)


def joined_at(places, texts):
    between = tuple((place - 1e-5, place + 2e-5) for place in places)
    return joined_law([parse(text, NAMES) for text in texts], Breaks(0, between), NAMES, BOX)


def value(law, states):
    return compile_field([law], NAMES)(states)[:, 0]


@given(st.lists(slopes, min_size=2, max_size=2), st.tuples(slopes, slopes).filter(any))
def test_the_joined_law_is_each_law_in_its_part(common, more):
    before = f"{common[0]}*x*y + {common[1]}*sin(y)"
    after = f"{before} + (x - 0.7)*({more[0]}*y + {more[1]}*x*cos(y))"
    law = joined_at([0.7], [before, after])
    states = np.random.default_rng(0).uniform(*BOX.limits.T, (40, 2))
    first, second = (value(parse(text, NAMES), states) for text in (before, after))
    expected = np.where(states[:, 0] < 0.7, first, second)
    assert value(law, states) == pytest.approx(expected, abs=1e-9)


def test_several_breaks_are_several_kinks():
    law = joined_at([-0.5, 0.5], ["y - 0.5", "y + x", "y + 0.5"])
    states = np.random.default_rng(0).uniform(*BOX.limits.T, (40, 2))
    expected = states[:, 1] + np.clip(states[:, 0], -0.5, 0.5)
    assert value(law, states) == pytest.approx(expected, abs=1e-9)


def test_laws_that_differ_by_no_polynomial_are_not_joined():
    assert joined_at([0.0], ["y", "y + sin(x)"]) is None


def test_laws_that_differ_by_a_step_are_not_joined():
    assert joined_at([0.0], ["x", "x + 0.01"]) is None
