"""Valid prediction times and Lyapunov exponents, where the answer is known."""

import numpy as np
import pytest

from odevsr.language.evaluate import compile_field
from odevsr.language.parse import parse
from odevsr.verdict.prediction import lyapunov_exponent, median_time, valid_time
from odevsr.world.registry import get_system
from odevsr.world.simulate import simulate


def field(system, **changes):
    laws = dict(zip(system.names, system.closed_equations(), strict=True))
    laws.update({name: parse(text, system.names) for name, text in changes.items()})
    return compile_field(list(laws.values()), system.names)


def test_the_truth_follows_a_trajectory_to_its_end():
    system = get_system("lorenz")
    trajectory = simulate(system, duration=3.0, step=0.01)
    assert valid_time(field(system), trajectory, system.box) == pytest.approx(3.0)


def test_a_law_a_little_off_follows_for_a_while():
    system = get_system("lorenz")
    trajectory = simulate(system, duration=6.0, step=0.01)
    time = valid_time(field(system, x2="x0*x1 - 2.7*x2"), trajectory, system.box)
    assert 0.1 < time < 5.0


def test_a_law_that_blows_up_follows_until_then():
    system = get_system("lorenz")
    trajectory = simulate(system, duration=6.0, step=0.01)
    assert valid_time(field(system, x0="x0**2 + 100"), trajectory, system.box) < 0.2


def test_a_law_that_moves_too_fast_for_the_solver_is_lost():
    system = get_system("linear_oscillator")
    trajectory = simulate(system, duration=10.0, step=0.01)
    fast = field(system, x="1e6*y", y="-1e6*x")
    assert valid_time(fast, trajectory, system.box) == 0.0


def test_a_trajectory_at_rest_is_followed():
    system = get_system("lorenz")
    trajectory = simulate(system, start=[0.0, 0.0, 0.0], duration=1.0, step=0.1)
    assert valid_time(field(system), trajectory, system.box) == 1.0


def test_lorenz_is_chaotic_with_the_known_exponent():
    system = get_system("lorenz")
    starts = np.array([simulate(system, duration=10.0).states[-1]])
    exponent = lyapunov_exponent(field(system), np.repeat(starts, 2, axis=0), system.box, 60.0)
    assert exponent.value == pytest.approx(0.906, abs=0.15)  # Sprott (2003)
    assert exponent.is_chaotic


def test_the_exponent_of_a_damped_oscillator_is_its_damping():
    system = get_system("linear_oscillator")
    starts = np.array([[1.0, 0.5], [-0.5, 1.0]])
    exponent = lyapunov_exponent(field(system), starts, system.box, 20.0)
    assert exponent.value == pytest.approx(-0.1, abs=1e-3)
    assert not exponent.is_chaotic


def test_neighbours_that_part_linearly_are_not_chaos():
    system = get_system("lotka_volterra")
    starts = np.random.default_rng(0).uniform(*system.box.T, (3, 2))
    assert not lyapunov_exponent(field(system), starts, system.box, 60.0).is_chaotic


def test_where_nothing_stays_finite_there_is_no_exponent():
    blow_up = compile_field([parse("x**2", ["x"])], ["x"])
    assert lyapunov_exponent(blow_up, np.array([[1.0]]), np.array([[0.0, 1.0]]), 10.0) is None


def test_of_no_times_there_is_no_median():
    assert median_time([]) is None
    assert median_time([1.0, 5.0, 2.0]) == 2.0
