"""Two laws replaced at once, where what leaves one variable enters another."""

from functools import cache

import numpy as np
from noisy_runs import noisy_paths

from odevsr.language.algebra.normal import normal_form
from odevsr.language.parse import parse
from odevsr.recorded.motions.flows import flowed
from odevsr.recorded.motions.systems import FittedLaw, fit_system

NAMES = ("x0", "x1")
TRUTHS = ("C + C*x0 + C*x0^2*x1", "C*x0 + C*x0^2*x1")


def law(text, *theta):
    return FittedLaw(parse(text, NAMES, open_symbols=True), np.array(theta, dtype=float))


@cache
def reactor():
    """A noisy run of a reaction that uses one substance up to make the other."""

    def rates(_time, state):
        x, y = state
        return [1 - 4 * x + 3 * x**2 * y, 3 * x - 3 * x**2 * y]

    return noisy_paths(rates, [0.7, 2.1], np.linspace(0, 10, 300), NAMES, 0.03)


def form(each):
    return normal_form(each.law)


def test_a_flow_that_is_wrong_in_both_laws_is_replaced_in_both():
    paths = reactor()
    wrong = [law("C + C*x0 + C*x0*x1", 1.0, -4.0, 3.0), law("C*x0 + C*x0*x1", 3.0, -3.0)]
    system = fit_system(paths, wrong, 20, 25)
    better = flowed(paths, system)
    assert better.score < system.score
    assert [form(each) for each in better.laws] == [form(law(text)) for text in TRUTHS]


def test_a_system_that_no_two_laws_make_better_stays_as_it_is():
    paths = reactor()
    laws = [law(TRUTHS[0], 1.0, -4.0, 3.0), law(TRUTHS[1], 3.0, -3.0)]
    system = fit_system(paths, laws, 20, 25)
    assert flowed(paths, system) is system
