"""What may stand for something else in a law."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import odevsr
from odevsr.language.algebra.normal import normal_form
from odevsr.language.parse import parse
from odevsr.recorded.discover import discover_recordings
from odevsr.recorded.judging.stand_ins import has_stand_in, mixes_functions
from odevsr.recorded.smoothing import smooth_paths
from odevsr.vertical.equation import Status

NAMES = ("x", "v")


def swings(force, starts, samples=400, digits=None):
    """Runs of x' = v, v' = force(x, v), written with so many digits."""
    times = np.linspace(0, 15, samples)
    paths = [
        solve_ivp(
            lambda _t, s: [s[1], force(*s)], (0, 15), start, t_eval=times, rtol=1e-11, atol=1e-12
        ).y.T
        for start in starts
    ]
    if digits is not None:
        paths = [np.vectorize(lambda x: float(f"{x:.{digits}g}"))(path) for path in paths]
    return odevsr.recording([times] * len(paths), paths, names=NAMES)


def well(x, _speed):
    """Of a well with sides that fall off."""
    return -2 * x * np.exp(-(x**2))


def law(text):
    return normal_form(parse(text, NAMES))


def test_the_square_of_a_conserved_swing_is_a_function_of_the_angle():
    paths = smooth_paths(swings(well, [[0.8, 0.3]]))
    assert has_stand_in([paths], law("-x*(v^2 + 0.6)"))
    assert not has_stand_in([paths], law("-x*(v + 0.6)"))


@pytest.mark.parametrize(
    ("force", "starts"),
    [(well, [[0.8, 0.3], [0.3, 0.1]]), (lambda x, v: -x - 0.1 * v, [[1.0, 0.0]])],
)
def test_that_of_swings_with_friction_or_of_several_energies_is_not(force, starts):
    assert not has_stand_in([smooth_paths(swings(force, starts))], law("-x*(v^2 + 0.6)"))


def test_what_is_conserved_along_one_orbit_makes_no_law_identified():
    found = discover_recordings(swings(well, [[0.8, 0.3]]))
    wrong = [each for each in found.equations if each.variable == "v"]
    right = abs(found_rate(wrong[0], 0.1, 0.0) - well(0.1, 0.0)) < 1e-4
    assert right or wrong[0].status is not Status.IDENTIFIED


@pytest.mark.parametrize(("samples", "digits"), [(60, None), (400, 4)])
def test_few_samples_or_digits_hide_nothing_of_it(samples, digits):
    paths = smooth_paths(swings(well, [[0.8, 0.3]], samples, digits))
    assert has_stand_in([paths], law("-x*(v^2 + 0.6)"))


def test_runs_that_judge_tell_squares_from_functions_too():
    one, other = (smooth_paths(swings(well, [start])) for start in ([0.8, 0.3], [0.3, 0.1]))
    assert not has_stand_in([one, other], law("-x*(v^2 + 0.6)"))


def test_it_is_seen_beside_variables_that_are_followed_by_no_law():
    paths = smooth_paths(swings(well, [[0.8, 0.3]]))
    assert has_stand_in([paths.alone(1)], law("-x*(v^2 + 0.6)"))


def found_rate(equation, x, v):
    from odevsr.language.evaluate import compile_field

    return float(compile_field([equation.expression], NAMES)(np.array([[x, v]]))[0, 0])


@pytest.mark.parametrize(
    ("text", "mixed"),
    [
        ("v^2*tanh(3*v) + 0.03*tanh(3*v) - 2*x", True),
        ("v*abs(v) + sin(v)", True),
        ("sin(x)*(3*sin(v)^2 + 1)", False),
        ("sin(x) + cos(x) - v^3", False),
        ("x*v/(x + 1) - 0.1*x", False),
        ("exp(-x) + exp(-v)", False),
        ("x*exp(-x)*tanh(x)", True),
        ("log(v)/(1 + v^2)", True),
        ("sin(v)^2 + sin(v)", False),
        ("1/(1 + exp(3*x))", False),
        ("(1 - x)*exp(-v)", False),
        ("v/(1 + exp(-x)) - 2/(1 + exp(-x)) - v", False),
        ("(1 - v)*exp(-v)", True),
        ("x^3 - v^2", False),
    ],
)
def test_several_functions_of_one_variable_are_mixed_unless_all_are_waves(text, mixed):
    assert mixes_functions(law(text)) is mixed
