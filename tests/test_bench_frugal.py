import math

from odevsr.bench import frugal
from odevsr.bench.baselines import polynomial_is_exact
from odevsr.bench.frugal import Counted, Usual, count, enough, figures_of
from odevsr.bench.systems import cases_of_system
from odevsr.world.systems.registry import get_system


def counted(name="lorenz", exact=3, states=120, false=0):
    usual = Usual(3, 3 * states, 0.1)
    return Counted(name, 3, exact, 3, false, states, 4 * states, 0.1, usual, (30, math.inf))


def test_a_quick_bench_counts_the_states_of_few_systems_beside_the_baselines(monkeypatch):
    monkeypatch.setattr(frugal, "MOST_STATES", {"lorenz": 150, "pendulum": 200})
    result = frugal.bench_frugal(quick=True)
    assert [row["system"] for row in result.rows] == ["lorenz", "pendulum"]
    assert result.holds
    assert [row["exact"] for row in result.rows] == [3, 2]
    assert all(row["launches"] > row["states"] for row in result.rows)
    assert [row["polynomial"] is None for row in result.rows] == [False, True]
    shares = [[each[name] for each in result.totals] for name in ("odevsr", "polynomial")]
    assert all(each == sorted(each) and each[-1] <= 1 for each in shares)


def test_states_are_those_of_all_equations_the_pilot_and_the_checks():
    pendulum = count(get_system("pendulum"), seed=0)
    assert pendulum.exact == pendulum.identified == 2
    assert pendulum.enough == pendulum.states > 100


def test_a_baseline_gets_no_more_states_than_the_level_at_which_it_succeeds():
    cases = list(cases_of_system(get_system("lorenz")).values())
    level = int(enough("polynomial", cases))
    assert all(polynomial_is_exact(each.truth, each.names, each.box, level) for each in cases)
    assert enough("SINDy", list(cases_of_system(get_system("pendulum")).values())) == math.inf


def test_a_system_that_is_not_found_whole_needs_more_states_than_there_are():
    figure = figures_of([counted(exact=2)], [])[0]
    assert (figure.value, figure.holds) == (math.inf, False)
    assert figures_of([counted()], [])[0].holds


def test_shares_are_those_of_the_equations_of_given_systems():
    given = [counted(states=300), counted(states=301), counted(states=1501)]
    few, more, dearer, false = figures_of([], given)
    assert (few.value, more.value, dearer.value) == (1 / 3, 2 / 3, 1.0)
    assert false.holds


def test_a_false_law_among_the_identified_is_never_allowed():
    assert not figures_of([], [counted(false=1)])[-1].holds
