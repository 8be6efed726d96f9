"""Systems made better term by term, and the search again along their motion."""

from noisy_runs import NAMES, law, lorenz_laws, lorenz_paths

from odevsr.language.algebra.normal import normal_form
from odevsr.recorded.choosing.again import searched_again
from odevsr.recorded.motions.responses import responses_of
from odevsr.recorded.motions.stepwise import improved, terms_for
from odevsr.recorded.motions.systems import fit_system
from odevsr.recorded.proposing.libraries import Library, polynomial

QUADRATIC = Library("polynomial", NAMES, polynomial(NAMES, 2, 40))


def wrong_system(paths):
    """One term of the second law is another's."""
    first, _, third = lorenz_laws()
    return fit_system(paths, [first, law("C*x0*x2 + C*x0 + C*x2", -1.0, 27.0, 0.1), third], 20, 25)


def test_a_wrong_term_is_replaced_by_the_right_one():
    paths = lorenz_paths()
    better = improved(paths, wrong_system(paths), terms_for(paths, [QUADRATIC])).system
    assert normal_form(better.laws[1].law) == normal_form(lorenz_laws()[1].law)


def test_the_right_law_is_found_along_the_motion_of_a_wrong_system():
    paths = lorenz_paths()
    system = wrong_system(paths)
    found = searched_again(paths, system, responses_of(paths, system), 1, [QUADRATIC], 12)
    assert normal_form(lorenz_laws()[1].law) in {normal_form(each.law) for each in found}
