"""Numbers are said as long as they are known, the same in text, LaTeX and tables."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from odevsr.language.expression import Number
from odevsr.language.number import known_value, labelled, number_latex, numbers_of, rounded
from odevsr.language.parse import parse
from odevsr.language.text import to_text
from tests.laws import law


@pytest.mark.parametrize(
    ("value", "error", "text", "latex"),
    [
        (-9.997994897182133, 0.016, "-9.998", "-9.998(16)"),
        (0.12345678901234567, 3e-9, "0.123456789", "0.1234567890(30)"),
        (123456.789012345, 40.0, "123457", "123457(40)"),
        (123456.789012345, 4000.0, "123500", r"1.235(40) \cdot 10^{5}"),
        (0.0123456789, 5.0, "0.012", "0.012"),
        (2.718281828459045, math.inf, "2.71828", "2.71828"),
        (2.718281828459045, 0.0, "2.71828", "2.71828"),
        (0.99996, 0.0099999, "1", "1.000(10)"),
        (1.23456789e-7, 1e-10, "1.235e-07", r"1.2346(10) \cdot 10^{-7}"),
    ],
)
def test_the_last_digit_stands_where_the_error_has_its_second(value, error, text, latex):
    said = to_text(rounded(Number(value), {abs(value): error}))
    assert float(said) == pytest.approx(float(text), rel=1e-3)
    assert number_latex(value, error) == latex


@given(st.floats(1e-6, 1e6), st.floats(1e-12, 1e3))
def test_a_number_is_never_moved_by_more_than_a_part_of_its_error(value, error):
    assert abs(known_value(value, error) - value) <= max(error / 10, 0.05 * value)


def test_exact_numbers_and_signs_stay_and_unknown_errors_are_those_of_the_best():
    found = law("-1.23456789*x + y/3 - 7.654321987*sin(x)")
    short = rounded(found, {1.23456789: 1e-4})
    assert to_text(short) == "-1.23457*x + y/3 - 7.65432*sin(x)"
    assert rounded(parse("x/3", ["x"])) == parse("x/3", ["x"])


def test_a_number_that_was_read_back_from_text_is_rounded_too():
    read = parse("1.0063682056952812*x", ["x"])
    assert to_text(rounded(read, {1.0063682056952812: 0.0036})) == "1.0064*x"


@pytest.mark.parametrize(
    ("value", "latex"),
    [
        (Fraction(8, 3), r"\frac{8}{3}"),
        (Fraction(-9, 25), "-0.36"),
        (Fraction(2515920514238203, 2500000000000000), "1.0063682056952812"),
        (1.5e-07, r"1.5 \cdot 10^{-7}"),
        (Fraction(1, 10**9), "10^{-9}"),
        (-(10**9), "-10^{9}"),
        (28, "28"),
        (20000, "20000"),
    ],
)
def test_exact_numbers_are_said_whole_and_short_in_latex(value, latex):
    assert number_latex(value) == latex


def test_numbers_inside_functions_count_and_those_of_the_form_do_not():
    found = parse("2*x**2 - 3*sin(5*x + 0.5)/(x**2.5 + 3) - y", ["x", "y"])
    assert numbers_of(found) == [2, 3, 5, Fraction(1, 2), Fraction(5, 2)]


def test_labels_stand_for_numbers_of_either_sign():
    found = parse("3*x**3 - 3*y", ["x", "y"])
    assert to_text(labelled(found, {3: "k"})) == "k*x**3 - k*y"
