"""Laws that meet once their numbers are moved a little."""

import pytest

from odevsr.language.parse import parse
from odevsr.verdict.meeting import Movable, meet
from odevsr.world.box import plain_box


@pytest.mark.parametrize(
    ("first", "second", "reach", "same"),
    [
        ("a*sin(x)", "b*sin(x)", (0.06, 0.06), True),
        ("a*sin(x)", "b*sin(x)", (0.04, 0.04), False),
        ("a*sin(x)", "b*sin(x)", (0.0, 0.11), True),
        ("a*sin(x)", "b*sin(x)", (0.0, 0.0), False),
        ("x^2", "x*x", (0.0, 0.0), True),
        ("0", "0", (0.0, 0.0), True),
        ("a*log(x)", "b*log(x)", (0.1, 0.0), True),
        ("a*log(x)", "b*log(x)", (0.09, 0.0), False),
        ("a*x", "b*abs(x)", (0.2, 0.2), False),
    ],
)
def test_laws_meet_if_numbers_within_reach_make_them_one(first, second, reach, same):
    laws = [parse(each, ["x", "a", "b"]) for each in (first, second)]
    numbers = Movable("a", 0.5, reach[0]), Movable("b", 0.6, reach[1])
    assert meet(laws, numbers, ["x"], plain_box([[-2.0, 1.0]])) is same
