"""The normal form keeps values and families, and carries no redundant constant."""

import pickle
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from derivations import derived_trees, sampled
from hypothesis import assume, example, given
from hypothesis import strategies as st
from trees import NAMES, exact_value, expressions

from odevsr.fitting.fit import Effort, fit_programs, make_trials, start_multipliers
from odevsr.fitting.program import compile_program
from odevsr.language.algebra.normal import combine, is_invalid, multiplied_out, normal_form
from odevsr.language.drawing.grammar import make_grammar
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import (
    CONSTANT,
    Apply,
    Constant,
    Number,
    Op,
    Variable,
    count,
    substitute,
    with_constants,
)
from odevsr.language.parse import parse
from odevsr.language.text import to_text

# Families, each as people might write it and as it is written in normal form.
FAMILIES = [
    ("C + C", "C"),
    ("C*C", "C"),
    ("C - C + x0", "x0 + C"),
    ("C*(C + C*x0)", "C*x0 + C"),
    ("C*(C*x0)", "C*x0"),
    ("C*x0 + 3*x0 - x0", "C*x0"),
    ("(C*x0 + C)/(C*x0 + C)", "C*(x0 + C)/(x0 + C)"),
    ("C/(C*x0 + 1)", "C/(x0 + C)"),
    ("1/(C*x0 + 1)", "1/(C*x0 + 1)"),
    ("1/(C*x0 + C)", "C/(x0 + C)"),
    ("1/(2*x0 + 4)", "0.5/(x0 + 2)"),
    ("C*(x0 + 1)*(x1 + C)", "C*(x0*x1 + x1) + C*(x0 + 1)"),
    ("x1*(x0 + C)", "x0*x1 + C*x1"),
    ("C*(x0*(x0 + x1))", "C*(x0**2 + x0*x1)"),
    ("C*x0*(x0 + x1)", "C*(x0**2 + x0*x1)"),
    ("(C*(2*x0 + 2*x1))/(x0 + x1)", "C"),
    ("(C*x0)^2", "C*x0**2"),
    ("(C - x0)^2", "(x0 + C)**2"),
    ("exp(C*x0 + C)", "C*exp(C*x0)"),
    ("exp(C*x0)*exp(C*x0)", "exp(C*x0)"),
    ("(x0^C)^C", "x0**C"),
    ("exp(x0)^2", "exp(2*x0)"),
    ("cos(C*x0 + C)", "sin(C*x0 + C)"),
    ("sin(C - x0)", "-sin(x0 + C)"),
    ("cos(1 - x0)", "cos(x0 - 1)"),
    ("x0^2*x0^C", "x0**C"),
    ("x0^C*x0^C", "x0**C"),
    ("(x0^C)^2", "x0**C"),
    ("exp(x0)^C", "exp(C*x0)"),
    ("abs(C*x0)", "C*abs(x0)"),
    ("sqrt(x0)*sqrt(x0)", "x0"),
    ("sin(C)*x0", "C*x0"),
    ("2^C", "C"),
    ("(x0 - x1)*(x0 + x1)", "x0**2 - x1**2"),
    ("(x0 + C)*(x0 + C)", "(x0 + C)*(x0 + C)"),
    ("(x0 + C)*(C - x0)", "-(x0 + C)*(x0 + C)"),
    ("x1/(2*(x0 + C)^2 + 3*(x0 + C)^2)", "1/3*x1/((x0 + C)**2 + 2/3*(x0 + C)**2)"),
    ("1/(-2*(x0 + C)^2 - (x0 + C)^2)", "-0.5/((x0 + C)**2 + 0.5*(x0 + C)**2)"),
    ("x0/x0", "1"),
    ("sqrt(x0^2)*sqrt(x0^2)*x0", "x0**3"),
]


def read(text):
    return parse(text, NAMES, open_symbols=True)


@pytest.mark.parametrize(("written", "normal"), FAMILIES)
def test_families_are_written_in_one_way(written, normal):
    assert to_text(normal_form(read(written))) == normal


@pytest.mark.parametrize("written", [written for written, _ in FAMILIES if "C" in written])
def test_the_normal_form_fits_what_the_original_can_be(written):
    rng = np.random.default_rng(5)
    original = read(written)
    values = rng.uniform(0.4, 1.6, count(original, Constant))
    points = rng.uniform(0.5, 2.0, (1, 100, 2))
    target = compile_field([with_constants(original, values)], NAMES)(points)[..., 0]
    program = compile_program(normal_form(original), NAMES)
    fitted = fit_programs(
        [program], make_trials(points, target), start_multipliers(30, rng), Effort(starts=30)
    )
    assert fitted.losses[0, 0] < 1e-20


