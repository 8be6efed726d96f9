import math

import numpy as np
import pytest
from scipy.integrate import quad

from odevsr import StateVariable, System, get_system
from odevsr.errors import UsageError
from odevsr.language.parse import parse
from odevsr.world.ranges import Range
from odevsr.world.simulators.lifted import with_ranges
from odevsr.world.trajectories import integrate
from odevsr.world.trajectories.simulate import simulate, simulate_many
from odevsr.world.trajectories.trajectory import Ending, Tolerances


def made_of(start=1.0, low=-2.0, high=2.0, **equations):
    """A system with one variable for each equation, all with the same range and start."""
    return System(
        name="made",
        title="",
        source="",
        variables=tuple(StateVariable(name, low, high, start) for name in equations),
        equations=tuple(parse(text, list(equations)) for text in equations.values()),
    )


def test_a_linear_oscillator_follows_its_closed_solution():
    found = simulate(made_of(x="y", y="-4*x"), start=[1.0, 0.0], duration=20.0, step=0.1)
    time = found.time
    truth = np.column_stack([np.cos(2 * time), -2 * np.sin(2 * time)])
    assert np.abs(found.states - truth).max() < 1e-9
    assert found.status is Ending.COMPLETE
    assert found.end_time == 20.0


def test_the_logistic_law_follows_its_closed_solution_between_samples_too():
    found = simulate(made_of(x="x*(1 - x)"), start=[0.1], duration=10.0, step=1.0)
    times = np.linspace(0, 10, 777)
    assert found.at(times)[:, 0] == pytest.approx(1 / (1 + 9 * np.exp(-times)), rel=1e-10)
    assert found.states[:, 0] == pytest.approx(1 / (1 + 9 * np.exp(-found.time)), rel=1e-10)


def test_samples_stand_at_even_times_and_derivatives_are_their_differences():
    found = simulate(made_of(x="-x"), duration=3.0, step=0.1)
    assert found.time == pytest.approx(np.linspace(0, 3, 31))
    assert np.abs(found.derivatives + found.states).max() < 1e-6


def test_a_duration_that_is_no_multiple_of_the_step_ends_with_the_last_whole_step():
    found = simulate(made_of(x="-x"), duration=1.05, step=0.1)
    assert found.time[-1] == pytest.approx(1.0)
    assert found.end_time == 1.05


def test_without_options_the_system_says_where_to_start_how_long_and_how_often():
    system = get_system("mhd")
    found = simulate(system)
    assert found.states.shape == (3001, 6)
    assert (found.states[0] == system.start).all()


@pytest.mark.parametrize("name", ["hodgkin_huxley", "glycolysis"])
def test_stiff_biology_runs_to_its_end(name):
    found = simulate(get_system(name))
    assert found.status is Ending.COMPLETE
    assert np.isfinite(found.states).all()


@pytest.fixture
def switches(monkeypatch):
    """The times at which the stiff solver took over."""
    times = []
    original = integrate._implicit

    def noted(problem, rate, explicit):
        times.append(explicit.t)
        return original(problem, rate, explicit)

    monkeypatch.setattr(integrate, "_implicit", noted)
    return times


def test_a_very_stiff_oscillator_switches_solver_and_reaches_the_known_value(switches):
    system = made_of(x="y", y="1000*(1 - x**2)*y - x")
    found = simulate(system, start=[2.0, 0.0], duration=2000.0, step=10.0)
    assert found.status is Ending.COMPLETE
    assert found.states[-1] == pytest.approx([1.706167732170483, -0.8928097010247975e-3], rel=1e-6)
    assert len(switches) == 1


def test_a_system_that_is_not_stiff_never_switches_solver(switches):
    simulate(get_system("lorenz"), duration=5.0)
    assert switches == []


@pytest.mark.parametrize("start", [0.5, 1.0, 1.9])
def test_a_quadratic_law_blows_up_at_the_time_its_solution_has(start):
    found = simulate(made_of(x="x**2"), start=[start])
    assert found.status is Ending.BLEW_UP
    assert found.end_time == pytest.approx(1 / start, rel=1e-9)
    assert np.isfinite(found.states).all()
    assert found.time[-1] <= found.end_time


