"""Valid prediction times and Lyapunov exponents, where the answer is known."""

from dataclasses import replace

import numpy as np
import pytest

from odevsr.language.evaluate import compile_field
from odevsr.language.parse import parse
from odevsr.verdict.prediction import follow, lyapunov_exponent, median_time
from odevsr.world.box import plain_box
from odevsr.world.systems.registry import get_system
from odevsr.world.trajectories.integrate import Bounds
from odevsr.world.trajectories.simulate import simulate
from odevsr.world.trajectories.trajectory import Ending, Trajectory


def field(system, **changes):
    laws = dict(zip(system.names, system.closed_equations(), strict=True))
    laws.update({name: parse(text, system.names) for name, text in changes.items()})
    return compile_field(list(laws.values()), system.names)


def valid_time(field, trajectory, box):
    return follow(field, trajectory, box).time


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


def test_a_law_that_moves_too_fast_is_lost_before_the_first_sample():
    system = get_system("linear_oscillator")
    trajectory = simulate(system, duration=10.0, step=0.01)
    found = follow(field(system, x="1e6*y", y="-1e6*x"), trajectory, system.box)
    assert (found.time, found.status) == (0.0, Ending.DEPARTED)


def test_samples_alone_tell_that_a_law_is_lost():
    system = get_system("linear_oscillator")
    trajectory = replace(simulate(system, duration=10.0, step=0.01), continuous=None)
    found = follow(field(system, x="5*y"), trajectory, system.box)
    assert 0.0 < found.time < 2.0
    assert found.status is Ending.DEPARTED


@pytest.mark.parametrize("bounds", [Bounds(steps=40), Bounds(seconds=0.0)])
def test_a_law_that_takes_too_much_is_given_up_where_it_stands(bounds):
    system = get_system("lorenz")
    trajectory = simulate(system, duration=3.0, step=0.01)
    found = follow(field(system), trajectory, system.box, bounds)
    assert found.is_given_up
    assert found.time < 1.0


def test_a_stiff_law_follows_to_the_end():
    names, box = ("x", "t"), plain_box([[-1.0, 1.0], [0.0, 10.0]])
    time = np.linspace(0.0, 10.0, 201)
    states = np.stack([np.cos(time), time], axis=1)
    trajectory = Trajectory(time, states, states, Ending.COMPLETE, 10.0)
    laws = [parse("-1e8*(x - cos(t))", names), parse("1", names)]
    found = follow(compile_field(laws, names), trajectory, box, Bounds(steps=5_000))
    assert (found.time, found.status) == (10.0, Ending.COMPLETE)


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
    starts = np.random.default_rng(0).uniform(*system.box.limits.T, (3, 2))
    assert not lyapunov_exponent(field(system), starts, system.box, 60.0).is_chaotic


def test_where_nothing_stays_finite_there_is_no_exponent():
    blow_up = compile_field([parse("x**2", ["x"])], ["x"])
    found = lyapunov_exponent(blow_up, np.array([[1.0]]), plain_box([[0.0, 1.0]]), 10.0)
    assert found is Ending.BLEW_UP


@pytest.mark.parametrize("bounds", [Bounds(steps=1_000), Bounds(seconds=0.0)])
def test_an_exponent_that_takes_too_much_is_given_up(bounds):
    system = get_system("lorenz")
    starts = np.array([[1.0, 2.0, 20.0]])
    found = lyapunov_exponent(field(system), starts, system.box, 60.0, bounds)
    assert found is Ending.GIVEN_UP


def test_of_no_times_there_is_no_median():
    assert median_time([]) is None
    assert median_time([1.0, 5.0, 2.0]) == 2.0
