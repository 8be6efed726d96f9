"""Numbers of laws are as long as they are known."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from odevsr.evidence.digits import rounded
from odevsr.evidence.law import FittedNumber
from odevsr.language.expression import Number
from odevsr.language.parse import parse
from odevsr.language.text import to_text
from tests.laws import law


@pytest.mark.parametrize(
    ("value", "error", "digits"),
    [
        (-9.997994897182133, 0.016, "-9.998"),
        (0.12345678901234567, 3e-9, "0.12345678901"),
        (123456.789012345, 40.0, "123456.8"),
        (0.0123456789, 5.0, "0.0123"),
        (2.718281828459045, math.inf, "2.71828"),
        (2.718281828459045, 0.0, "2.71828"),
    ],
)
def test_two_digits_stand_after_the_first_doubtful_one(value, error, digits):
    short = rounded(Number(value), [FittedNumber(value, error)])
    assert to_text(short) == digits


@given(st.floats(1e-6, 1e6), st.floats(1e-12, 1e3))
def test_a_number_is_never_moved_by_more_than_a_part_of_its_error(value, error):
    short = rounded(Number(value), [FittedNumber(value, error)])
    assert abs(short.value - value) <= max(error / 10, 0.005 * value)


def test_exact_numbers_and_signs_stay_and_unknown_errors_are_those_of_the_best():
    found = law("1.23456789*x + y/3 - 7.654321987*sin(x)")
    short = rounded(found, [FittedNumber(-1.23456789, 1e-4)])
    assert to_text(short) == "1.234568*x + y/3 - 7.654322*sin(x)"
    assert rounded(parse("x/3", ["x"])) == parse("x/3", ["x"])
