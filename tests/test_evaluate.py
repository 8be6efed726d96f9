import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from odevsr.language.evaluate import compile_field
from odevsr.language.expression import CONSTANT, FUNCTIONS, HOLE, Apply, Number, Op, Variable
from odevsr.language.parse import parse
from tests.precise import precise_value
from tests.strategies import NAMES, expressions, positive_expressions

BINARY = {
    "x0 + x1": lambda a, b: a + b,
    "x0 - x1": lambda a, b: a - b,
    "x0*x1": lambda a, b: a * b,
    "x0/x1": lambda a, b: a / b,
    "x0**x1": lambda a, b: a**b,
}


@given(st.sampled_from(sorted(FUNCTIONS)), st.floats(0.01, 0.99))
def test_functions_agree_with_pythons_math(name, value):
    reference = {"cot": lambda x: 1 / math.tan(x), "abs": abs}.get(name) or getattr(math, name)
    field = compile_field([parse(f"{name}(x0)", ["x0"])], ["x0"])
    assert field(np.array([value]))[0] == pytest.approx(reference(value), rel=1e-14)


@given(st.sampled_from(sorted(BINARY)), st.floats(0.1, 9), st.floats(-9, 9).filter(bool))
def test_operators_agree_with_pythons_own(text, left, right):
    field = compile_field([parse(text, ["x0", "x1"])], ["x0", "x1"])
    expected = BINARY[text](left, right)
    assert field(np.array([left, right]))[0] == pytest.approx(expected, rel=1e-14)


@given(st.integers(-6, 6), st.floats(0.5, 2))
def test_whole_powers_agree_with_pythons_own(exponent, base):
    power = Apply(Op.POW, (Variable("x0"), Number(exponent)))
    value = compile_field([power], ["x0"])(np.array([base]))[0]
    assert value == pytest.approx(base**exponent, rel=1e-14)


@given(positive_expressions, st.tuples(*[st.fractions("0.1", 9) for _ in NAMES]))
def test_whole_expressions_agree_with_sixty_digits(expression, state):
    expected = precise_value(expression, dict(zip(NAMES, state, strict=True)))
    value = compile_field([expression], NAMES)(np.array([float(part) for part in state]))[0]
    assert value == pytest.approx(float(expected), rel=1e-12)


def test_any_leading_shape_is_kept():
    field = compile_field([parse("x0*x1", ["x0", "x1"]), Number(7)], ["x0", "x1"])
    states = np.arange(24.0).reshape(3, 4, 2)
    values = field(states)
    assert values.shape == (3, 4, 2)
    np.testing.assert_array_equal(values[..., 0], states[..., 0] * states[..., 1])
    assert (values[..., 1] == 7).all()


def test_values_outside_the_domain_are_not_finite_and_silent():
    texts = ["log(x0)", "sqrt(x0)", "asin(x0 - 1)", "x0**0.5", "1/(x0 + 1)"]
    values = compile_field([parse(text, ["x0"]) for text in texts], ["x0"])(np.array([-1.0]))
    assert not np.isfinite(values).any()


@given(expressions(), st.tuples(*[st.floats(-900, 900) for _ in NAMES]))
def test_a_single_state_has_the_value_that_it_has_among_others(expression, state):
    field = compile_field([expression], NAMES)
    single, among = field(np.array(state)), field(np.array([state, state]))[0]
    np.testing.assert_allclose(single, among, rtol=1e-9)


def test_the_states_given_are_left_alone():
    states = np.array([[2.0, 3.0]])
    states.setflags(write=False)
    compile_field([parse("x0**2 + x1", ["x0", "x1"])], ["x0", "x1"])(states)
    assert states.tolist() == [[2.0, 3.0]]


@pytest.mark.parametrize("expression", [CONSTANT, HOLE])
def test_open_symbols_have_no_value(expression):
    with pytest.raises(ValueError, match="no value"):
        compile_field([expression], ["x0"])
