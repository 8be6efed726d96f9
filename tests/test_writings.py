"""Candidate writings: the same values, never longer, and as a person would put them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from odevsr.language.algebra.expand import expanded
from odevsr.language.algebra.normal import is_invalid, normal_form
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Number, rebuild, walk
from odevsr.language.parse import parse
from odevsr.language.size import length, size
from odevsr.language.text import to_text
from odevsr.language.tidying.writings import writings
from tests.trees import expressions

NAMES = ("x", "y", "z")
FACTORS = (
    *("x", "y", "z", "x**2", "sin(x)", "exp(-2*y)", "x + 2*y", "y - 3", "1.5 - 0.3*z", "x - y"),
    *("x/(x + 0.7)", "y**2/(y**2 + 0.36)", "1/(1 + 0.4*z)", "cos(z)**2", "x + y*z", "log(3*x)"),
)


def with_errors(expression, size, seed=0):
    """Numbers that are no whole ones as a fit would have them."""
    rng = np.random.default_rng(seed)
    numbers = [node for node in walk(expression) if isinstance(node, Number)]
    noisy = [
        each if each.value == int(each.value) else Number(float(each.value * (1 + size * noise)))
        for each, noise in zip(numbers, rng.uniform(-1, 1, len(numbers)), strict=True)
    ]
    return rebuild(expression, iter(noisy), Number)


def spread_out(text, error=0.0):
    """A law as fits find it: multiplied out, with errors."""
    return with_errors(expanded(parse(text, NAMES)), error)


def assert_same_values(first, second, names=NAMES, tolerance=1e-6):
    states = np.random.default_rng(0).uniform(0.3, 3.0, (30, len(names)))
    before, after = compile_field([first, second], names)(states).T
    usable = np.isfinite(before)
    assert np.allclose(before[usable], after[usable], rtol=tolerance, atol=tolerance)


products = st.lists(st.sampled_from(FACTORS), min_size=1, max_size=3).map(
    lambda factors: "*".join(f"({each})" for each in factors)
)
sums = st.lists(
    st.tuples(st.sampled_from(["2", "0.7", "-1.3", "1"]), products), min_size=1, max_size=3
)


@given(sums, st.sampled_from([0.0, 1e-10]))
def test_writings_have_the_value_of_the_law_and_are_never_longer(parts, error):
    law = spread_out(" + ".join(f"{number}*{product}" for number, product in parts), error)
    for each in writings(law, 1e-8):
        assert_same_values(law, each)
        assert length(each) <= length(law)


@given(expressions(leaves=10))
def test_any_expression_keeps_its_value(expression):
    law = normal_form(expression)
    if is_invalid(law):
        return
    for each in writings(law):
        assert_same_values(law, each, ("x0", "x1"))
        assert length(each) <= length(law)


@pytest.mark.parametrize(
    ("found", "written"),
    [
        ("10*y - 10*x", "10*(y - x)"),
        ("28*x - x*z - y", "x*(28 - z) - y"),
        ("-x + 0.3", "0.3 - x"),
        ("x**2 - 2*x*y + y**2 + z", "z + (x - y)**2"),
        ("x**3 - 6*x**2 + 11*x - 6", "(x - 1)*(x - 2)*(x - 3)"),
        ("1 - 0.36/(x**2 + 0.36)", "x**2/(x**2 + 0.36)"),
        ("y + x*z - 2*z - y*x/2", "(x - 2)*(z - 0.5*y)"),
        ("0.1 - 0.1*sin(x)**2", "0.1*cos(x)**2"),
        ("exp(y*log(x)) - x", "x**y - x"),
        ("13/6*x/(x + 2/3*y + 5/3)", "1.3*x/(0.6*x + 0.4*y + 1)"),
        ("3*x + 3*sin(y) - 3*z**2 + 1", "3*(x - z**2 + sin(y)) + 1"),
    ],
)
def test_a_law_is_put_as_a_person_would(found, written):
    assert to_text(writings(parse(found, NAMES))[0]) == written


@pytest.mark.parametrize(
    ("found", "truth"),
    [
        ("30*(1 - 0.36/(x**2 + 0.36))*(1 - 0.09/(y**2 + 0.09))",
         "30*x**2/(x**2 + 0.36)*y**2/(y**2 + 0.09)"),
        ("1.1*z*(1 - 0.4/(x + 0.4))*(1 - 0.9/(y + 0.9)) - 0.15*z",
         "1.1*z*x/(0.4 + x)*y/(0.9 + y) - 0.15*z"),
        ("3.2785714285714287/(x + 1.7) - 0.5785714285714286/(x + 0.3) - y",
         "2.7*x/(x + 0.3)/(x + 1.7) - y"),
        ("0.1*(x + 40)*(1 - y)*(1 + 0.0183/(exp(0.1*x) - 0.0183))",
         "0.1*(x + 40)*(1 - y)/(1 - 0.0183*exp(-0.1*x))"),
        ("(0.37 + 1.41*sin(x))*(2.3 - 0.77*y)*(1.9 + z**2)",) * 2,
        ("1.4*(x + y)*(1 - (x + y)/3)",) * 2,
    ],
)  # fmt: skip
def test_products_come_back_from_terms_with_small_errors(found, truth):
    law = spread_out(found, 1e-10)
    shortest = writings(law, 1e-8)[0]
    assert size(shortest) <= size(parse(truth, NAMES))
    assert_same_values(law, shortest)


def inexact(node):
    return isinstance(node, Number) and isinstance(node.value, float)


def test_numbers_within_their_errors_become_one():
    law = with_errors(
        normal_form(parse("x/(y + 2.26240015148) + z/(y + 2.26240015148)", NAMES)), 1e-10
    )
    assert len({node.value for node in walk(law) if inexact(node)}) == 2
    assert sum(map(inexact, walk(writings(law, 1e-8)[0]))) == 1


def test_roots_are_simple_only_as_far_as_numbers_are_known():
    cubic = parse("-0.2179979*x**3 + 0.3700021*x + 0.1130036", NAMES)
    assert all("/" not in to_text(each) for each in writings(cubic, 1e-5))
    simple = expanded(parse("0.3*(x - 0.25)*(x + 0.5)*(x - 3)", NAMES))
    assert any(to_text(each).count("(x") == 3 for each in writings(simple, 1e-5))


def test_exact_numbers_that_differ_stay_two():
    law = parse("2.0000000001*x + 2*y", NAMES)
    assert writings(law, 1e-3) == []


def test_noise_and_no_more_is_overlooked():
    law = parse("-9.998*x + 10.009*y", NAMES)
    inexact = rebuild(law, iter([Number(-9.998), Number(10.009)]), Number)
    assert size(writings(inexact, 5e-3)[0]) == 5
    assert all(size(each) > 5 for each in writings(inexact, 1e-4))


@pytest.mark.parametrize(
    ("law", "short"),
    [
        ("y*log(x) + y*log(z/x + 1)", "y*log(x + z)"),
        ("2*log(x*y) - 2*log(y) - z", "2*log(x) - z"),
        ("z - x*log(y*(1/x - z)) - x*log(x/y)", "z - x*log(1 - x*z)"),
    ],
)
def test_logarithms_with_one_factor_are_one(law, short):
    assert to_text(writings(parse(law, NAMES))[0]) == short


@pytest.mark.parametrize(
    ("law", "short"),
    [
        ("x**2*y**2 - 0.5*x*y*z**2 + 0.0625*z**4", "(x*y - 0.25*z**2)**2"),
        ("x**2/y**2 - 0.5*x*z**2/y**3 + 0.0625*z**4/y**4", "(x - 0.25*z**2/y)**2/y**2"),
    ],
)
def test_powers_of_sums_of_products_are_written_as_such(law, short):
    assert to_text(writings(parse(law, NAMES))[0]) == short


@pytest.mark.parametrize(
    ("law", "shortest"),
    [
        ("x/(x**2)**0.5", "x/abs(x)"),
        ("(x**4)**0.5", "x**2"),
        ("3*sqrt((x - y)**2)", "3*abs(x - y)"),
    ],
)
def test_roots_of_even_powers_are_sizes(law, shortest):
    assert to_text(writings(parse(law, NAMES))[0]) == shortest
