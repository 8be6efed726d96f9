"""Candidates by regression: what they are made of."""

from dataclasses import replace

import numpy as np
import pytest
from noisy_runs import NAMES, lorenz_paths, noisy_paths

from odevsr.language.algebra.normal import normal_form
from odevsr.language.evaluate import at_constants, compile_field
from odevsr.language.expression import ONE, with_constants
from odevsr.language.parse import parse
from odevsr.recorded.proposing.atoms import Atom
from odevsr.recorded.proposing.candidates import candidates
from odevsr.recorded.proposing.constants import best_constants, remainder
from odevsr.recorded.proposing.libraries import Library, libraries, polynomial
from odevsr.recorded.proposing.rows import Rows
from odevsr.recorded.score import constants_cost, prior


def test_a_function_that_is_no_number_along_the_path_is_in_no_candidate():
    atom = Atom(parse("exp(C*x2)", NAMES, open_symbols=True), [(1e3,)])
    library = Library("open", NAMES, polynomial(NAMES, 1, 40), (ONE,), atom)
    rows = Rows(lorenz_paths(), 0, integral=True)
    assert list(candidates(rows, library, rows.columns_of(library))) == []


LIBRARIES = [
    Library("polynomial", NAMES, polynomial(NAMES, 2, 40)),
    Library("open", NAMES, polynomial(NAMES, 1, 40), polynomial(NAMES, 1, 40),
            Atom(parse("1/(C*exp(C*x2) + 1)", NAMES, open_symbols=True), [(0.5, 0.1), (1.5, 0.2)])),
    Library("quotient", NAMES, polynomial(NAMES, 1, 40), polynomial(NAMES, 1, 40)[1:],
            is_quotient=True),
]  # fmt: skip


@pytest.mark.parametrize("library", LIBRARIES, ids=lambda each: each.label)
def test_a_candidate_is_scored_by_what_its_law_leaves_and_costs(library):
    rows = Rows(lorenz_paths(), 0, integral=False)
    found = list(candidates(rows, library, rows.columns_of(library)))
    assert found
    for each in found:
        law = compile_field([with_constants(each.law, each.theta.tolist())], NAMES)
        count = len(rows.target)
        left = float(np.sum((rows.columns(law)[:, 0] - rows.target) ** 2))
        cost = constants_cost(len(each.theta), count) + prior(each.law, len(NAMES))
        if each.chi2 < np.inf:
            assert each.chi2 == pytest.approx(left, rel=1e-6)
            assert each.score == pytest.approx(left * count / (count - len(each.theta)) + cost)
            assert each.hoped == each.score


def test_constants_of_an_atom_are_moved_to_where_it_leaves_least():
    paths = lorenz_paths()
    library = replace(LIBRARIES[1], special=(ONE,))
    rows = Rows(paths, 0, integral=False)
    terms = library.open_field([ONE])
    target = rows.columns(at_constants(terms, (0.7, 0.13)))[:, 0]
    beside = remainder(rows.columns(paths.field(library.plain)), target)
    found = best_constants(rows, terms, beside, (0.5, 0.1), 30, 1e-14)
    assert found == pytest.approx((0.7, 0.13), rel=1e-6)


def test_noisy_phases_that_act_on_each_other_are_proposed_waves_of_their_difference():
    def rates(_time, phases):
        one, other = phases
        return [0.4 + 1.3 * np.sin(other - one), 3.7 - 0.8 * np.sin(other - one)]

    paths = noisy_paths(rates, [0.3, 1.0], np.linspace(0, 12, 300), ("x", "y"), 0.01)
    rows = Rows(paths, 0, integral=True)
    (mixed,) = (each for each in libraries(paths) if each.label == "mixed")
    found = candidates(rows, mixed, rows.columns_of(mixed))
    best = sorted(found, key=lambda each: each.score)[:4]
    truth = normal_form(parse("C + C*sin(x - y)", ["x", "y"], open_symbols=True))
    assert truth in [normal_form(each.law) for each in best]
