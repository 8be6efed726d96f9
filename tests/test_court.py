"""What laws are held against is the same for every method, and nobody was given it."""

from dataclasses import replace

import numpy as np
import pytest
import simulators

from odevsr.language.parse import parse
from odevsr.verdict.court import (
    FRESH_STATES,
    HELD_OUT_STARTS,
    convene,
    convene_without_truth,
    launched_trajectories,
)
from odevsr.world.studied import study
from odevsr.world.systems.registry import get_system

NAMES = ("x", "y")


def times(court, laws):
    return [each.time for each in court.followed(laws)]


@pytest.fixture(scope="module")
def court():
    return convene(get_system("linear_oscillator"), NAMES, seed=0)


def test_a_court_has_fresh_states_and_trajectories_of_one_length(court):
    assert court.states.shape == (FRESH_STATES, 2)
    assert len(court.trajectories) == HELD_OUT_STARTS
    assert {each.end_time for each in court.trajectories} == {court.duration}


def test_the_truth_is_judged_exact_and_follows_to_the_end(court):
    laws = court.truth
    judgements = [court.judged(name, law, ()) for name, law in laws.items()]
    assert all(each.form.exact for each in judgements)
    assert [each.r2 for each in judgements] == [1.0, 1.0]
    assert times(court, laws) == pytest.approx([court.duration] * HELD_OUT_STARTS)


def test_a_wrong_law_is_judged_wrong_and_gets_lost(court):
    wrong = parse("2*y", NAMES)
    assert not court.judged("x", wrong, ()).form.exact
    assert max(times(court, {**court.truth, "x": wrong})) < court.duration / 2


@pytest.fixture(scope="module")
def witness():
    return convene_without_truth(study(simulators.lotka), NAMES, seed=0)


def test_a_simulator_is_its_own_witness(witness):
    assert witness.truth == {}
    x, y = witness.states.T
    assert witness.derivatives[:, 0] == pytest.approx(1.5 * x - x * y, abs=1e-8)
    assert len(witness.trajectories) == HELD_OUT_STARTS
    right, wrong = parse("1.5*x - x*y", NAMES), parse("1.5*x - 1.1*x*y", NAMES)
    other = parse("x*y - 3*y", NAMES)
    judged = witness.judged("x", right, ())
    assert (judged.form.exact, judged.form.precision, judged.form.terms) == (None, None, 2)
    assert judged.r2 == pytest.approx(1.0, abs=1e-12)
    assert witness.judged("x", wrong, ()).r2 < 0.99
    assert min(times(witness, {"x": right, "y": other})) == pytest.approx(witness.duration)
    assert max(times(witness, {"x": wrong, "y": other})) < witness.duration


def test_inputs_of_a_simulator_stay_as_they_are_set_and_time_runs():
    court = convene_without_truth(study(simulators.driven), ("x",), seed=0)
    law = parse("-2*x + 3*u*sin(t)", court.names)
    assert min(times(court, {"x": law})) == pytest.approx(court.duration)


def test_trajectories_of_a_simulator_that_fails_on_its_way_are_left_out():
    def launch(states, steps):
        ends = states + steps[:, None]
        return np.where(ends > 1.0, np.nan, ends)

    whole = launched_trajectories(launch, np.array([[0.0], [-2.0], [0.9]]), 0.5)
    assert [each.states[0, 0] for each in whole] == [0.0, -2.0]
    assert whole[0].states[-1, 0] == pytest.approx(0.5)


def test_laws_of_some_variables_alone_have_no_motion(court):
    assert court.followed({"x": court.truth["x"]}) == ()


def test_the_size_of_a_derivative_is_that_of_its_values(court):
    derivatives = np.array([[3.0, np.nan], [-4.0, 2.0], [np.inf, np.nan]])
    assert replace(court, derivatives=derivatives).sizes == pytest.approx([12.5**0.5, 2.0])
