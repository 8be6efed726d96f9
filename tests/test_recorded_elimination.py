"""Whole systems of polynomials, shortened term by term."""

from noisy_runs import NAMES, TRUTHS, lorenz_laws, lorenz_paths

from odevsr.language.algebra.normal import normal_form
from odevsr.language.parse import parse
from odevsr.recorded.choosing.settle import reproposed
from odevsr.recorded.motions.elimination import eliminated, fine_segments, full_systems
from odevsr.recorded.motions.systems import closed
from odevsr.recorded.proposing.libraries import Library, polynomial
from odevsr.verdict.equivalence import is_equivalent
from odevsr.world.box import plain_box


def test_a_chaotic_system_is_found_behind_noise():
    paths = lorenz_paths()
    found = [eliminated(paths, full) for full in full_systems(paths, fine_segments(paths, 14))]
    best = min(found, key=lambda each: each.score)
    box = plain_box([[-20, 20], [-25, 25], [5, 45]])
    for found, truth in zip(best.laws, TRUTHS, strict=True):
        assert is_equivalent(closed(found), parse(truth, NAMES), NAMES, box, 0.2)


def test_the_motion_of_all_terms_suggests_the_few_of_the_law():
    paths = lorenz_paths()
    plain = Library("polynomial", NAMES, polynomial(NAMES, 2, 10))
    found = reproposed(paths, full_systems(paths, fine_segments(paths, 14))[0], [plain])
    forms = [normal_form(each.law) for each in found.laws]
    assert forms == [normal_form(each.law) for each in lorenz_laws()]
