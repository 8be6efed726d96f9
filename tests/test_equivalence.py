"""Equivalence to a known truth: every writing of the law is right, whatever else fits is not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from odevsr.language.expression import Number, rebuild, walk
from odevsr.language.parse import parse
from odevsr.verdict.equivalence import is_equivalent
from odevsr.world.box import plain_box
from odevsr.world.systems.registry import get_system

NAMES = ("x0", "x1", "x2")
WIDE = (-2.0, 2.0)
POSITIVE = (0.1, 2.0)
SMALL = (-0.1, 0.1)


def equivalent(found, truth, interval=WIDE, tolerance=1e-3):
    box = plain_box([interval] * len(NAMES))
    return is_equivalent(parse(found, NAMES), parse(truth, NAMES), NAMES, box, tolerance)


@pytest.mark.parametrize(
    ("found", "truth", "interval"),
    [
        ("10*x1 - 10*x0", "10*(x1 - x0)", WIDE),
        ("9.9999999999*x1 - 10.0000000001*x0", "10*(x1 - x0)", WIDE),
        ("10.009*x1 - 10*x0", "10*(x1 - x0)", WIDE),
        ("x0", "1.0005*x0", WIDE),
        ("sin(x0)", "sin(1.0003*x0)", WIDE),
        ("x0**2.0000001", "x0**2", POSITIVE),
        ("sin(x1)*cos(x0) - cos(x1)*sin(x0)", "sin(x1 - x0)", WIDE),
        ("sin(x0 - x1 + 0.1)", "sin(x0)*cos(x1 - 0.1) - cos(x0)*sin(x1 - 0.1)", WIDE),
        ("tanh(x0)", "2/(1 + exp(-2*x0)) - 1", WIDE),
        ("0.5 + 0.5*tanh(x0/2)", "1/(1 + exp(-x0))", WIDE),
        ("tanh(x0)", "(exp(x0) - exp(-x0))/(exp(x0) + exp(-x0))", WIDE),
        ("exp(-x0)/(1 + exp(-x0))**2", "1/(4*cosh(x0/2)**2)", WIDE),
        ("sqrt((x0 + 1)**2)", "abs(x0 + 1)", WIDE),
        ("abs(x0 + 1)", "sqrt((x0 + 1)**2)", WIDE),
        ("0.499999*(1 - cos(2*x0))", "sin(x0)**2", WIDE),
        ("cot(x0)", "cos(x0)/sin(x0)", WIDE),
        ("log(x0) + log(x1)", "log(x0*x1)", POSITIVE),
        ("x0/(1 + x1) + x2", "(x0 + x2 + x1*x2)/(1 + x1)", WIDE),
        ("x0*x1/(1 + (x1/0.52)**4)", "0.07311616*x0*x1/(0.07311616 + x1**4)", WIDE),
        ("0", "x0 - x0", WIDE),
    ],
)
def test_another_writing_of_the_truth_is_equivalent(found, truth, interval):
    assert equivalent(found, truth, interval)


@pytest.mark.parametrize(
    ("found", "truth", "interval"),
    [
        ("10*x1 - 10*x0 + 0.001*x2", "10*(x1 - x0)", WIDE),
        ("10*x1 - 10*x0 + 1e-9*x2**3", "10*(x1 - x0)", WIDE),
        ("10.02*x1 - 10*x0", "10*(x1 - x0)", WIDE),
        ("x0*x1", "x0*x1 + 0.001*x0", WIDE),
        ("x0 - x0**3/6 + x0**5/120 - x0**7/5040 + x0**9/362880", "sin(x0)", WIDE),
        ("0.01*x0 - 1e-6*x0**3/6 + 1e-10*x0**5/120", "sin(0.01*x0)", WIDE),
        ("(1 + x0/2 + x0**2/12)/(1 - x0/2 + x0**2/12)", "exp(x0)", SMALL),
        ("x0 + 1", "abs(x0 + 1)", (0.0, 2.0)),
        ("sqrt(x0**2 + 1e-8)", "abs(x0)", WIDE),
        ("x0/(x0 + 0.000001)", "1", WIDE),
        ("x0", "x1", WIDE),
        ("0", "x0", WIDE),
        ("1e-6*x0", "0", WIDE),
        ("x0**2", "x0**3", WIDE),
        ("sin(x0)", "cos(x0)", WIDE),
        ("log(x0 - 1.9)", "x0", POSITIVE),
    ],
)
def test_what_only_comes_close_is_not_equivalent(found, truth, interval):
    assert not equivalent(found, truth, interval)


@pytest.mark.parametrize(
    ("found", "truth", "interval"),
    [
        ("9*x1 - 11*x0", "10*(x1 - x0)", WIDE),
        ("9.1*sin(1.1*x0)", "10*sin(x0)", WIDE),
        ("2.1*x0/(0.9 + 1.1*x1) - 0.93*x2", "2*x0/(1 + x1) - x2", POSITIVE),
        ("1.1*x0*exp(-0.9*x1)", "x0*exp(-x1)", WIDE),
        ("1.1*x0 + 0.9*x1*(1.05*x0 + 0.95*x2)", "x0 + x1*x0 + x2*x1", WIDE),
    ],
)
def test_a_law_with_constants_off_by_a_fifth_is_equivalent_only_within_that(found, truth, interval):
    assert equivalent(found, truth, interval, tolerance=0.2)
    assert not equivalent(found, truth, interval, tolerance=0.02)


@pytest.mark.parametrize(
    ("found", "truth", "interval"),
    [
        ("9*x1 - 11*x0 + 0.001*x2", "10*(x1 - x0)", WIDE),
        ("9.1*sin(1.1*x0 + 0.01)", "10*sin(x0)", WIDE),
        ("0.9*x0 - 0.12*x0**3", "sin(x0)", WIDE),
        ("1.3*x0*x1", "x0*x1", WIDE),
        ("log(x0 - 5)", "x0", POSITIVE),
    ],
)
def test_no_movement_of_constants_makes_up_for_another_form(found, truth, interval):
    assert not equivalent(found, truth, interval, tolerance=0.2)


SYSTEMS = ("lorenz", "glycolysis", "kuramoto", "pendulum_on_cart", "chua", "toggle_switch")


def with_numbers_times(expression, factors):
    numbers = [node for node in walk(expression) if isinstance(node, Number)]
    leaves = [
        Number(float(node.value) * factor) if float(node.value) % 1 else node
        for node, factor in zip(numbers, factors, strict=False)
    ]
    return rebuild(expression, iter([*leaves, *numbers[len(leaves) :]]), Number)


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(SYSTEMS), st.lists(st.floats(-9e-4, 9e-4), min_size=12, max_size=12))
def test_every_known_law_is_equivalent_to_itself_with_constants_a_little_off(name, changes):
    system = get_system(name)
    for truth in system.closed_equations():
        found = with_numbers_times(truth, [1 + change for change in changes])
        assert is_equivalent(found, truth, system.names, system.box)


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_laws_of_different_variables_are_told_apart(name):
    system = get_system(name)
    laws = system.closed_equations()
    for index, truth in enumerate(laws):
        for other in laws[index + 1 :]:
            assert not is_equivalent(other, truth, system.names, system.box)


def test_a_law_of_huge_terms_that_cancel_is_not_whatever_is_lost_in_their_rounding():
    huge = "(exp(-53238.67*x1) - 3351.4680549094664)**16 - 2.5337359131745554e+56"
    assert not equivalent(huge, "0.275*sin(x0) + 0.7275*x1*cos(x2) - 0.3181", POSITIVE)
    assert equivalent("1e5*sin(x0) + 2*x1 - 1e5*sin(x0)", "2*x1")
