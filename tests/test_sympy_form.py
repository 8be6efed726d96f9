"""Expressions and sympy's say the same, and no text is evaluated on the way."""

import subprocess
import sys

import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st
from trees import NAMES, exact_value, expressions

from odevsr.errors import ExpressionError
from odevsr.language.expression import Constant, Number, Op, complexity, count
from odevsr.language.normal import normal_form
from odevsr.language.parse import parse
from odevsr.language.sympy_form import final_form, from_sympy, to_sympy
from odevsr.language.text import to_text

points = st.tuples(st.integers(2, 30), st.integers(-20, -2)).map(
    lambda pair: (pair[0] / 10, pair[1] / 10)
)


def read(text):
    return parse(text, NAMES, open_symbols=True)


def agree(before, after, point):
    """Where both have a value of moderate parts, it is the same."""
    values = dict(zip(NAMES, point, strict=True))
    expected, found = (exact_value(each, values, largest=100) for each in (before, after))
    if expected is not None and found is not None:
        assert abs(found - expected) <= 1e-6 * (1 + abs(expected))


@given(expressions(leaves=6), points)
def test_a_round_trip_through_sympy_keeps_the_value(expression, point):
    converted = to_sympy(expression)
    assume(not converted.has(sympy.zoo, sympy.nan, sympy.oo, -sympy.oo, sympy.I))
    agree(expression, from_sympy(converted), point)


@pytest.mark.parametrize("op", [op.value for op in Op if op.is_function])
def test_every_function_survives_the_round_trip(op):
    expression = read(f"{op}(x0)*x1 + 1/3")
    assert normal_form(from_sympy(to_sympy(expression))) == normal_form(expression)


def test_open_constants_stay_open_and_apart():
    expression = read("C*x0 + C*sin(C*x1)")
    converted = to_sympy(expression)
    assert len(converted.free_symbols) == 5
    assert count(from_sympy(converted), Constant) == 3


def test_exact_numbers_stay_exact_and_floats_floats():
    assert to_sympy(Number(parse("8/3", ()).args[0].value)) == sympy.Integer(8)
    assert from_sympy(sympy.Rational(8, 3)) == normal_form(read("8/3"))
    assert from_sympy(to_sympy(Number(0.1))) == Number(0.1)
    assert from_sympy(sympy.pi).value == pytest.approx(3.141592653589793)


def test_symbols_are_named_as_the_variables_whatever_the_names():
    expression = parse("E*I + pi", ["E", "I", "pi"])
    assert to_text(from_sympy(to_sympy(expression))) in ("pi + E*I", "E*I + pi")


@pytest.mark.parametrize("foreign", [sympy.gamma(sympy.Symbol("x")), sympy.oo, sympy.I, sympy.nan])
def test_what_our_language_lacks_is_refused(foreign):
    with pytest.raises(ExpressionError, match="not in our language"):
        from_sympy(foreign)


def test_a_hole_is_refused():
    with pytest.raises(ExpressionError, match="hole"):
        to_sympy(read("A + x0"))


@pytest.mark.parametrize(
    ("text", "simplest"),
    [
        ("sin(x0)^2 + cos(x0)^2 + x1", "x1 + 1"),
        ("(x0 + x1)^2 - (x0 - x1)^2", "4*x0*x1"),
        ("(x0^2 - 1)/(x0 - 1)", "x0 + 1"),
        ("1.5*x0*(x1 + 0.25) - 0.375*x0", "1.5*x0*x1"),
        ("10*(x1 - x0)", "-10*x0 + 10*x1"),
        ("x0/(x1 + 0.123456789)", "x0/(x1 + 0.123456789)"),
    ],
)
def test_the_final_form_is_the_simplest(text, simplest):
    assert to_text(final_form(read(text))) == simplest


@given(expressions(leaves=5, functions=(Op.SIN, Op.COS, Op.SQRT)), points)
def test_the_final_form_has_the_value_and_is_no_longer(expression, point):
    final = final_form(expression)
    assert complexity(final) <= complexity(normal_form(expression))
    agree(expression, final, point)


def test_sympy_is_not_loaded_before_it_is_needed():
    code = "import sys, odevsr.language.sympy_form; sys.exit('sympy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
