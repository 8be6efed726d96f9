"""Whole systems of polynomials, shortened term by term."""

from noisy_runs import NAMES, TRUTHS, lorenz_paths

from odevsr.language.parse import parse
from odevsr.recorded.motions.elimination import eliminated, full_systems
from odevsr.recorded.motions.systems import closed
from odevsr.verdict.equivalence import is_equivalent
from odevsr.world.box import plain_box


def test_a_chaotic_system_is_found_behind_noise():
    paths = lorenz_paths()
    found = [eliminated(paths, full) for full in full_systems(paths)]
    best = min(found, key=lambda each: each.score)
    box = plain_box([[-20, 20], [-25, 25], [5, 45]])
    for found, truth in zip(best.laws, TRUTHS, strict=True):
        assert is_equivalent(closed(found), parse(truth, NAMES), NAMES, box, 0.2)
