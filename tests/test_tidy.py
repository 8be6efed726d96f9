"""Tidy laws: the same values, written as a person would."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from precise import precise_value
from strategies import NAMES, expressions, positive_expressions

from odevsr.language.expression import Apply, Number, Op, Variable
from odevsr.language.parse import parse
from odevsr.language.text import to_text
from odevsr.language.tidying.tidy import tidy

positive_states = st.fixed_dictionaries(
    {name: st.fractions("0.2", 3, max_denominator=20) for name in NAMES}
)


def tidied(text):
    return to_text(tidy(parse(text, ["x", "y"])))


def agree(before, after):
    return abs(before - after) <= 1e-7 * (1 + abs(before))


@given(positive_expressions, positive_states)
def test_a_tidy_law_has_the_same_values(expression, state):
    before = precise_value(expression, state)
    assert agree(before, precise_value(tidy(expression), state))


@given(
    st.sampled_from([Op.SIN, Op.COS]), st.floats(-50.0, 50.0), st.integers(-9, 9), positive_states
)
def test_any_phase_may_be_turned_without_changing_the_value(op, phase, quarters, state):
    for shift in (phase, quarters * math.pi / 2, quarters * math.pi / 2 + 1e-9):
        wave = Apply(op, (Apply(Op.ADD, (Variable("x0"), Number(shift))),))
        assert agree(precise_value(wave, state), precise_value(tidy(wave), state))


@given(st.sampled_from([Op.SIN, Op.COS]), st.floats(-50.0, 50.0))
def test_phases_are_within_half_a_turn(op, phase):
    wave = tidy(Apply(op, (Apply(Op.ADD, (Variable("x0"), Number(phase))),)))
    numbers = [node.value for node in _numbers(wave)]
    assert all(abs(value) <= math.pi for value in numbers)


def _numbers(node):
    if isinstance(node, Number):
        yield node
    for arg in getattr(node, "args", ()):
        yield from _numbers(arg)


@given(expressions())
def test_what_is_tidy_stays_as_it_is(expression):
    once = tidy(expression)
    assume(not isinstance(once, Number))
    assert tidy(once) == once


@pytest.mark.parametrize(
    ("quarters", "sine", "cosine"),
    [
        (1, "cos(x)", "-sin(x)"),
        (2, "-sin(x)", "-cos(x)"),
        (3, "-cos(x)", "sin(x)"),
        (4, "sin(x)", "cos(x)"),
        (5, "cos(x)", "-sin(x)"),
        (-1, "-cos(x)", "sin(x)"),
    ],
)
def test_quarter_turns_are_taken_out(quarters, sine, cosine):
    assert tidied(f"sin(x + {quarters * math.pi / 2})") == sine
    assert tidied(f"cos(x + {quarters * math.pi / 2})") == cosine


@pytest.mark.parametrize(
    ("rough", "neat"),
    [
        ("2*sin(3*x + 1.5707963267948966)*y", "2*y*cos(3*x)"),
        ("sqrt(x)*sqrt(y)", "sqrt(x*y)"),
        ("sqrt(x)*sqrt(y + 1/x)", "sqrt(x*y + 1)"),
        ("x**(1/3)*y**(1/3)", "(x*y)**(1/3)"),
        ("sqrt(x)*y**(1/3)", "sqrt(x)*y**(1/3)"),
        ("1/(x + 1/y)", "y/(x*y + 1)"),
        ("x + 2", "x + 2"),
        ("sin(0.5)", to_text(Number(math.sin(0.5)))),
        ("x", "x"),
        ("3", "3"),
    ],
)
def test_laws_are_written_as_a_person_would(rough, neat):
    assert tidied(rough) == neat


def test_a_phase_that_is_no_quarter_turn_keeps_all_its_digits():
    assert tidied("sin(x + 0.7)") == "sin(x + 0.7)"
    assert tidied("sin(x + 1.5707)") == "sin(x + 1.5707)"


def test_fitted_powers_that_are_multiples_of_one_are_gathered_under_it():
    power = 1.3000000000000003
    x, y = (Apply(Op.SIN, (Variable(name),)) for name in "xy")
    product = Apply(
        Op.MUL, (Apply(Op.POW, (x, Number(2 * power))), Apply(Op.POW, (y, Number(-power))))
    )
    assert to_text(tidy(product)) == f"(sin(x)**2/sin(y))**{power}"
    assert tidied("x**1.3*y**2.5") == "x**1.3*y**2.5"


def test_what_all_terms_of_a_denominator_have_is_taken_out_of_it():
    law = parse("x*(x + y)/(4*x + x**2*y)", ["x", "y"])
    assert to_text(tidy(law)) == "x/(x*y + 4) + y/(x*y + 4)"