def test_a_rate_that_grows_without_bound_is_a_blow_up_even_where_the_state_is_small():
    found = simulate(made_of(x="exp(x)"), start=[0.0])
    assert found.status is Ending.BLEW_UP
    assert found.end_time == pytest.approx(1.0, rel=1e-9)


@pytest.mark.parametrize(
    ("law", "time"),
    [
        ("-sqrt(x) - 1", 2 - 2 * math.log(2)),
        ("log(x) - 1", quad(lambda x: 1 / (1 - math.log(x)), 0, 1)[0]),
    ],
)
def test_leaving_the_domain_of_an_equation_is_told_with_its_time(law, time):
    found = simulate(made_of(x=law))
    assert found.status is Ending.LEFT_DOMAIN
    assert found.end_time == pytest.approx(time, rel=1e-6)
    assert np.isfinite(found.states).all()


def test_a_stiff_system_too_tells_when_it_leaves_its_domain(switches):
    system = made_of(x="-sqrt(x) - 0.1", y="-1000000*(y - x)")
    found = simulate(system, duration=4.0)
    assert len(switches) == 1
    assert found.status is Ending.LEFT_DOMAIN
    time = quad(lambda x: 1 / (math.sqrt(x) + 0.1), 0, 1)[0]
    assert found.end_time == pytest.approx(time, rel=1e-5)


def test_a_start_where_an_equation_has_no_value_is_told_at_time_zero():
    found = simulate(made_of(x="1/x"), start=[0.0])
    assert (found.status, found.end_time) == (Ending.LEFT_DOMAIN, 0.0)
    assert found.states.tolist() == [[0.0]]
    assert found.at([0.0]).tolist() == [[0.0]]


def test_a_solver_that_takes_too_many_steps_is_given_up():
    found = simulate(get_system("lorenz"), bounds=integrate.Bounds(steps=10))
    assert found.status is Ending.GIVEN_UP
    assert 0 < found.end_time < 1


def test_a_solver_that_takes_too_long_is_given_up():
    found = simulate(get_system("lorenz"), bounds=integrate.Bounds(seconds=0.0))
    assert (found.status, found.end_time, len(found.time)) == (Ending.GIVEN_UP, 0.0, 1)


def test_with_a_margin_the_trajectory_ends_where_it_leaves_the_enlarged_range():
    found = simulate(made_of(x="1"), start=[0.0], step=0.5, margin=0.25)
    assert found.status is Ending.LEFT_BOX
    assert found.end_time == pytest.approx(3.0, abs=1e-12)
    assert found.time.tolist() == pytest.approx([0, 0.5, 1, 1.5, 2, 2.5, 3])


def test_a_start_on_the_edge_that_moves_out_has_left_at_once_and_one_that_moves_in_has_not():
    out = simulate(made_of(x="x"), start=[2.0], margin=0.0)
    assert (out.status, out.end_time, len(out.time)) == (Ending.LEFT_BOX, 0.0, 1)
    assert simulate(made_of(x="-x"), start=[2.0], margin=0.0).status is Ending.COMPLETE


def test_a_start_outside_the_margin_is_told_at_time_zero():
    found = simulate(made_of(x="1"), start=[9.0], margin=0.0)
    assert (found.status, found.end_time) == (Ending.LEFT_BOX, 0.0)


def test_events_are_found_where_their_function_is_zero():
    system = made_of(x="y", y="-x")
    found = simulate(
        system,
        start=[1.0, 0.0],
        duration=10.0,
        events=[lambda t, x: x[0], lambda t, x: t - 2.5, lambda t, x: x[0] - 5],
    )
    zeros, clock, never = found.crossings
    assert zeros.time == pytest.approx((np.arange(3) + 0.5) * np.pi, abs=1e-10)
    assert zeros.states[:, 1] == pytest.approx([-1, 1, -1], abs=1e-10)
    assert clock.time == pytest.approx([2.5], abs=1e-12)
    assert never.time.shape == (0,)
    assert never.states.shape == (0, 2)


