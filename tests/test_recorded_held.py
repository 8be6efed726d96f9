"""Whether laws follow what was held out."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from odevsr.recorded.judging.held import WORSE, follows, follows_runs
from odevsr.recorded.motions.systems import fit_system
from odevsr.recorded.smoothing import smooth_paths
from odevsr.world.recordings.runs import Recordings, Run
from tests.noisy_runs import NAMES, law, lorenz_laws, lorenz_rates


def noisy(start, seconds, noise, seed):
    """A run of Lorenz's system."""
    times = np.linspace(0, seconds, 50 * seconds)
    exact = {"rtol": 1e-9, "atol": 1e-9}
    path = solve_ivp(lorenz_rates, (0, seconds), start, t_eval=times, **exact).y.T
    path = path * (1 + noise * np.random.default_rng(seed).standard_normal(path.shape))
    return smooth_paths(Recordings(NAMES, (Run("0", times, path, np.empty((len(times), 0))),)))


SEEN, HELD = noisy([-8, 7, 27], 4, 0.1, 0), noisy([3, -5, 20], 12, 0.03, 1)


def fitted(laws):
    """Laws fitted to what was seen, over longer and longer stretches."""
    system = fit_system(SEEN, laws, 20, 25)
    for segments in (10, 5, 2, 1):
        system = fit_system(SEEN, system.laws, segments, 25, system)
    return system


@pytest.fixture(scope="module")
def found():
    return fitted(lorenz_laws())


def scaled(system, factor):
    """The system with the constants of its first law off by a factor."""
    first, *others = system.laws
    return replace(system, laws=(replace(first, theta=factor * first.theta), *others))


def test_a_run_is_followed_over_stretches_as_long_as_were_fitted(found):
    assert follows(SEEN, found, HELD)
    assert not follows(SEEN, scaled(found, 1.5), HELD)


def test_a_chaotic_run_is_followed_as_a_whole_by_constants_within_their_errors(found):
    assert follows_runs(HELD, found, stretch=12.0, most=WORSE**2)


def test_right_laws_with_constants_beyond_their_errors_do_not_follow(found):
    sure = replace(found, shot=replace(found.shot, normal=1e6 * found.shot.normal))
    assert not follows_runs(HELD, scaled(sure, 1.02), stretch=12.0, most=WORSE**2)


def test_another_law_does_not_follow():
    wrong = fitted([*lorenz_laws()[:2], law("C*x0^2 + C*x2", 1.0, -2.7)])
    assert not follows(SEEN, wrong, HELD)
