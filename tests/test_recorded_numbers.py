"""Constants of noisy runs that are simple numbers, and what that says of the others."""

from dataclasses import replace

import numpy as np
from scipy.integrate import solve_ivp

from odevsr.language.evaluate import compile_field
from odevsr.language.parse import parse
from odevsr.language.text import to_text
from odevsr.recorded.judging.numbers import as_fitted, with_simple_numbers
from odevsr.recorded.motions.systems import FittedLaw, closed, fit_system, reweighted
from odevsr.recorded.smoothing import smooth_paths
from odevsr.world.recordings.runs import Recordings, Run

LORENZ = {
    "C*x + C*y": [-10.0, 10.0],
    "C*x + C*y + C*x*z": [28.0, -1.0, -1.0],
    "C*z + C*x*y": [-8 / 3, 1.0],
}


def fitted(truth, starts, span, noise):
    """Noisy paths of a motion, and its laws with open constants, fitted from the truth on."""
    names = tuple("xyz"[: len(truth)])
    forms = [parse(text, names, open_symbols=True) for text in truth]
    laws = [FittedLaw(*each) for each in zip(forms, map(np.array, truth.values()), strict=True)]
    field = compile_field([closed(each) for each in laws], names)
    times = np.linspace(0, span, 400)
    precise = {"t_eval": times, "rtol": 1e-11, "atol": 1e-12}
    path = solve_ivp(lambda _t, x: field(x[None])[0], (0, span), starts, **precise).y.T
    path = path * (1 + noise * np.random.default_rng(0).standard_normal(path.shape))
    paths = smooth_paths(Recordings(names, (Run("only", times, path, np.empty((400, 0))),)))
    paths = reweighted(paths, fit_system(paths, laws, 1, 25))
    return paths, fit_system(paths, laws, 1, 25)


def written(paths, system):
    return [to_text(each.law) for each in with_simple_numbers(paths, system)]


def test_numbers_of_a_chaotic_motion_with_noise_are_those_that_made_it():
    """Where noise leaves room they stay open, and are known better beside the others."""
    paths, system = fitted(LORENZ, [1.0, 3.0, 20.0], 5.0, 0.003)
    laws = with_simple_numbers(paths, system)
    numbers = [number for each in laws for number in each.constants]
    assert to_text(laws[0].law) == "10*(y - x)"
    assert [number.exact for number in numbers] == [-10, 10, None, -1, -1, None, 1]
    for number, truth in zip(numbers, np.concatenate(list(LORENZ.values())), strict=True):
        assert abs(number.value - truth) < 3.5 * number.error
    free = [number.error for k in range(3) for number in as_fitted(system, k).constants]
    assert numbers[2].error < 0.2 * free[2]
    assert numbers[5].error < 0.5 * free[5]


def test_numbers_without_noise_are_those_that_made_it():
    truth = {"C*x + C*x*y": [0.7, -1.3], "C*y + C*x*y": [-0.25, 2 / 3]}
    paths, system = fitted(truth, [1.0, 0.5], 12.0, 0.0)
    first, second = with_simple_numbers(paths, system)
    assert to_text(first.law) == "x*(0.7 - 1.3*y)"
    assert to_text(second.law) == "y*(2/3*x - 0.25)"


def test_what_is_known_of_one_number_makes_others_surer():
    """How large each variable is nobody knows better than noise lets; of the ones it follows."""
    truth = {"C*x + C*x*y": [0.731864, -1.0], "C*y + C*x*y": [-0.517093, 1.0]}
    paths, system = fitted(truth, [1.0, 0.5], 30.0, 0.03)
    before = [number for k in (0, 1) for number in as_fitted(system, k).constants]
    after = [number for each in with_simple_numbers(paths, system) for number in each.constants]
    assert [number.exact for number in after] == [None, -1, None, 1]
    assert after[0].error < 0.9 * before[0].error
    assert abs(after[0].value - 0.731864) < 3 * after[0].error


def test_a_number_that_is_not_simple_stays_what_was_measured():
    paths, system = fitted({"C*x": [-0.731864]}, [2.0], 4.0, 0.01)
    (law,) = with_simple_numbers(paths, system)
    (number,) = law.constants
    assert number.exact is None
    assert law.law == closed(FittedLaw(system.laws[0].law, np.array([number.value])))


def test_a_motion_that_a_finer_solver_does_not_follow_keeps_its_numbers():
    paths, system = fitted({"C*x": [-1.0]}, [2.0], 4.0, 0.01)
    better = replace(system, chi2=system.chi2 - 100)
    assert written(paths, system) == ["-x"]
    assert written(paths, better) == [to_text(as_fitted(system, 0).law)]


def test_a_law_is_written_with_the_numbers_that_were_fitted():
    truth = {"C*x + 1/(C*exp(C*y) + 1)": [-1.0, 0.246597, 4.89], "C*y": [-0.3]}
    paths, system = fitted(truth, [0.2, 1.0], 6.0, 0.0)
    first = with_simple_numbers(paths, system)[0]
    assert to_text(first.law) == "1/(0.246597*exp(4.89*y) + 1) - x"
