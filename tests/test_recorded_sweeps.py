"""Systems of laws, varied: what is to spare goes."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from odevsr.language.algebra.normal import normal_form
from odevsr.language.parse import parse
from odevsr.recorded.choosing.sweeps import BUDGET, shortened, swept
from odevsr.recorded.motions.systems import FittedLaw, fit_system
from odevsr.recorded.smoothing import smooth_paths
from odevsr.world.recordings.runs import Recordings, Run


def decay(power, noise):
    """Paths of x' = -x**power, and the same law with an open power, fitted."""
    times = np.linspace(0, 4, 200)
    precise = {"rtol": 1e-11, "atol": 1e-12}
    path = solve_ivp(lambda _t, x: -(x**power), (0, 4), [3.0], t_eval=times, **precise).y.T
    path = path * (1 + noise * np.random.default_rng(0).standard_normal(path.shape))
    paths = smooth_paths(Recordings(("x",), (Run("only", times, path, np.empty((200, 0))),)))
    open_power = FittedLaw(parse("C*x^C", ["x"], open_symbols=True), np.array([-1.0, power + 0.1]))
    return paths, fit_system(paths, [open_power], 1, 25)


@pytest.mark.parametrize("noise", [0.0, 0.02])
def test_a_power_that_may_be_a_whole_number_is_one(noise):
    (law,) = shortened(*decay(2.0, noise)).laws
    assert normal_form(law.law) == normal_form(parse("C*x^2", ["x"], open_symbols=True))


def test_a_power_that_is_none_stays_open():
    (law,) = shortened(*decay(1.5, 0.02)).laws
    assert law.theta[1] == pytest.approx(1.5, abs=0.1)


def test_terms_that_a_whole_power_makes_the_same_are_one():
    paths, _ = decay(2.0, 0.0)
    law = parse("C*x^2 + C*x*x^C", ["x"], open_symbols=True)
    start = FittedLaw(law, np.array([5.0, -6.0, 1.0 + 1e-9]))
    (found,) = shortened(paths, fit_system(paths, [start], 1, 25)).laws
    assert normal_form(found.law) == normal_form(parse("C*x^2", ["x"], open_symbols=True))
    assert found.theta == pytest.approx([-1.0], rel=1e-6)


def test_terms_that_are_next_to_nothing_go_with_all_their_constants():
    paths, _ = decay(2.0, 0.0)
    text = "C*x^2 + C*x*exp(C*x) + C*exp(C*x)"
    theta = np.array([-1.0, 1e-14, -1.0, 1e-14, -2.0])
    system = fit_system(paths, [FittedLaw(parse(text, ["x"], open_symbols=True), theta)], 1, 0)
    (law,) = shortened(paths, replace(system, laws=(FittedLaw(system.laws[0].law, theta),))).laws
    assert normal_form(law.law) == normal_form(parse("C*x^2", ["x"], open_symbols=True))


def test_a_list_that_is_too_dear_is_cut_short_and_that_is_known():
    paths, system = decay(2.0, 0.02)
    texts = ["C*x", "C*x^3", "C*x^4", "C*sqrt(x)"]
    laws = [FittedLaw(parse(text, ["x"], open_symbols=True), np.array([-1.0])) for text in texts]
    whole = swept(paths, system, [laws], 1)
    assert (len(whole.ranked[0]), whole.is_cut_short) == (5, False)
    part = swept(paths, system, [laws], 1, most=whole.effort / 2)
    assert 1 < len(part.ranked[0]) < 5
    assert part.effort >= whole.effort / 2
    assert swept(paths, system, [laws], 1, most=BUDGET).effort == whole.effort
