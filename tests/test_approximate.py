"""What is shown when no law was found: the polynomial that comes nearest."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import FunctionOracle

from odevsr.language.algebra.term import terms
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import variables
from odevsr.language.parse import parse
from odevsr.limits import READABLE
from odevsr.settings import Settings
from odevsr.vertical.judging.approximate import best_polynomial, explaining_polynomial
from odevsr.vertical.judging.case import Case
from odevsr.world.experiments.budget import LimitedOracle
from odevsr.world.sample import Sample

NAMES = ("x", "y")
TERMS = ["1", "x", "y", "x*y", "x**2", "y**3", "x**2*y**2", "x**4"]


def measured(function, count=300, names=NAMES):
    states = np.random.default_rng(0).uniform(-1.0, 2.0, (count, len(names)))
    return Sample(states, function(*states.T), np.full(count, 1e-8))


def case(function):
    return Case(LimitedOracle(FunctionOracle(function), 10_000), Settings())


@settings(max_examples=25)
@given(st.dictionaries(st.sampled_from(TERMS), st.floats(-5, 5), min_size=1))
def test_polynomials_up_to_degree_four_come_back(coefficients):
    text = " + ".join(f"({value!r})*{term}" for term, value in coefficients.items())
    truth = compile_field([parse(text, NAMES)], NAMES)
    data = measured(lambda *columns: truth(np.stack(columns, axis=-1))[:, 0])
    assert best_polynomial(NAMES, data, NAMES).deviation < 1.0


@pytest.mark.parametrize(("count", "degree"), [(45, 4), (30, 3), (18, 2), (9, 1), (4, 1)])
def test_the_degree_is_what_the_data_determine(count, degree):
    law = best_polynomial(NAMES, measured(lambda x, y: np.exp(x * y), count), NAMES)
    assert len(law.constants) <= {1: 3, 2: 6, 3: 10, 4: READABLE}[degree]


def test_terms_that_only_follow_the_noise_are_left_out():
    noise = np.random.default_rng(1).normal(size=300)
    law = best_polynomial(NAMES, measured(lambda x, y: 3 * x - x * y + 1e-9 * noise), NAMES)
    assert len(law.constants) <= 3
    assert law.deviation < 1.0


def test_the_constants_of_an_approximation_have_no_error_bars():
    law = best_polynomial(NAMES, measured(lambda x, y: np.exp(x * y)), NAMES)
    assert all(each.error == np.inf for each in law.constants)
    assert law.deviation > 1e3


def test_a_variable_that_never_moves_does_no_harm():
    data = measured(lambda x, y: 3 * x)
    data.states[:, 1] = 0.0
    assert best_polynomial(NAMES, data, NAMES).deviation < 1.0


def test_only_relevant_variables_are_mentioned():
    law = best_polynomial(NAMES, measured(lambda x, y: np.exp(x) + 0.1 * y), ["x"])
    assert variables(law.expression) == {"x"}


def test_a_sum_of_few_terms_is_a_law_however_weak_some_are_and_what_is_none_is_not():
    weak = explaining_polynomial(case(lambda x, y: 1e-5 * x * y - x), np.random.default_rng(0))
    assert weak is not None
    assert len(terms(weak.law.expression)) == 2
    assert explaining_polynomial(case(lambda x, y: np.sin(3 * x)), np.random.default_rng(0)) is None
