"""Choosing terms: what the data do not need goes, what noise has hidden comes."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import NAMES
from laws import law as inexact

from odevsr.evidence.agreement import Agreement
from odevsr.evidence.data import Data
from odevsr.evidence.law import Law
from odevsr.evidence.simplify import fit_terms, simplified, with_hidden_terms
from odevsr.language.algebra.normal import normal_form, split_coefficient, terms
from odevsr.language.expression import ONE, ZERO
from odevsr.language.parse import parse
from odevsr.language.text import to_text
from odevsr.vertical.asking.separate import product_terms
from odevsr.world.sample import Sample

POWERS = [tuple(parse(text, NAMES) for text in ("1", n, f"{n}**2")) for n in NAMES]
CALM, NOISY = Agreement(), Agreement(is_noisy=True)
EVERYTHING = product_terms(POWERS, np.ones((3, 3), dtype=bool))


def measured(values_at, count=70, error=1e-9, seed=0):
    rng = np.random.default_rng(seed)
    states = rng.uniform(0.5, 2.0, (count, 3))
    noise = error * rng.standard_normal(count)
    return Sample(states, values_at(*states.T) + noise, np.full(count, error))


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

    found, deviation = fit_terms(EVERYTHING, Data(NAMES, measured(polynomial, seed=seed)))
    assert deviation < 2.0
    pairs = [split_coefficient(term) for term in terms(found)]
    assert {rest: pytest.approx(c, abs=1e-5) for c, rest in pairs} == wanted


def factors(term):
    known = {*POWERS[0], *POWERS[1], *POWERS[2]}
    return [term] if term in known else list(term.args)


def test_functions_without_a_value_or_that_others_make_up_do_no_harm():
    texts = ["1", "x", "log(-x)", "sin(x)**2", "cos(x)**2", "0*x"]
    functions = [normal_form(parse(text, NAMES)) for text in texts]
    found, deviation = fit_terms(
        functions, Data(NAMES, measured(lambda x, y, z: 3 * np.sin(x) ** 2))
    )
    assert deviation < 2.0
    ((coefficient, rest),) = [split_coefficient(term) for term in terms(found)]
    assert rest == functions[3]
    assert coefficient == pytest.approx(3.0)


def test_a_law_outside_the_span_shows_in_the_deviation():
    _, deviation = fit_terms(EVERYTHING, Data(NAMES, measured(lambda x, y, z: np.exp(x * y))))
    assert deviation > 1e3


def test_if_no_function_has_a_value_nothing_is_explained():
    nowhere = parse("log(-x)", NAMES)
    found, deviation = fit_terms([nowhere], Data(NAMES, measured(lambda x, y, z: x)))
    assert found == ZERO
    assert deviation > 1e3


PLANE = ("x", "y")


def noisy(function, noise, count=600, seed=0):
    rng = np.random.default_rng(seed)
    states = rng.uniform(-2, 2, (count, 2))
    values = function(*states.T)
    return Sample(states, values + noise * rng.standard_normal(count), np.full(count, noise))


def shape(law):
    return {to_text(split_coefficient(term)[1]) for term in terms(law)}


def with_hidden(text, sample, names=PLANE):
    data = Data(names, sample, NOISY)
    return shape(with_hidden_terms(normal_form(parse(text, names)), data, data))


def test_weak_terms_that_a_law_lacks_are_added():
    found = with_hidden("3*x*y", noisy(lambda x, y: 3 * x * y - 0.1 * x + 0.05, 0.1))
    assert found == {"x*y", "x", "1"}


@pytest.mark.parametrize("seed", range(5))
def test_nothing_is_added_to_a_whole_law(seed):
    sample = noisy(lambda x, y: 3 * x * y - y**3, 0.5, seed=seed)
    assert with_hidden("3*x*y - y**3", sample) == {"x*y", "y**3"}


def test_what_a_slightly_wrong_number_leaves_is_no_hidden_term():
    sample = noisy(lambda x, y: y / (x + 3), 1e-4)
    data = Data(PLANE, sample, NOISY)
    assert len(terms(with_hidden_terms(inexact("y/(x + 3.01)"), data, data))) == 1


def test_terms_that_are_not_significant_go():
    assert with_hidden("3*x*y + 0.001*y**3", noisy(lambda x, y: 3 * x * y, 0.5)) == {"x*y"}


def test_a_term_that_the_law_already_stands_for_is_not_added():
    assert len(with_hidden("2*(x**2 + 0.0000001*x)", noisy(lambda x, y: 2 * x**2, 0.1))) == 1


def test_a_law_that_holds_all_low_monomials_lacks_none():
    states = np.random.default_rng(0).uniform(-2, 2, (200, 1))
    values = states[:, 0] ** 2 + 2 * states[:, 0] + 3
    sample = Sample(states, values, np.full(200, 0.1))
    assert with_hidden("x**2 + 2*x + 3", sample, ["x"]) == {"x**2", "x", "1"}


@dataclass(frozen=True)
class Chain:
    """Something with so many parts, of which it needs some."""

    parts: int
    needed: int

    @property
    def deviation(self):
        return 0.9 if self.parts >= self.needed else 50.0

    def smaller(self):
        return (replace(self, parts=self.parts - gone) for gone in (3, 2, 1) if gone < self.parts)


@given(st.integers(1, 30), st.data())
def test_parts_go_until_one_is_missed(parts, data):
    needed = data.draw(st.integers(1, parts))
    assert simplified(Chain(parts, needed), Chain.smaller, CALM) == Chain(needed, needed)


def test_each_is_held_to_the_whole_so_that_small_losses_do_not_add_up():
    sizes = [1.0, 1.15, 1.3, 1.45]
    whole, *rest = (Law(ZERO, (), size) for size in sizes)
    chain = dict(zip([whole, *rest], [[each] for each in rest] + [[]], strict=True))
    assert simplified(whole, chain.__getitem__, CALM).deviation == 1.15


def test_where_there_are_no_more_data_than_terms_nothing_is_explained():
    assert fit_terms(EVERYTHING, Data(NAMES, measured(lambda x, y, z: x, count=27)))[1] == np.inf


def test_a_function_too_large_for_its_square_does_no_harm():
    functions = [parse(text, NAMES) for text in ("x", "exp(500*x)")]
    found, deviation = fit_terms(functions, Data(NAMES, measured(lambda x, y, z: 3 * x)))
    assert deviation < 2.0
    assert [to_text(split_coefficient(term)[1]) for term in terms(found)] == ["x"]


def test_all_data_tell_which_terms_are_added_and_few_of_them_how_many():
    whole = noisy(lambda x, y: 3 * x * y - 0.1 * x + 0.012 * y, 0.1, count=6000)
    few = Sample(whole.states[:600], whole.values[:600], whole.errors[:600])
    both = [Data(PLANE, each, NOISY) for each in (whole, few)]
    law = normal_form(parse("3*x*y", PLANE))
    assert shape(with_hidden_terms(law, both[0], both[0])) == {"x*y", "x", "y"}
    assert shape(with_hidden_terms(law, *both)) == {"x*y", "x"}
