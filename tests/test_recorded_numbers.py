"""Constants of noisy runs that are simple numbers, and what that says of the others."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from odevsr.language.evaluate import compile_field
from odevsr.language.expression import variables
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
    """Where noise leaves room they stay open, and are nearer to the truth beside the others."""
    paths, system = fitted(LORENZ, [1.0, 3.0, 20.0], 5.0, 0.003)
    numbers = [number for each in with_simple_numbers(paths, system) for number in each.constants]
    free = [number for each in as_fitted(paths, system) for number in each.constants]
    truth = np.concatenate(list(LORENZ.values()))
    for number, before, true in zip(numbers, free, truth, strict=True):
        assert number.exact in (None, true)
        assert number.error == pytest.approx(before.error, rel=0.1)
        assert abs(number.value - true) < 3.5 * number.error
    assert [number.exact for number in numbers[3:5]] == [-1, -1]
    assert abs(numbers[2].value - 28) < abs(free[2].value - 28)


def test_numbers_without_noise_are_those_that_made_it():
    truth = {"C*x + C*x*y": [0.7, -1.3], "C*y + C*x*y": [-0.25, 2 / 3]}
    paths, system = fitted(truth, [1.0, 0.5], 12.0, 0.0)
    first, second = with_simple_numbers(paths, system)
    assert to_text(first.law) == "x*(0.7 - 1.3*y)"
    assert to_text(second.law) == "y*(2/3*x - 0.25)"


def test_numbers_that_noise_leaves_room_for_are_but_likely():
    truth = {"C*x + C*x*y": [0.731864, -1.0], "C*y + C*x*y": [-0.517093, 1.0]}
    paths, system = fitted(truth, [1.0, 0.5], 30.0, 0.03)
    numbers = [number for each in with_simple_numbers(paths, system) for number in each.constants]
    assert [number.exact for number in numbers] == [None, -1, None, 1]
    assert [number.sureness for number in numbers] == ["", "likely", "", "likely"]


@pytest.mark.parametrize("near", [0.985, 1.015])
def test_a_number_near_one_that_samples_tell_from_it_stays_what_it_is(near):
    truth = {"C*x + C*x*y": [0.731864, -near], "C*y + C*x*y": [-0.517093, near]}
    paths, system = fitted(truth, [1.0, 0.5], 30.0, 0.02)
    for each in with_simple_numbers(paths, system):
        assert [number.exact for number in each.constants] == [None, None]


def test_a_term_with_a_tiny_number_stays_where_its_variable_is_huge():
    truth = {"C*x/(C + x) + C*x*y": [1.0731, 0.5137, -1.3117e-10], "C*y": [-0.2131]}
    paths, system = fitted(truth, [1.0, 1e10], 8.0, 0.0)
    law = with_simple_numbers(paths, system)[0].law
    assert "y" in variables(law)


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
    assert written(paths, better) == [to_text(as_fitted(paths, system)[0].law)]


def test_a_law_is_written_with_the_numbers_that_were_fitted():
    truth = {"C*x + 1/(C*exp(C*y) + 1)": [-1.0, 0.246597, 4.89], "C*y": [-0.3]}
    paths, system = fitted(truth, [0.2, 1.0], 6.0, 0.0)
    first = with_simple_numbers(paths, system)[0]
    assert to_text(first.law) == "1/(0.246597*exp(4.89*y) + 1) - x"


def test_ones_make_another_one_no_less_likely():
    truth = {
        "C*x + C*x*y": [1.0, -1.0],
        "C*y + C*x*y": [-1.0, 1.0],
    }
    paths, system = fitted(truth, [1.5, 0.5], 30.0, 0.03)
    numbers = [number for each in with_simple_numbers(paths, system) for number in each.constants]
    assert [number.exact for number in numbers] == [1, -1, -1, 1]


def test_the_motion_of_what_is_written_is_the_one_that_is_told():
    truth = {"C*x + C*x*y": [0.731864, -1.0], "C*y + C*x*y": [-0.517093, 1.0]}
    paths, system = fitted(truth, [1.0, 0.5], 30.0, 0.03)
    for k, (free, each) in enumerate(
        zip(as_fitted(paths, system), with_simple_numbers(paths, system), strict=True)
    ):
        np.testing.assert_array_equal(free.path, system.shot.path[:, k])
        assert not np.array_equal(each.path, free.path)
        np.testing.assert_allclose(each.path, free.path, rtol=0.02)


def test_brackets_make_no_numbers_that_stand_in_no_table():
    truth = {"C*y": [1.0], "C*y + C*sin(x)": [-0.15, -4.905]}
    paths, system = fitted(truth, [2.5, 0.0], 12.0, 0.0)
    assert written(paths, system)[1] == "-0.15*y - 4.905*sin(x)"
