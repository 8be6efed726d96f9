"""Laws that are told from the motion of a system rather than fitted."""

import numpy as np
import pytest

from odevsr.recorded.choosing.again import foretold
from odevsr.recorded.choosing.settle import _told
from odevsr.recorded.choosing.sweeps import Choice
from odevsr.recorded.motions.systems import FittedLaw, fit_system, honest_score, with_law
from odevsr.recorded.proposing.libraries import libraries
from tests.noisy_runs import lorenz_laws, lorenz_paths

PATHS = lorenz_paths()


@pytest.fixture(scope="module")
def choice():
    system = fit_system(PATHS, lorenz_laws(), 20)
    for segments in (10, 5, 2, 1):
        system = fit_system(PATHS, system.laws, segments, 25, system)
    return Choice(PATHS, system, ((), (), ()))


@pytest.fixture(scope="module")
def listed(choice):
    found = list(libraries(PATHS))[:1]
    return foretold(PATHS, choice.system, range(3), found, 100, forgiving=True)


def test_laws_with_idle_terms_are_told_as_fits_would_tell(choice, listed):
    told = [law for each in listed[0] if (law := _told(choice, 0, each)) is not None]
    assert len(told) > 3
    for law in told[:5]:
        laws = with_law(choice.system.laws, 0, FittedLaw(law.law, law.theta))
        fitted = fit_system(PATHS, laws, 1, 25, choice.system)
        assert law.chi2 == pytest.approx(fitted.chi2, abs=1.0)
        assert law.score == pytest.approx(honest_score(PATHS, fitted), abs=1.0)


def test_laws_that_lack_a_term_are_not_told(choice, listed):
    own = set(np.atleast_1d(choice.system.laws[0].law.args))
    lacking = [each for each in listed[0] if not own <= set(getattr(each.law, "args", ()))]
    assert all(_told(choice, 0, each) is None for each in lacking)
