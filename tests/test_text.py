from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from odevsr.language.expression import CONSTANT, HOLE, Apply, Number, Op, Variable
from odevsr.language.number import number_text
from odevsr.language.parse import parse
from odevsr.language.text import to_text
from tests.precise import precise_value
from tests.strategies import NAMES, expressions

X, Y = Variable("x0"), Variable("x1")
states = st.fixed_dictionaries({name: st.fractions(-3, 3, max_denominator=50) for name in NAMES})


@given(expressions(), states)
def test_text_reads_back_to_the_same_value(expression, state):
    again = parse(to_text(expression), NAMES)
    expected, found = precise_value(expression, state), precise_value(again, state)
    assert mpmath.almosteq(expected, found, rel_eps=1e-25, abs_eps=1e-25)


@given(expressions(open_symbols=True))
def test_open_constants_and_holes_are_read_back_in_the_same_number(expression):
    text = to_text(expression)
    again = to_text(parse(text, NAMES, open_symbols=True))
    assert [text.count(symbol) for symbol in "CA"] == [again.count(symbol) for symbol in "CA"]


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (Apply(Op.DIV, (X, Number(Fraction(-1, 3)))), "x0/(-1/3)"),
        (Apply(Op.DIV, (X, Apply(Op.MUL, (Number(-1), Apply(Op.DIV, (Y, X)))))), "x0/(-x1/x0)"),
        (Apply(Op.SUB, (X, Apply(Op.SUB, (Y, X)))), "x0 - (x1 - x0)"),
        (Apply(Op.ADD, (X, Apply(Op.NEG, (Apply(Op.MUL, (Y, X)),)))), "x0 - x1*x0"),
        (Apply(Op.POW, (Apply(Op.NEG, (X,)), Number(2))), "(-x0)**2"),
        (Apply(Op.NEG, (Apply(Op.POW, (X, Number(2))),)), "-x0**2"),
        (Apply(Op.POW, (X, Number(-2))), "1/x0**2"),
        (Apply(Op.POW, (Apply(Op.POW, (X, Y)), X)), "(x0**x1)**x0"),
        (Apply(Op.MUL, (CONSTANT, Apply(Op.SIN, (HOLE,)))), "C*sin(A)"),
    ],
)
def test_brackets_stand_where_they_are_needed_and_nowhere_else(expression, text):
    assert to_text(expression) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (10, "10"),
        (Fraction(8, 3), "8/3"),
        (Fraction(1, 10), "0.1"),
        (Fraction(4, 2), "2"),
        (0.1 + 0.2, "0.30000000000000004"),
        (3.0, "3"),
        (1e-9, "1e-09"),
    ],
)
def test_numbers_are_written_exactly(value, text):
    assert number_text(value) == text


def test_deeply_nested_signs_are_written_in_linear_time():
    expression = X
    for _ in range(90):
        expression = Apply(Op.NEG, (expression,))
    assert to_text(expression).count("-") == 90