def test_events_after_the_end_of_a_trajectory_are_not_reported():
    found = simulate(made_of(x="1"), start=[0.0], margin=0.0, events=[lambda t, x: t - 2.0001])
    assert found.end_time == pytest.approx(2.0)
    assert found.crossings[0].time.size == 0


def test_many_trajectories_begin_with_the_system_own_start_and_stay_in_the_ranges():
    system = get_system("lorenz")
    found = simulate_many(system, 5, np.random.default_rng(7), duration=0.1, step=0.01)
    starts = np.array([each.states[0] for each in found])
    assert (starts[0] == system.start).all()
    assert ((starts >= system.box.low) & (starts <= system.box.high)).all()
    assert len({tuple(start) for start in starts}) == 5


def test_random_starts_are_spread_over_the_decades_of_a_log_range():
    system = with_ranges(made_of(x="-x"), {"x": Range(1e-3, 1e3, scale="log")})
    found = simulate_many(system, 41, np.random.default_rng(0), duration=0.1, step=0.1)
    starts = np.array([each.states[0, 0] for each in found[1:]])
    assert 10 <= np.sum(starts < 1.0) <= 30
    assert ((starts >= 1e-3) & (starts <= 1e3)).all()


def test_the_same_seed_gives_the_same_trajectories_and_a_larger_count_adds_to_them():
    system = get_system("lorenz")
    few = simulate_many(system, 2, np.random.default_rng(7), duration=0.1, step=0.01)
    more = simulate_many(system, 3, np.random.default_rng(7), duration=0.1, step=0.01)
    assert all((a.states == b.states).all() for a, b in zip(few, more, strict=False))


def test_tighter_tolerances_bring_the_solution_closer():
    system, start = made_of(x="y", y="-x"), [1.0, 0.0]

    def error(relative):
        tolerances = Tolerances(relative, relative / 100)
        end = simulate(system, start=start, duration=50.0, tolerances=tolerances).at([50.0])[0]
        return np.abs(end - [np.cos(50), -np.sin(50)]).max()

    assert error(1e-12) < 1e-9 < error(1e-6)


def test_results_cannot_be_changed():
    found = simulate(made_of(x="-x"), events=[lambda t, x: x[0] - 0.5])
    for array in (found.time, found.states, found.derivatives, found.crossings[0].time):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0


def test_states_outside_the_time_simulated_are_refused():
    found = simulate(made_of(x="-x"), duration=1.0)
    with pytest.raises(UsageError, match="from 0 to 1"):
        found.at([1.5])


@pytest.mark.parametrize(
    "options",
    [
        {"start": [1.0, 2.0]},
        {"start": [np.nan]},
        {"step": 0.0},
        {"step": -0.1},
        {"duration": 0.001},
        {"duration": math.inf},
        {"step": 1e-9},
        {"step": math.nan},
    ],
)
def test_options_that_make_no_sense_are_refused(options):
    with pytest.raises(UsageError):
        simulate(made_of(x="-x"), **options)


@pytest.mark.parametrize("start", ["abc", [[1.0], [1.0, 2.0]]])
def test_a_start_that_is_no_numbers_is_refused(start):
    with pytest.raises(UsageError, match="a start of made is numbers for x"):
        simulate(made_of(x="-x"), start=start)


def test_fewer_than_one_trajectory_is_refused():
    with pytest.raises(UsageError, match="at least one"):
        simulate_many(made_of(x="-x"), 0, np.random.default_rng(0))


@pytest.mark.parametrize("values", [(1e-15, 1e-13), (1e-9, 0.0), (2.0, 1e-9)])
def test_tolerances_no_solver_can_keep_are_refused(values):
    with pytest.raises(UsageError):
        Tolerances(*values)


def test_every_status_speaks():
    assert all(status.sentence and Ending(status.value) is status for status in Ending)


def test_a_stiff_system_that_ends_in_overflow_is_told_without_a_warning():
    system = made_of(0.5, x="-1000000000*(x - y)", y="y**3*exp(exp(y)) - sqrt(1 - x)")
    assert simulate(system).status in {Ending.BLEW_UP, Ending.LEFT_DOMAIN}
