"""Terms hidden by noise: added where the data show them, and only there."""

import numpy as np
import pytest

from odevsr.evidence.complete import completed
from odevsr.evidence.law import Data
from odevsr.language.normal import normal_form, terms
from odevsr.language.parse import parse
from odevsr.language.term import split_coefficient
from odevsr.language.text import to_text

NAMES = ("x", "y")


def data(function, noise, count=600, seed=0):
    rng = np.random.default_rng(seed)
    states = rng.uniform(-2, 2, (count, 2))
    values = function(*states.T)
    return Data(states, values + noise * rng.standard_normal(count), np.full(count, noise))


def shape(law):
    return {to_text(split_coefficient(term)[1]) for term in terms(law)}


def test_weak_terms_that_a_law_lacks_are_added():
    law = normal_form(parse("3*x*y", NAMES))
    found = completed(law, NAMES, data(lambda x, y: 3 * x * y - 0.1 * x + 0.05, 0.1))
    assert shape(found) == {"x*y", "x", "1"}


@pytest.mark.parametrize("seed", range(5))
def test_nothing_is_added_to_a_whole_law(seed):
    law = normal_form(parse("3*x*y - y**3", NAMES))
    found = completed(law, NAMES, data(lambda x, y: 3 * x * y - y**3, 0.5, seed=seed))
    assert shape(found) == {"x*y", "y**3"}


def test_terms_that_are_not_significant_go():
    law = normal_form(parse("3*x*y + 0.001*y**3", NAMES))
    assert shape(completed(law, NAMES, data(lambda x, y: 3 * x * y, 0.5))) == {"x*y"}


def test_a_term_that_the_law_already_stands_for_is_not_added():
    law = normal_form(parse("2*(x**2 + 0.0000001*x)", NAMES))
    found = completed(law, NAMES, data(lambda x, y: 2 * x**2, 0.1))
    assert len(terms(found)) == 1


def test_a_law_that_holds_all_low_monomials_lacks_none():
    law = normal_form(parse("x**2 + 2*x + 3", ["x"]))
    states = np.random.default_rng(0).uniform(-2, 2, (200, 1))
    values = states[:, 0] ** 2 + 2 * states[:, 0] + 3
    found = completed(law, ["x"], Data(states, values, np.full(200, 0.1)))
    assert shape(found) == {"x**2", "x", "1"}