def test_normal_forms_of_sampled_trees_fit_what_the_trees_can_be():
    grammar = make_grammar(NAMES, operators=["+", "-", "*", "/", "^", "sqrt"], longest=9)
    rng = np.random.default_rng(6)
    starts, points = start_multipliers(20, rng), rng.uniform(0.5, 2.0, (1, 80, 2))
    losses = []
    for tree in derived_trees(grammar, sampled(grammar, 600, rng, leaf=0.45)):
        values = rng.uniform(2.0, 3.0, count(tree, Constant))
        target = compile_field([with_constants(tree, values)], NAMES)(points)[..., 0]
        if 1 <= len(values) <= 3 and np.all(np.abs(target) < 1e3) and np.ptp(target) > 0.01:
            program = compile_program(normal_form(tree), NAMES)
            trials = make_trials(points, target)
            losses.append(fit_programs([program], trials, starts, Effort(starts=20)).losses[0, 0])
    assert len(losses) > 80
    assert np.max(losses) < 1e-12


@given(expressions(constants=True))
def test_a_normal_form_is_its_own_normal_form(expression):
    normal = normal_form(expression)
    assert normal_form(normal) == normal or is_invalid(normal)


def test_equal_factors_are_all_kept_even_if_they_are_one_object():
    factor = normal_form(read("x0 + C"))
    assert to_text(combine(Op.MUL, (factor, factor))) == "(x0 + C)*(x0 + C)"
    assert to_text(combine(Op.MUL, (Number(-1), factor, factor))) == "-(x0 + C)*(x0 + C)"


@given(expressions(constants=True))
def test_constants_never_become_more(expression):
    assert count(normal_form(expression), Constant) <= count(expression, Constant)


@given(
    expressions(),
    st.floats(0.25, 3.0).map(lambda value: round(value, 2)),
    st.floats(-2.0, -0.25).map(lambda value: round(value, 2)),
)
def test_without_constants_the_value_stays(expression, positive, negative):
    values = dict(zip(NAMES, (positive, negative), strict=True))
    before = exact_value(expression, values, largest=100)
    assume(before is not None)
    after = exact_value(normal_form(expression), values)
    assert after is not None
    assert abs(after - before) <= 1e-6 * (1 + abs(before))


exact_expressions = expressions(
    constants=True, leaves=4, functions=(Op.NEG, Op.ABS), numbers=[Number(-2), Number(3)]
)


@given(st.lists(exact_expressions, min_size=2, max_size=4), st.data())
def test_the_order_of_operands_does_not_matter(args, data):
    normal = tuple(normal_form(arg) for arg in args)
    shuffled = tuple(data.draw(st.permutations(normal)))
    for op in (Op.ADD, Op.MUL):
        assert to_text(combine(op, normal)) == to_text(combine(op, shuffled))


@pytest.mark.parametrize(
    "written",
    ["1/0", "x0/(x1 - x1)", "log(0*x0)", "log(-1) + x0", "sqrt(-2)*x1", "C*acos(2)", "cot(0)"],
)
def test_what_has_no_value_is_invalid(written):
    assert is_invalid(normal_form(read(written)))


def test_towers_of_powers_end_as_invalid_instead_of_never():
    tower = Apply(Op.MUL, (Number(3), Variable("x0")))
    for _ in range(30):
        tower = Apply(Op.POW, (tower, Number(4)))
    assert is_invalid(normal_form(tower))


def test_long_products_of_sums_are_not_multiplied_out():
    names = [f"x{index}" for index in range(16)]
    product = "*".join(f"({left} + {right} + 1)" for left, right in pairwise(names))
    assert len(to_text(normal_form(parse(product, names)))) < 500


def test_exact_numbers_stay_exact():
    normal = normal_form(read("(2*x0)/6 + x0/3"))
    assert normal == Apply(Op.MUL, (Number(Fraction(2, 3)), Variable("x0")))


def test_a_tree_survives_pickling_with_its_hash():
    tree = Apply(Op.ADD, (Variable("x0"), CONSTANT))
    assert {pickle.loads(pickle.dumps(tree)): 1}[tree] == 1


def test_terms_that_look_alike_do_not_lead_in_turn_for_ever():
    expression = parse("x0/((x0 + C)**2 - (x0 + C)**2)", ["x0"], open_symbols=True)
    assert count(normal_form(expression), Constant) == 2


@pytest.mark.parametrize(
    ("text", "wider"),
    [
        ("C*(x0 + C*x1 + sin(x0) - 1)", "C*x0 + C*x1 + C*sin(x0) + C"),
        ("C*x0*(x0 + x1)", "C*x0**2 + C*x0*x1"),
        ("C*(x0 + x1)*exp(C*x0)", "C*(x0 + x1)*exp(C*x0)"),
        ("2*x0 + C", "2*x0 + C"),
    ],
)
def test_a_constant_before_a_sum_goes_to_each_of_its_terms(text, wider):
    expression = normal_form(parse(text, NAMES, open_symbols=True))
    expected = normal_form(parse(wider, NAMES, open_symbols=True))
    assert multiplied_out(expression) == expected


@example(0.9999999999999999, -2)
@given(st.floats(0.9, 1.1), st.integers(-3, 3).filter(bool))
def test_sums_under_powers_begin_with_1_whatever_float_they_began_with(leading, power):
    shape = parse(f"y*(a*x + 2*y + 3)**({power})", ["a", "x", "y"])
    found = normal_form(substitute(shape, {"a": Number(leading)}))
    assert np.allclose(compile_field([found], ["x", "y"])(np.ones((1, 2))), (leading + 5) ** power)
