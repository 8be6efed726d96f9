"""Statuses of laws from recordings: what noise may have made is not decided."""

from dataclasses import replace

import numpy as np
import pytest
from noisy_runs import law, lorenz_laws, lorenz_paths
from scipy.integrate import solve_ivp

from odevsr.language.expression import ONE
from odevsr.recorded.choosing.sweeps import Choice, in_place
from odevsr.recorded.discover import discover_recordings
from odevsr.recorded.judging.left_out import LeftOut
from odevsr.recorded.judging.rivals import behind_by
from odevsr.recorded.judging.status import is_confirmed, is_needed
from odevsr.recorded.motions.systems import fit_system, honest_score, with_law
from odevsr.vertical.equation import Status
from odevsr.world.recordings.given import recording


@pytest.fixture(scope="module")
def choice():
    paths = lorenz_paths()
    system = fit_system(paths, lorenz_laws(), 1, 25)
    return Choice(paths, system, ((),) * 3)


def with_first(choice, first):
    laws = with_law(choice.system.laws, 0, first)
    system = fit_system(choice.paths, laws, 1, 25, choice.system)
    return replace(choice, system=system)


def test_a_law_without_a_constant_to_spare_needs_all(choice):
    assert all(is_needed(choice, k) for k in range(3))


def test_a_term_that_is_next_to_nothing_is_not_needed(choice):
    more = with_first(choice, law("C*x0 + C*x1 + C*x0*x2", -10.0, 10.0, 0.001))
    assert not is_needed(more, 0)
    assert is_needed(more, 1)


@pytest.mark.parametrize(
    ("share", "is_held", "confirms"), [(0.9, True, True), (1.1, True, False), (0.9, False, False)]
)
def test_a_run_that_was_held_out_confirms_if_no_left_out_term_drowns_the_law(
    choice, share, is_held, confirms
):
    hidden = [[], [LeftOut(ONE, 1.0, share)], []]
    assert is_confirmed(choice, is_held, hidden) is confirms


def test_a_rival_is_no_farther_behind_than_with_the_noise_that_the_law_tells(choice):
    rival = in_place(with_first(choice, law("C*x0 + C*x1 + C", -10.0, 10.0, 0.1)).system, 0)
    told = honest_score(choice.paths, rival) - honest_score(choice.paths, choice.system)
    assert behind_by(choice, rival) <= told
    quieter = replace(choice.paths, errors=choice.paths.errors / 2)
    system = fit_system(quieter, choice.system.laws, 1, 25, choice.system)
    worse = fit_system(quieter, with_law(system.laws, 0, law("C*x1", 1.0)), 1, 25, system)
    apart = behind_by(replace(choice, paths=quieter, system=system), in_place(worse, 0))
    assert apart < worse.score - system.score


def test_a_wave_that_the_noise_of_few_samples_made_is_not_identified():
    times = np.linspace(0, 8, 30)
    starts = [[2.5, 0.0], [0.5, 3.0]]
    rng, runs = np.random.default_rng([7, 430]), []
    for start in starts:
        solved = solve_ivp(
            lambda _t, x: [x[1], -9.81 * np.sin(x[0]) - 0.3 * x[1]],
            (0, 8),
            start,
            t_eval=times,
            rtol=1e-9,
            atol=1e-9,
        ).y.T
        runs.append(solved + 0.03 * solved.std(axis=0) * rng.standard_normal(solved.shape))
    first = discover_recordings(recording(times, runs)).equations[0]
    assert first.status is not Status.IDENTIFIED or str(first.expression) == "x1"
