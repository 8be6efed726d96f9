"""Discoveries as texts for other tools."""

import ast
import json
from fractions import Fraction

import numpy as np
import pytest
import sympy
from exports import c_rates, found, module, needs_compiler
from scipy.integrate import solve_ivp

from odevsr.errors import RunError, UsageError
from odevsr.language.expression import Apply, Number, Op, Variable
from odevsr.showing.export.formats import FORMATS

SPIRAL = {"x": "-x/10 + y", "y": "-x - y/10"}
COMMENTED = [name for name in FORMATS if name not in ("json", "sbml")]
HOSTILE = 'evil\n*/ int f(;\r\n""" coding: utf-7 \u2028 %} =# ??/\\'


def lines_with(text, word):
    return [line for line in text.splitlines() if word in line]


def body(form, discovery):
    """The lines of a text below its comment."""
    return discovery.to(form).partition("\n\n")[2].splitlines()


@pytest.mark.parametrize("form", COMMENTED)
def test_a_text_begins_with_whose_laws_they_are_and_how_sure(form):
    text = found(SPIRAL, poor=["y"]).to(form)
    mark = text.split()[0]
    comment = [line for line in text.splitlines() if line.startswith(f"{mark} ")]
    assert text.splitlines()[: len(comment)] == comment
    assert f"{mark} target: spiral" in comment
    assert f"{mark} found by odevsr 0.0.7 with seed 4" in comment
    assert f"{mark} dy/dt: approximate: close inside the ranges, but not the law" in comment
    assert any(line.startswith(f"{mark} dx/dt: identified") for line in comment)


@pytest.mark.parametrize("form", [name for name in COMMENTED if name != "latex"])
def test_a_law_that_is_not_identified_is_marked_beside_it(form):
    laws = body(form, found(SPIRAL, poor=["y"]))
    (beside,) = [line for line in laws if "approximate: close inside the ranges" in line]
    assert "10" in beside.partition("approximate")[0]


def test_latex_has_the_equations_with_their_signs():
    discovery = found(SPIRAL, poor=["y"])
    assert discovery.to("latex").endswith(f"\n{discovery.latex()}\n")
    assert discovery.to("latex").count(r"\approx") == 1


def test_json_is_what_the_command_prints():
    discovery = found(SPIRAL)
    assert json.loads(discovery.to("json")) == json.loads(json.dumps(discovery.to_json()))


def test_an_interrupted_discovery_says_what_is_missing():
    assert lines_with(found(SPIRAL, interrupted=True).to("c"), "interrupted: equations that")


def test_an_unknown_format_is_refused_with_the_nearest():
    with pytest.raises(UsageError, match="not exported to 'nunpy'; did you mean numpy"):
        found(SPIRAL).to("nunpy")


def test_nothing_found_is_nothing_exported():
    with pytest.raises(RunError, match="no law of spiral has been found yet"):
        found({}, names=["x"]).to("numpy")


def test_a_discovery_gives_its_laws_as_a_function():
    discovery, states = found(SPIRAL), np.random.default_rng(0).random((5, 3, 2))
    assert np.array_equal(discovery.function()(states), discovery.predict(states))
    assert discovery.function()(np.array([1.0, 2.0])).tolist() == [1.9, -1.2]


def test_scipy_follows_the_numpy_module_as_we_follow_the_laws():
    discovery, times = found(SPIRAL), np.linspace(0.0, 5.0, 11)
    rates = module(discovery.to("numpy"))["rates"]
    for vectorized in (False, True):
        solution = solve_ivp(
            rates, (0.0, 5.0), [1.0, 0.0], t_eval=times, rtol=1e-10, atol=1e-12,
            method="BDF" if vectorized else "DOP853", vectorized=vectorized,
        )  # fmt: skip
        expected = discovery.simulate([1.0, 0.0], times)
        np.testing.assert_allclose(solution.y.T, expected, atol=1e-6)


def test_numpy_takes_many_states_and_laws_without_a_variable():
    rates = module(found({"x": "3", "y": "x*y"}).to("numpy"))["rates"]
    assert rates(0.0, [[1.0, 2.0], [3.0, 4.0]]).tolist() == [[3.0, 3.0], [3.0, 8.0]]


DRIVEN = {"x": "dose*sin(t) - x/3"}
DRIVEN_NAMES = ("x", "dose", "unused", "t")


def test_numpy_has_inputs_by_name_and_time():
    rates = module(found(DRIVEN, DRIVEN_NAMES).to("numpy"))["rates"]
    expected = 2.0 * np.sin(0.5) - 0.3 / 3
    assert rates(0.5, [0.3], dose=2, unused=0)[0] == pytest.approx(expected, rel=1e-15)
    with pytest.raises(TypeError, match="dose"):
        rates(0.5, [0.3], unused=0)


