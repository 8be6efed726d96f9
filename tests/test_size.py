"""How long a law is on paper."""

import ast

import pytest
from hypothesis import assume, given

from odevsr.language.algebra.normal import is_invalid, normal_form
from odevsr.language.parse import parse
from odevsr.language.size import digits, length, size
from odevsr.language.text import to_text
from tests.trees import NUMBERS, expressions


def counted(node):
    """Operators, names and numbers of Python's tree of a text."""
    match node:
        case ast.UnaryOp(operand=ast.Constant()):
            return 1
        case ast.UnaryOp(operand=inner):
            return 1 + counted(inner)
        case ast.BinOp(left=left, right=right):
            return 1 + counted(left) + counted(right)
        case ast.Call(args=[argument]):
            return 1 + counted(argument)
    return 1


@given(expressions(numbers=[each for each in NUMBERS if each.value == int(each.value)]))
def test_size_is_what_stands_in_the_text(expression):
    normal = normal_form(expression)
    text = to_text(normal)
    assume(not is_invalid(normal) and "/" not in text and "." not in text)
    tree = ast.parse(text, mode="eval").body
    assert abs(size(normal) - counted(tree)) <= text.count("-")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("10*(y - x)", 5), ("x/(y + 0.4)", 5), ("1/x", 3), ("-2*x", 3), ("x - 8/3*y", 5)],
)
def test_sizes_by_hand(text, expected):
    assert size(normal_form(parse(text, ["x", "y"]))) in (expected, expected + 2)


def test_of_equal_sizes_the_one_with_fewer_digits_is_shorter():
    short, long = (parse(text, ["x"]) for text in ("0.2*x*(7 - x)", "x*(1.4 - 0.2*x)"))
    assert length(short) < length(long)


def test_a_float_is_longer_than_what_it_is_near():
    assert digits(2.0) > digits(2) > digits(1) == 0
