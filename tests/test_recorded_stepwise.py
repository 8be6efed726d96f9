"""Systems made better term by term, and the search again along their motion."""

from functools import cache

from noisy_runs import NAMES, law, lorenz_laws, lorenz_paths

from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.term import is_sum, terms
from odevsr.recorded.choosing.again import foretold
from odevsr.recorded.motions.stepwise import improved, terms_for
from odevsr.recorded.motions.systems import fit_system
from odevsr.recorded.proposing.libraries import Library, polynomial

QUADRATIC = Library("polynomial", NAMES, polynomial(NAMES, 2, 40))


@cache
def wrong_system():
    """Paths, and a system one term of whose second law is another's."""
    paths = lorenz_paths()
    first, _, third = lorenz_laws()
    laws = [first, law("C*x0*x2 + C*x0 + C*x2", -1.0, 27.0, 0.1), third]
    return paths, fit_system(paths, laws, 20, 25)


def test_a_wrong_term_is_replaced_by_the_right_one():
    paths, system = wrong_system()
    better = improved(paths, system, terms_for(paths, [QUADRATIC])).system
    assert normal_form(better.laws[1].law) == normal_form(lorenz_laws()[1].law)


def test_a_law_with_a_term_more_is_one_sum():
    paths, system = wrong_system()
    tried = improved(paths, system, terms_for(paths, [QUADRATIC])).tried
    assert tried
    assert not any(is_sum(term) for each in tried for term in terms(each.laws[1].law))


def test_the_right_law_is_found_along_the_motion_of_a_wrong_system():
    paths, system = wrong_system()
    (found,) = foretold(paths, system, [1], [QUADRATIC], 12)
    assert normal_form(lorenz_laws()[1].law) in {normal_form(each.law) for each in found}
