"""Sums of products of the variables' functions: which terms there are, and which the data need."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import NAMES

from odevsr.evidence.law import Data
from odevsr.evidence.simplify import fit_terms, product_terms
from odevsr.language.expression import ONE, ZERO, complexity
from odevsr.language.normal import normal_form, split_coefficient, terms
from odevsr.language.parse import parse

POWERS = [tuple(parse(text, NAMES) for text in ("1", n, f"{n}**2")) for n in NAMES]
EVERYTHING = product_terms(POWERS, np.ones((3, 3), dtype=bool))


def written(*texts):
    return {normal_form(parse(text, NAMES)) for text in texts}


def measured(values_at, count=70, error=1e-9, seed=0):
    rng = np.random.default_rng(seed)
    states = rng.uniform(0.5, 2.0, (count, 3))
    noise = error * rng.standard_normal(count)
    return Data(states, values_at(*states.T) + noise, np.full(count, error))


def test_all_products_of_the_functions_are_made_the_simplest_first():
    assert len(EVERYTHING) == len(set(EVERYTHING)) == 27
    sizes = [complexity(term) for term in EVERYTHING]
    assert sizes == sorted(sizes)
    assert normal_form(parse("x**2*y*z", NAMES)) in EVERYTHING


def test_variables_that_do_not_interact_never_meet_in_a_term():
    interacts = np.eye(3, dtype=bool)
    interacts[0, 1] = interacts[1, 0] = True
    found = product_terms([each[:2] for each in POWERS], interacts)
    assert set(found) == written("1", "x", "y", "z", "x*y")


def test_too_many_products_are_refused():
    many = [tuple(parse(f"{n}**{k}", NAMES) for k in range(1, 13)) for n in NAMES]
    assert product_terms(many, np.ones((3, 3), dtype=bool)) is None


@given(
    chosen=st.dictionaries(
        st.sampled_from(EVERYTHING), st.floats(0.1, 20.0), min_size=1, max_size=6
    ),
    signs=st.lists(st.sampled_from([-1, 1]), min_size=6, max_size=6),
    seed=st.integers(0, 1000),
)
def test_exactly_the_terms_of_a_sparse_polynomial_are_found(chosen, signs, seed):
    wanted = {term: s * c for (term, c), s in zip(chosen.items(), signs, strict=False)}

    def polynomial(*columns):
        powers = {ONE: np.ones_like(columns[0])}
        for name, column in zip(NAMES, columns, strict=True):
            powers |= {parse(name, NAMES): column, parse(f"{name}**2", NAMES): column**2}
        return sum(
            c * np.prod([powers[factor] for factor in factors(term)], axis=0)
            for term, c in wanted.items()
        )

    found, deviation = fit_terms(EVERYTHING, NAMES, measured(polynomial, seed=seed))
    assert deviation < 2.0
    pairs = [split_coefficient(term) for term in terms(found)]
    assert {rest: pytest.approx(c, abs=1e-5) for c, rest in pairs} == wanted


def factors(term):
    known = {*POWERS[0], *POWERS[1], *POWERS[2]}
    return [term] if term in known else list(term.args)


def test_functions_without_a_value_or_that_others_make_up_do_no_harm():
    texts = ["1", "x", "log(-x)", "sin(x)**2", "cos(x)**2", "0*x"]
    functions = [normal_form(parse(text, NAMES)) for text in texts]
    found, deviation = fit_terms(functions, NAMES, measured(lambda x, y, z: 3 * np.sin(x) ** 2))
    assert deviation < 2.0
    ((coefficient, rest),) = [split_coefficient(term) for term in terms(found)]
    assert rest == functions[3]
    assert coefficient == pytest.approx(3.0)


def test_a_law_outside_the_span_shows_in_the_deviation():
    _, deviation = fit_terms(EVERYTHING, NAMES, measured(lambda x, y, z: np.exp(x * y)))
    assert deviation > 1e3


def test_if_no_function_has_a_value_nothing_is_explained():
    nowhere = parse("log(-x)", NAMES)
    found, deviation = fit_terms([nowhere], NAMES, measured(lambda x, y, z: x))
    assert found == ZERO
    assert deviation > 1e3
