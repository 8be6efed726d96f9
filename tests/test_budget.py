"""Limits of states and launches, which nothing passes."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from odevsr import discover
from odevsr.vertical.equation import Status
from odevsr.world.box import plain_box
from odevsr.world.experiments.budget import (
    PATIENCE,
    LimitedLaunch,
    LimitedOracle,
    OutOfBudgetError,
)
from odevsr.world.experiments.launched import Calibration, LaunchOracle
from odevsr.world.experiments.oracle import Cost, World


def limited(most_states=math.inf, most_launches=math.inf):
    """An oracle of dx/dt = x**2 and the sizes of the calls that its simulator really got."""
    made = []

    def simulator(states, step):
        made.append(len(states))
        return states / (1 - states * np.reshape(step, (-1, 1)))

    launch = LimitedLaunch(simulator, most_launches)
    world = World(("x",), plain_box([[0.0, 1.0]]), launch)
    oracle = LaunchOracle(world, 0, Calibration(step=0.01, state_error=0.0, size=1.0))
    return LimitedOracle(oracle, most_states, most_launches, launch), made


def measured(oracle, count):
    return oracle.measure(np.linspace(0.0, 0.9, count)[:, None])


@given(
    states=st.integers(1, 400),
    launches=st.integers(1, 4000),
    counts=st.lists(st.integers(1, 60), max_size=20),
)
def test_nothing_is_spent_beyond_the_limits_and_all_of_it_is_told(states, launches, counts):
    oracle, made = limited(states, launches)
    for number, count in enumerate(counts):
        if number == len(counts) // 2:
            oracle.release()
        try:
            measured(oracle, count)
        except OutOfBudgetError:
            continue
    assert oracle.cost.states <= states
    assert sum(made) == oracle.cost.simulations <= launches
    if oracle.cost.states:
        seen = oracle.all_seen()
        assert len(seen.states) == len(seen.values) == len(seen.errors) == oracle.cost.states


def test_what_is_kept_back_can_be_used_in_the_end_to_the_last_state():
    oracle, _ = limited(100)
    measured(oracle, 75)
    with pytest.raises(OutOfBudgetError, match="stopped at the limit of 100 states"):
        measured(oracle, 1)
    assert oracle.affordable(80) == 0
    oracle.release()
    assert oracle.affordable(80) == 25
    measured(oracle, 25)
    assert oracle.cost.states == 100


def test_launches_are_limited_whatever_a_state_takes():
    oracle, made = limited(most_launches=1000)
    with pytest.raises(OutOfBudgetError, match="stopped at the limit of 1,000 launches"):
        measured(oracle, 999)
    assert not made
    measured(oracle, 20)
    assert oracle.cost.simulations == sum(made)
    oracle.release()
    measured(oracle, oracle.affordable(1000))
    assert sum(made) <= 1000


def test_without_limits_all_is_measured():
    oracle, _ = limited()
    assert oracle.affordable(500) == 500
    assert len(measured(oracle, 5000).values) == 5000


def test_what_was_spent_before_counts():
    again = LimitedOracle(limited()[0], 100, spent=Cost(states=60))
    measured(again, 15)
    with pytest.raises(OutOfBudgetError, match="limit of 100 states"):
        measured(again, 1)


@pytest.mark.parametrize(
    "limits", [{"most_states": 200}, {"max_launches": 1000}, {"max_launches": 2500}]
)
def test_the_best_law_within_the_limits_is_given_with_a_note(limits):
    found = discover("lorenz", components="x1", **limits)
    (equation,) = found.equations
    assert equation.status is not Status.IDENTIFIED
    assert "stopped at the limit of" in equation.note
    assert 0 < equation.cost.states <= limits.get("most_states", math.inf)
    assert equation.cost.simulations <= limits.get("max_launches", math.inf)
    assert equation.r2 > 0.9


def test_a_limit_that_is_not_reached_changes_nothing():
    free, within = (discover("lorenz", components="x1", max_launches=m) for m in (None, 100_000))
    assert str(free) == str(within)
    assert free.cost == within.cost


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_limits_hold_in_every_process(jobs):
    found = discover("linear_oscillator", jobs=jobs, max_launches=2000)
    assert all(each.cost.simulations <= 2000 for each in found.equations)
    assert all("2,000 launches" in each.note for each in found.equations)


def test_a_limit_that_allows_nothing_is_told():
    with pytest.raises(OutOfBudgetError, match="allow more states or launches"):
        limited(1)[0].all_seen()


def test_without_a_limit_states_are_measured_as_long_as_that_leads_to_anything():
    oracle, _ = limited(None)
    found = [1]
    oracle.watch(lambda: len(found))
    measured(oracle, PATIENCE)
    found.append(2)
    measured(oracle, PATIENCE)
    with pytest.raises(OutOfBudgetError, match="stopped at the limit of 45,000 states"):
        measured(oracle, 2 * PATIENCE)
    assert oracle.cost.states == 2 * PATIENCE
