"""Laws of variables that relax fast, from noisy samples."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from odevsr.language.algebra.normal import normal_form
from odevsr.language.expression import with_constants
from odevsr.language.parse import parse
from odevsr.recorded.proposing.libraries import libraries
from odevsr.recorded.proposing.relaxing import relaxing
from odevsr.recorded.smoothing import smooth_paths
from odevsr.world.recordings.runs import Recordings, Run

NAMES = ("x", "y", "z")
FORM = parse("C*x*z + C*z + C", NAMES, open_symbols=True)


def rates(_time, state):
    x, y, z = state
    return [2 * y, -2 * x, 1 - 30 * z + 8 * x * z]


def noisy_paths(variables):
    times = np.linspace(0, 10, 500)
    path = solve_ivp(rates, (0, 10), [2.0, 0.0, 0.05], t_eval=times, rtol=1e-9, atol=1e-9).y.T
    noisy = path * (1 + 0.03 * np.random.default_rng(0).standard_normal(path.shape))
    run = Run("only", times, noisy[:, :variables], np.empty((500, 0)))
    return smooth_paths(Recordings(NAMES[:variables], (run,)))


@pytest.fixture(scope="module")
def paths():
    return noisy_paths(3)


def proposed(paths, equation):
    found = relaxing(paths, equation, next(iter(libraries(paths))))
    return sorted(found, key=lambda each: each.score)


def test_the_law_of_a_variable_that_follows_others_is_the_best_of_its_length(paths):
    first = next(each for each in proposed(paths, 2) if each.constants == 3)
    assert normal_form(first.law) == normal_form(FORM)
    assert first.chi2 < 1.1 * len(paths.times)
    law = with_constants(first.law, first.theta.tolist())
    found, true = paths.along([law, parse("1 - 30*z + 8*x*z", NAMES)]).T
    assert np.corrcoef(found, true)[0, 1] > 0.8
    assert first.theta[-1] == pytest.approx(-30, rel=0.3)


def test_all_laws_that_are_proposed_relax(paths):
    for candidate in proposed(paths, 2):
        assert candidate.theta[-1] < 0
        assert candidate.constants == len(candidate.theta)


def test_what_only_tells_where_a_variable_may_be_is_no_law():
    """Here x**2 + y**2 never changes, so that y is a sum of x**2*y and y**3."""
    assert proposed(noisy_paths(2), 1) == []
