"""What laws are held against is the same for every method, and nobody was given it."""

import pytest

from odevsr.language.parse import parse
from odevsr.verdict.court import FRESH_STATES, HELD_OUT_STARTS, convene
from odevsr.world.registry import get_system

NAMES = ("x", "y")


@pytest.fixture(scope="module")
def court():
    return convene(get_system("linear_oscillator"), NAMES, seed=0)


def test_a_court_has_fresh_states_and_trajectories_of_one_length(court):
    assert court.states.shape == (FRESH_STATES, 2)
    assert len(court.trajectories) == HELD_OUT_STARTS
    assert {each.end_time for each in court.trajectories} == {court.duration}


def test_the_truth_is_judged_exact_and_follows_to_the_end(court):
    laws = court.truth
    judgements = [court.judged(name, law, (), "the truth") for name, law in laws.items()]
    assert all(each.form.exact for each in judgements)
    assert [each.r2 for each in judgements] == [1.0, 1.0]
    assert court.valid_time(laws) == pytest.approx(court.duration)


def test_a_wrong_law_is_judged_wrong_and_gets_lost(court):
    wrong = parse("2*y", NAMES)
    assert not court.judged("x", wrong, (), "a guess").form.exact
    assert court.valid_time({**court.truth, "x": wrong}) < court.duration / 2


def test_laws_of_some_variables_alone_have_no_motion(court):
    assert court.valid_time({"x": court.truth["x"]}) is None