@needs_compiler
def test_c_has_inputs_in_order_and_time():
    rates = c_rates(found(DRIVEN, DRIVEN_NAMES).to("c"))
    expected = 2.0 * np.sin(0.5) - 0.3 / 3
    assert rates(0.5, [0.3], [2.0, 7.0])[0] == pytest.approx(expected, rel=1e-15)


@needs_compiler
def test_c_divides_no_whole_numbers():
    law = Apply(Op.MUL, (Number(Fraction(1, 3)), Variable("z")))
    quotient = Apply(Op.DIV, (Number(1), Number(2)))
    assert c_rates(found({"z": law, "y": quotient}).to("c"))(0.0, [3.0, 0.0]).tolist() == [1.0, 0.5]


def test_sympy_keeps_exact_numbers_and_has_inputs_as_symbols():
    names = module(found(DRIVEN, DRIVEN_NAMES).to("sympy"))
    t = sympy.Symbol("t", real=True)
    x, dose = sympy.Function("x", real=True)(t), sympy.Symbol("dose", real=True)
    assert names["equations"] == {"x": sympy.Eq(x.diff(t), dose * sympy.sin(t) - x / 3)}
    half = Apply(Op.DIV, (Number(1), Number(2)))
    exact = module(found({"y": half}).to("sympy"))["equations"]["y"]
    assert exact.rhs == sympy.Rational(1, 2)


def test_the_laws_of_sympy_can_be_solved():
    equation = module(found({"y": "-2*y"}).to("sympy"))["equations"]["y"]
    assert sympy.checkodesol(equation, sympy.dsolve(equation)) == (True, 0)


def hostile():
    """Words of languages, and no words at all, as the names of variables and of the target."""
    names = ("lambda", "double", "end", "model", "x", "np", "sp", "größe", "two words", "1st")
    law = Apply(Op.ADD, tuple(Variable(name) for name in names))
    return found({names[0]: law, names[1]: Number(2.5)}, names, target=HOSTILE)


def test_python_modules_hold_nothing_that_names_and_titles_smuggled_in():
    state, inputs = [1.0, 2.0], dict.fromkeys(["end", "model", "x", "sp", "two_words"], 1.0)
    text = hostile().to("numpy")
    assert [type(each) for each in ast.parse(text).body] == [ast.Import, ast.FunctionDef]
    rates = module(text)["rates"]
    assert rates(0.0, state, np_=1.0, gr__e=1.0, v1st=1.0, **inputs).tolist() == [11.0, 2.5]
    assert "# lambda is called lambda_ here" in text
    equations = module(hostile().to("sympy"))["equations"]
    assert list(equations) == ["lambda", "double"]
    assert {each.name for each in equations["lambda"].rhs.free_symbols} >= {"np", "two words"}


@pytest.mark.parametrize("form", ["numpy", "sympy"])
def test_no_title_says_how_a_python_module_is_encoded(form):
    assert not any("coding" in line for line in hostile().to(form).splitlines()[:2])


@needs_compiler
def test_c_compiles_whatever_things_are_called():
    text = hostile().to("c")
    assert "// double is called double_ here" in text
    assert c_rates(text)(0.0, [1.0, 2.0], np.ones(8)).tolist() == [11.0, 2.5]


@needs_compiler
def test_c_compiles_with_a_comment_that_ends_in_a_backslash():
    c_rates(found({"y": "y"}, target="a\\").to("c"))
    c_rates(found({"y": "y"}, target="a??/").to("c"))


def test_julia_is_a_function_in_place_untested_there():
    assert body("julia", found({"end": "dose*sin(t) - end**2/3"}, ("end", "dose", "t"))) == [
        "function rates!(dx, x, u, t)",
        "    end_ = x[1]",
        "    dose = u[1]",
        "    dx[1] = dose*sin(t) - end_^2/3.0",
        "    return nothing",
        "end",
    ]


def test_matlab_is_a_function_of_a_column():
    assert body("matlab", found({"x": "u*x", "y": "x**0.5"}, ("x", "y", "u"))) == [
        "function dx = rates(t, x, u)",
        "  x_ = x(1);",
        "  u_ = u(1);",
        "  dx = zeros(2, 1);",
        "  dx(1) = u_*x_;",
        "  dx(2) = x_^0.5;",
        "end",
    ]


def test_modelica_is_a_model_untested_there():
    assert body("modelica", found({"flow": "-2*flow + dose*t"}, ("flow", "dose", "t"))) == [
        "model Law",
        "  Real flow_;",
        "  input Real dose;",
        "equation",
        "  der(flow_) = -2.0*flow_ + dose*time;",
        "end Law;",
    ]
