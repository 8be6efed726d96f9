"""Laws as code of another language have the values that they have here."""

import re
import subprocess
from fractions import Fraction

import numpy as np
import pytest
from exports import (
    c_rates,
    found,
    julia_rates,
    module,
    needs_compiler,
    needs_julia,
    needs_modelica,
    needs_octave,
    octave_rates,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import NAMES, exact_numbers, fitted_numbers, positive_expressions
from trees import exact_value

from odevsr.errors import ExpressionError
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import CONSTANT, FUNCTIONS, Apply, Number, Op, Variable
from odevsr.language.parse import parse
from odevsr.showing.export.code import code, float_code, whole_or_float
from odevsr.showing.export.numpy_module import NUMPY

WHOLE = {"x0": 3.0, "x1": -2.0, "x2": 5.0}
POSITIVE = {"x0": 0.7, "x1": 1.9, "x2": 1.3}


def _whole(inner):
    several = st.lists(inner, min_size=2, max_size=4).map(tuple)
    power = st.tuples(inner, st.sampled_from([Number(2), Number(3), Number(4.0)]))
    return st.one_of(
        st.builds(Apply, st.sampled_from([Op.ADD, Op.MUL]), several),
        st.builds(Apply, st.just(Op.SUB), st.tuples(inner, inner)),
        st.builds(Apply, st.sampled_from([Op.NEG, Op.ABS]), st.tuples(inner)),
        st.builds(Apply, st.just(Op.POW), power),
    )


leaves = st.integers(-9, 9).map(Number) | st.sampled_from(NAMES).map(Variable)
# Floats compute these without rounding, so that a bracket that is missing cannot hide.
whole_laws = st.recursive(leaves, _whole, max_leaves=9).filter(
    lambda law: exact_value(law, WHOLE, largest=1e9) is not None
)
positive_laws = positive_expressions.filter(
    lambda law: exact_value(law, POSITIVE, largest=1e60) is not None
)


def many(laws):
    """A discovery of these laws, of which the first three are over NAMES."""
    padded = [*laws, *[Number(0)] * (len(NAMES) - len(laws))]
    names = [*NAMES, *(f"y{index}" for index in range(len(padded) - len(NAMES)))]
    return found(dict(zip(names, padded, strict=True)))


def state_of(discovery, values):
    return np.array([values.get(name, 0.0) for name in discovery.names])


@given(whole_laws)
def test_numpy_has_our_values_of_whole_numbers_to_the_last_digit(law):
    discovery = many([law])
    rates = module(discovery.to("numpy"))["rates"]
    assert rates(0.0, state_of(discovery, WHOLE))[0] == float(exact_value(law, WHOLE))


@given(positive_laws)
def test_numpy_has_our_values_of_quotients_and_powers(law):
    discovery = many([law])
    state = state_of(discovery, POSITIVE)
    rates = module(discovery.to("numpy"))["rates"]
    np.testing.assert_allclose(rates(0.0, state), discovery.function()(state), rtol=1e-9)


@needs_octave
@settings(max_examples=1)
@given(st.lists(whole_laws, min_size=20, max_size=40))
def test_octave_has_our_values_of_whole_numbers_to_the_last_digit(laws):
    discovery = many(laws)
    expected = [float(exact_value(law, WHOLE)) for law in laws]
    rates = octave_rates(discovery.to("matlab"))(0.0, state_of(discovery, WHOLE))
    assert rates[: len(laws)].tolist() == expected


@needs_octave
def test_octave_has_our_values_of_functions_inputs_and_time():
    law = " + ".join(f"{name}(x/3)*t" for name in FUNCTIONS if name != "neg")
    discovery = found({"x": f"u**1.5*({law})"}, ("x", "u", "t"))
    rates = octave_rates(discovery.to("matlab"))(0.7, [0.6], [1.3])
    ours = compile_field([discovery.equations[0].expression], ["x", "u", "t"])
    np.testing.assert_allclose(rates, ours(np.array([[0.6, 1.3, 0.7]]))[0], rtol=1e-13)


@needs_compiler
@settings(max_examples=4)
@given(st.lists(whole_laws, min_size=20, max_size=40))
def test_c_has_our_values_of_whole_numbers_to_the_last_digit(laws):
    discovery = many(laws)
    expected = [float(exact_value(law, WHOLE)) for law in laws]
    rates = c_rates(discovery.to("c"))(0.0, state_of(discovery, WHOLE))
    assert rates[: len(laws)].tolist() == expected


@needs_compiler
@settings(max_examples=4)
@given(st.lists(positive_laws, min_size=20, max_size=40))
def test_c_has_our_values_of_quotients_and_powers(laws):
    discovery = many(laws)
    state = state_of(discovery, POSITIVE)
    rates = c_rates(discovery.to("c"))(0.0, state)
    np.testing.assert_allclose(rates, discovery.function()(state), rtol=1e-9)


def every_function():
    """A law for each function of the language, and our values at 0.4."""
    laws = {f"v_{name}": f"{name}(v_{name})" for name in FUNCTIONS}
    discovery = found(laws)
    state = np.full(len(laws), 0.4)
    return discovery, state, discovery.function()(state)


def test_numpy_has_every_function():
    discovery, state, expected = every_function()
    rates = module(discovery.to("numpy"))["rates"]
    np.testing.assert_allclose(rates(0.0, state), expected, rtol=1e-14)


@needs_compiler
def test_c_has_every_function():
    discovery, state, expected = every_function()
    np.testing.assert_allclose(c_rates(discovery.to("c"))(0.0, state), expected, rtol=1e-14)


@needs_julia
def test_julia_has_every_function():
    discovery, state, expected = every_function()
    np.testing.assert_allclose(julia_rates(discovery.to("julia"))(0.0, state), expected, rtol=1e-14)


@needs_modelica
def test_openmodelica_takes_every_function(tmp_path):
    discovery, state, _ = every_function()
    (tmp_path / "law.mo").write_text(discovery.to("modelica"), encoding="utf-8")
    (tmp_path / "check.mos").write_text('loadFile("law.mo"); print(checkModel(Law));')
    told = subprocess.run(["omc", "check.mos"], cwd=tmp_path, capture_output=True, text=True,
                          timeout=300, check=True).stdout  # fmt: skip
    assert f"{len(state)} equation(s) and {len(state)} variable(s)" in told


@given(st.sampled_from(["julia", "modelica"]), positive_laws)
def test_julia_and_modelica_as_our_own_parser_reads_them_have_our_values(form, law):
    discovery = many([law])
    written = re.findall(
        r"^  +(?:dx\[\d+\]|der\(\w+\)) = ([^;\n]+)", discovery.to(form), re.MULTILINE
    )
    read = compile_field([parse(each, discovery.names) for each in written], discovery.names)
    state = state_of(discovery, POSITIVE)
    np.testing.assert_allclose(read(state), discovery.function()(state), rtol=1e-9)


def test_sympy_has_every_function():
    discovery, _, expected = every_function()
    equations = module(discovery.to("sympy"))["equations"]
    values = [float(each.rhs.subs({each.lhs.args[0]: 0.4}).evalf()) for each in equations.values()]
    np.testing.assert_allclose(values, expected, rtol=1e-14)


@settings(max_examples=30)
@given(whole_laws)
def test_sympy_has_our_values(law):
    discovery = many([law])
    names = module(discovery.to("sympy"))
    values = {names[name]: int(value) for name, value in WHOLE.items()}
    assert float(names["equations"]["x0"].rhs.subs(values)) == float(exact_value(law, WHOLE))


@given(exact_numbers | fitted_numbers | st.fractions())
def test_a_number_in_floats_is_ours_to_the_last_digit(value):
    assert eval(float_code(value)) == float(value)
    assert "." in float_code(value) or "e" in float_code(value)
    assert eval(whole_or_float(value)) == float(value)


@pytest.mark.parametrize(
    ("law", "text"),
    [
        ("-8/3*x0**2/x1**3", "-8.0/3.0*x0**2/x1**3"),
        ("x0 - (x1 - x2)", "x0 - (x1 - x2)"),
        ("x0/(x1/x2)", "x0/(x1/x2)"),
        ("-(x0 + x1)**2", "-(x0 + x1)**2"),
        ("(-x0)**2", "(-x0)**2"),
        ("x0**-0.5", "1.0/x0**0.5"),
        ("x0**(1/3)", "x0**(1.0/3.0)"),
        ("x0 + -2*x1", "x0 - 2.0*x1"),
        ("2**x0", "2.0**x0"),
        ("x0/cot(x1)", "x0/(1.0/np.tan(x1))"),
    ],
)
def test_brackets_stand_where_they_are_needed(law, text):
    assert code(parse(law, NAMES), NUMPY, {name: name for name in NAMES}) == text
    values = compile_field([parse(law, NAMES)], NAMES)(np.array([0.3, 0.4, 0.5]))
    there = eval(text, {"np": np, "x0": 0.3, "x1": 0.4, "x2": 0.5})
    assert there == pytest.approx(values[0], rel=1e-14)


def test_a_fraction_too_long_for_floats_is_rounded_once():
    value = Fraction(10**20 + 1, 3 * 10**19)
    assert float_code(value) == repr(float(value))


def test_a_law_with_open_constants_is_refused():
    with pytest.raises(ExpressionError, match="fit its constants"):
        code(CONSTANT, NUMPY, {})
