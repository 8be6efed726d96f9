"""The machine's values and tangents agree with mpmath, for every operator and for random trees."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from machines import values_and_jacobian_of, values_of
from trees import NAMES, exact_value, expressions

from odevsr.fitting import codes
from odevsr.fitting.program import TooLargeError, compile_program
from odevsr.language.algebra.normal import is_invalid, normal_form
from odevsr.language.expression import Constant, count, with_constants
from odevsr.language.parse import parse
from odevsr.language.text import to_text

# Each operation of the machine, as written; in C + ..., C*... and C**... the constant is nonlinear.
OPERATIONS = {
    "sin(C + C*x0)": codes.SIN,
    "cos(C*x0)": codes.COS,
    "tan(C*x0)": codes.TAN,
    "cot(C*x0)": codes.COT,
    "sinh(C*x0)": codes.SINH,
    "cosh(C*x0)": codes.COSH,
    "tanh(C*x0)": codes.TANH,
    "asin(C*x0)": codes.ASIN,
    "acos(C*x0)": codes.ACOS,
    "atan(C*x0)": codes.ATAN,
    "exp(C*x0)": codes.EXP,
    "log(C*x0)": codes.LOG,
    "sqrt(C*x0)": codes.SQRT,
    "abs(x0 - C)": codes.ABS,
    "(x0 + C)^3": codes.WHOLE_POWER,
    "(x0 + C)^(-2)": codes.WHOLE_POWER,
    "(x0 + C)^1.5": codes.REAL_POWER,
    "x1*x0^C": codes.POWER_FREE,
    "(x0 + C)^(C*x1)": codes.POWER,
    "C^x0": codes.CONSTANT,
    "sin(x0 + C)*cos(C*x1)*x0": codes.MULTIPLY,
    "exp(C*x0) + sin(C*x1) + log(x0 + C)": codes.EXP,
    "log(exp(C*x0) + cos(C*x1))": codes.ADD,
    "log(C*x0 + C*x1 + 3)": codes.SHIFT,
    "C*x0 + C*x1^2 + C": codes.COLUMN,
    "C*sin(2*x0 + C) + 3*x1": codes.SCALE,
    "sin(C*x0 + x1/(x0 + C))^2": codes.SCALE_FREE,
    "x1/(C*x0 + 1) + 2": codes.OFFSET,
    "sin(x0 + C*(x1 + C))": codes.SHIFT_FREE,
    "3 + x0*C": codes.NUMBER,
    "x0 + C": codes.VARIABLE,
}


STEP = Fraction(1, 10**15)


def exact_jacobian(expression, constants, point):
    """Derivatives with respect to each constant to many digits, None where there are none."""
    values = dict(zip(NAMES, point, strict=True))
    result = []
    for index in range(len(constants)):
        ahead, behind = (
            exact_value(_with_moved_constant(expression, constants, index, step), values)
            for step in (STEP, -STEP)
        )
        if ahead is None or behind is None:
            return None
        result.append(float((ahead - behind) * 5 * 10**14))
    return result


def _with_moved_constant(expression, constants, index, step):
    moved = [Fraction(value) for value in constants]
    moved[index] += step
    return with_constants(expression, moved)


@pytest.mark.parametrize("text", OPERATIONS)
def test_each_operation_has_the_right_value_and_jacobian(text):
    expression = normal_form(parse(text, NAMES, open_symbols=True))
    rng = np.random.default_rng(1)
    constants = rng.uniform(0.3, 0.9, count(expression, Constant))
    points = rng.uniform(0.3, 1.0, (2, 150))
    values, jacobian = values_and_jacobian_of(expression, points, constants)
    for index in range(0, 150, 30):
        point = dict(zip(NAMES, points[:, index], strict=True))
        exact = exact_value(with_constants(expression, list(constants)), point)
        assert values[index] == pytest.approx(float(exact), rel=1e-13, abs=1e-14)
        slopes = exact_jacobian(expression, constants, points[:, index])
        assert jacobian[index] == pytest.approx(slopes, rel=1e-11, abs=1e-12)


def test_the_table_above_names_every_operation_of_the_machine():
    used = set()
    for text in OPERATIONS:
        program = compile_program(normal_form(parse(text, NAMES, open_symbols=True)), NAMES)
        operations = set(program.code[:, 0].tolist())
        assert OPERATIONS[text] in operations
        used |= operations
    everything = {value for name, value in vars(codes).items() if name.isupper()}
    assert used == everything


@given(expressions(constants=True), st.integers(0, 2**32 - 1))
def test_random_trees_have_the_right_value_and_jacobian(tree, seed):
    expression = normal_form(tree)
    assume(not is_invalid(expression))
    rng = np.random.default_rng(seed)
    constants = np.round(rng.uniform(0.3, 1.5, count(expression, Constant)), 2)
    point = np.round(rng.uniform(0.3, 1.5, 2), 2)
    filled = with_constants(expression, list(constants))
    exact = exact_value(filled, dict(zip(NAMES, point, strict=True)), largest=100)
    assume(exact is not None)
    slopes = exact_jacobian(expression, constants, point)
    assume(slopes is not None)
    assume(all(abs(slope) < 1e3 for slope in slopes))
    values, jacobian = values_and_jacobian_of(expression, point[:, None], constants)
    assert values[0] == pytest.approx(float(exact), rel=1e-8, abs=1e-8)
    assert jacobian[0] == pytest.approx(slopes, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("number", [1, 63, 64, 65, 200])
def test_any_number_of_points_is_run(number):
    expression = parse("exp(x0) + x1^2", NAMES)
    points = np.random.default_rng(0).uniform(-1, 1, (2, number))
    assert values_of(expression, points) == pytest.approx(np.exp(points[0]) + points[1] ** 2)


def test_what_is_too_large_for_the_machine_is_refused():
    many = " + ".join(f"C*x0^{power}" for power in range(1, 30))
    with pytest.raises(TooLargeError):
        compile_program(normal_form(parse(many, NAMES, open_symbols=True)), NAMES)


@pytest.mark.parametrize("text", ["sin(x0 - x1)", "x0/x1", "sin(-x0)", "x0 + A"])
def test_only_normal_forms_are_compiled(text):
    expression = parse(text, NAMES, open_symbols=True)
    with pytest.raises(ValueError, match="normal form"):
        compile_program(expression, NAMES)


def test_programs_number_their_constants_in_preorder():
    expression = normal_form(parse("C*sin(C*x0) + C*exp(C*x1)", NAMES, open_symbols=True))
    assert to_text(expression) == "C*exp(C*x1) + C*sin(C*x0)"
    assert compile_program(expression, NAMES).preorder == (0, 2, 1, 3)
