"""Expressions and sympy's say the same, and no text is evaluated on the way."""

import subprocess
import sys
from fractions import Fraction

import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st
from trees import NAMES, exact_value, expressions

from odevsr.errors import ExpressionError
from odevsr.language.expression import Number, Op
from odevsr.language.parse import parse
from odevsr.language.sympy_form import to_sympy

points = st.tuples(st.integers(2, 30), st.integers(-20, -2)).map(
    lambda pair: (pair[0] / 10, pair[1] / 10)
)


def read(text):
    return parse(text, NAMES, open_symbols=True)


def agree(expression, point):
    """Where the expression has a value of moderate parts, sympy's has it too."""
    values = dict(zip(NAMES, point, strict=True))
    expected = exact_value(expression, values, largest=100)
    if expected is not None:
        symbols = {sympy.Symbol(name, real=True): value for name, value in values.items()}
        found = complex(to_sympy(expression).subs(symbols).evalf())
        assert abs(found - complex(expected)) <= 1e-6 * (1 + abs(expected))


@given(expressions(leaves=6), points)
def test_sympy_has_the_same_value(expression, point):
    assume(not to_sympy(expression).has(sympy.zoo, sympy.nan, sympy.oo, -sympy.oo, sympy.I))
    agree(expression, point)


@pytest.mark.parametrize("op", [op.value for op in Op if op.is_function])
def test_sympy_has_the_same_value_for_every_function(op):
    agree(read(f"{op}(x0)*x1 + 1/3"), (0.7, -1.2))


def test_open_constants_stay_apart():
    assert len(to_sympy(read("C*x0 + C*sin(C*x1)")).free_symbols) == 5


def test_exact_numbers_stay_exact_and_floats_floats():
    assert to_sympy(Number(Fraction(8, 3))) == sympy.Rational(8, 3)
    assert to_sympy(Number(0.1)) == sympy.Float(0.1)


def test_symbols_are_named_as_the_variables_whatever_the_names():
    expression = to_sympy(parse("E*I + pi", ["E", "I", "pi"]))
    assert {symbol.name for symbol in expression.free_symbols} == {"E", "I", "pi"}


def test_a_hole_is_refused():
    with pytest.raises(ExpressionError, match="hole"):
        to_sympy(read("A + x0"))


def test_sympy_is_not_loaded_before_it_is_needed():
    code = "import sys, odevsr.language.sympy_form; sys.exit('sympy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
