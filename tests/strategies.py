"""Hypothesis strategies shared by the tests: numbers, expressions and systems."""

import math
from fractions import Fraction
from functools import cache

from hypothesis import strategies as st

from odevsr.language.expression import (
    CONSTANT,
    FUNCTIONS,
    HOLE,
    Apply,
    Expression,
    Number,
    Op,
    Variable,
    variables,
)
from odevsr.world.systems.system import StateVariable, System

NAMES = ("x0", "x1", "x2")

exact_numbers = st.one_of(
    st.integers(-1000, 1000),
    st.fractions(-100, 100, max_denominator=99),
    st.decimals(-100, 100, places=3).map(Fraction),
)
fitted_numbers = st.floats(-1e6, 1e6, allow_nan=False, allow_subnormal=False)
numbers = st.one_of(exact_numbers, fitted_numbers).map(Number)
small_exponents = st.sampled_from([-3, -2, -1, -0.5, Fraction(-1, 3), 0.5, Fraction(1, 3), 2, 3])


def expressions(
    names: tuple[str, ...] = NAMES, *, open_symbols: bool = False
) -> st.SearchStrategy[Expression]:
    """Trees of every operator over the names; with `open_symbols` also open constants and holes."""
    leaves = [numbers, st.sampled_from(names).map(Variable)]
    if open_symbols:
        leaves.append(st.sampled_from([CONSTANT, HOLE]))
    return st.recursive(st.one_of(leaves), _operations, max_leaves=12)


def _operations(arguments: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    many = st.lists(arguments, min_size=2, max_size=4).map(tuple)
    two = st.tuples(arguments, arguments)
    one = st.tuples(arguments)
    power = st.tuples(
        arguments.filter(variables), st.one_of(small_exponents.map(Number), st.just(Variable("x0")))
    )
    return st.one_of(
        st.builds(Apply, st.sampled_from([Op.ADD, Op.MUL]), many),
        st.builds(Apply, st.sampled_from([Op.SUB, Op.DIV]), two),
        st.builds(Apply, st.sampled_from([Op.NEG, *FUNCTIONS.values()]), one),
        st.builds(Apply, st.just(Op.POW), power),
    )


def _rounding_is_harmless(
    arguments: st.SearchStrategy[Expression],
) -> st.SearchStrategy[Expression]:
    many = st.lists(arguments, min_size=2, max_size=4).map(tuple)
    calm = st.sampled_from([Op.SQRT, Op.ATAN, Op.TANH, Op.ABS])
    return st.one_of(
        st.builds(Apply, st.sampled_from([Op.ADD, Op.MUL]), many),
        st.builds(Apply, st.just(Op.DIV), st.tuples(arguments, arguments)),
        st.builds(Apply, st.just(Op.POW), st.tuples(arguments, small_exponents.map(Number))),
        st.builds(Apply, calm, st.tuples(arguments)),
    )


# Nothing is subtracted, so that rounding errors stay small, over positive states.
positive_expressions = st.recursive(
    st.one_of(st.fractions("0.1", 9).map(Number), st.sampled_from(NAMES).map(Variable)),
    _rounding_is_harmless,
    max_leaves=12,
)

printable = st.text(
    st.characters(exclude_categories=["C", "Z"], include_characters=" "), max_size=30
)


@st.composite
def systems(draw: st.DrawFn) -> System:
    """Systems of one to three variables with two parameters, made in Python."""
    names = NAMES[: draw(st.integers(1, len(NAMES)))]
    symbols = (*names, "rate", "K_1")
    return System(
        name=draw(st.from_regex(r"[a-z][a-z0-9_-]{0,9}", fullmatch=True)),
        title=draw(printable),
        source=draw(printable),
        variables=tuple(draw(_state_variables(name)) for name in names),
        parameters={"rate": draw(exact_numbers), "K_1": draw(exact_numbers)},
        equations=tuple(draw(_equations(symbols)) for _ in names),
        operators=draw(st.none() | st.just(("+", "**", "sin"))),
    )


@cache
def _equations(symbols: tuple[str, ...]) -> st.SearchStrategy[Expression]:
    """Powers in `expressions` use x0, which every system has. Making a strategy takes its time."""
    return expressions(symbols)


@st.composite
def _state_variables(draw: st.DrawFn, name: str) -> StateVariable:
    numbers = st.lists(st.floats(-1e6, 1e6), min_size=3, max_size=3, unique=True)
    low, start, high = sorted(draw(numbers))
    scales = ["", "even", "linear", "log"] if low > 0 else ["", "even"]
    domains = st.sampled_from([None, (-math.inf, math.inf), (low, math.inf), (-math.inf, high)])
    scale, domain = draw(st.sampled_from(scales)), draw(domains)
    return StateVariable(name, low, high, start, draw(printable), scale, domain)
