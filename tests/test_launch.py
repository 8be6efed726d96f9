import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from odevsr import StateVariable, System, get_system
from odevsr.errors import UsageError
from odevsr.language.evaluate import compile_field
from odevsr.language.parse import parse
from odevsr.world.simulators.launch import NUMBERS_AT_ONCE, make_launcher

SYSTEMS = ["lorenz", "mhd", "glycolysis", "hodgkin_huxley", "double_pendulum"]


def line(equation):
    """A system of one variable x in [0, 2]."""
    variable = StateVariable("x", 0.0, 2.0, 1.0)
    return System(
        name="line", title="", source="", variables=(variable,), equations=(parse(equation, ["x"]),)
    )


def random_states(system, count, seed=0):
    low, high = system.box.limits.T
    return np.random.default_rng(seed).uniform(low, high, (count, len(low)))


def error(found, truth, system):
    """Largest difference relative to each variable's size, or to 1 % of its range near zero."""
    width = system.box.width
    return np.max(np.abs(found - truth) / np.maximum(np.abs(truth), 0.01 * width))


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("sign", [1, -1])
def test_launches_agree_with_a_general_solver_to_twelve_digits(name, sign):
    system = get_system(name)
    states = random_states(system, 5)
    step = 0.1 * sign * system.simulation.step
    field = compile_field(system.closed_equations(), system.names)
    truth = [
        solve_ivp(
            lambda _, x: field(x), (0, step), state, method="DOP853", rtol=3e-14, atol=1e-17
        ).y[:, -1]
        for state in states
    ]
    assert error(make_launcher(system)(states, step), np.array(truth), system) < 1e-12


@settings(max_examples=40, deadline=None)
@given(name=st.sampled_from(SYSTEMS), seed=st.integers(0, 10**6), part=st.floats(-1, 1, width=32))
def test_there_and_back_again_is_where_one_started(name, seed, part):
    system = get_system(name)
    states = random_states(system, 3, seed)
    launch = make_launcher(system)
    step = 0.1 * part * system.simulation.step
    assert error(launch(launch(states, step), -step), states, system) < 1e-11


@settings(max_examples=40, deadline=None)
@given(name=st.sampled_from(SYSTEMS), seed=st.integers(0, 10**6), part=st.floats(0, 1, width=32))
def test_two_launches_in_a_row_are_one_launch_over_both_times(name, seed, part):
    system = get_system(name)
    states = random_states(system, 3, seed)
    launch = make_launcher(system)
    step = system.simulation.step
    twice = launch(launch(states, part * step), (1 - part) * step)
    assert error(twice, launch(states, step), system) < 1e-12


def test_ten_thousand_launches_have_no_stray_among_them():
    system = get_system("glycolysis")
    states = random_states(system, 10_000)
    launch = make_launcher(system)
    in_parts = states
    for _ in range(8):
        in_parts = launch(in_parts, 1e-3 / 8)
    assert error(launch(states, 1e-3), in_parts, system) < 1e-12


def test_a_long_launch_follows_the_closed_solution():
    states = np.linspace(0.1, 2.0, 20)[:, None]
    found = make_launcher(line("x*(1 - x)"))(states, 5.0)
    assert found == pytest.approx(1 / (1 + (1 / states - 1) * np.exp(-5.0)), rel=1e-12)


def test_each_launch_may_have_its_own_step():
    launch = make_launcher(line("-x"))
    steps = np.array([0.0, 0.1, -0.2, 3.0])
    assert launch(np.ones((4, 1)), steps)[:, 0] == pytest.approx(np.exp(-steps), rel=1e-13)


def test_rows_do_not_depend_on_how_many_are_launched_together():
    system = get_system("lorenz")
    states = random_states(system, NUMBERS_AT_ONCE // len(system.names) + 3)
    launch = make_launcher(system)
    together = launch(states, 0.01)
    alone = np.concatenate([launch(states[:1], 0.01), launch(states[-1:], 0.01)])
    assert together[[0, -1]] == pytest.approx(alone, rel=1e-14)


@pytest.mark.parametrize(
    ("equation", "good", "bad"),
    [("x**2", 0.5, 1.5), ("-sqrt(x) - 1", 2.0, 0.1), ("log(x - 1)", 2.0, 0.5)],
)
def test_only_the_launches_that_fail_come_back_as_nan(equation, good, bad):
    found = make_launcher(line(equation))(np.array([[good], [bad], [good]]), 1.0)
    assert np.isfinite(found[[0, 2]]).all()
    assert np.isnan(found[1]).all()


def test_a_start_that_is_not_finite_comes_back_as_nan():
    found = make_launcher(get_system("lorenz"))(np.array([[1.0, np.nan, 1.0], [1, 1, 1]]), 0.01)
    assert np.isnan(found[0]).all()
    assert np.isfinite(found[1]).all()


def test_no_launches_give_no_states():
    assert make_launcher(line("-x"))(np.empty((0, 1)), 0.1).shape == (0, 1)


def test_the_states_given_are_not_changed():
    states = np.ones((2, 1))
    make_launcher(line("-x"))(states, 0.1)
    assert (states == 1).all()


def test_a_launcher_has_no_attribute_that_gives_the_right_hand_side():
    launch = make_launcher(line("-x"))
    assert [name for name in dir(launch) if not name.startswith("__")] == []
    assert vars(launch) == {}


@pytest.mark.parametrize(
    ("states", "step"),
    [
        (np.ones(1), 0.1),
        (np.ones((2, 3)), 0.1),
        (np.ones((2, 1)), np.ones(3)),
        (np.ones((2, 1)), np.inf),
    ],
)
def test_shapes_and_steps_that_make_no_sense_are_refused(states, step):
    with pytest.raises(UsageError):
        make_launcher(line("-x"))(states, step)
