"""Rounds: controlled experiments, their searches, and the record of them."""

import numpy as np
import pytest
from laws import FunctionTarget, form, make_bench

from odevsr.language.normal import normal_form
from odevsr.settings import Settings
from odevsr.vertical.rounds import OutOfBudgetError, controlled, search_tier, uncontrolled


def unmeasurable_above(limit, function=lambda x, y: x * y):
    """A target that has no value where y is above the limit."""
    target = FunctionTarget(function)
    plain = target.measure

    def measure(states):
        values, errors = plain(states)
        return values, np.where(states[..., 1] > limit, np.inf, errors)

    target.measure = measure
    return target


def test_a_round_holds_the_others_at_as_many_settings_as_there_are_trials():
    problem = controlled(FunctionTarget(lambda x, y: x * y), [0], make_bench(Settings(trials=4)))
    assert problem.names == ("x",)
    assert problem.trials.points.shape == (4, 1, 40)


def test_summary_constants_are_measured_less_often():
    target = FunctionTarget(lambda x, y: x * y)
    above = controlled(target, [0], make_bench(), depth=0).trials.targets.size
    assert controlled(target, [0], make_bench(), depth=1).trials.targets.size < above


def test_where_nothing_is_held_there_is_one_trial():
    problem = controlled(FunctionTarget(lambda x, y: x * y), [0, 1], make_bench())
    assert problem.trials.points.shape == (1, 2, 80)


def test_a_round_in_which_nothing_can_be_measured_has_no_problem_and_finds_nothing():
    target = unmeasurable_above(-10.0)
    bench = make_bench()
    problem = controlled(target, [0], bench)
    assert problem is None
    found = search_tier(problem, "x", 0, bench, "x")
    assert found.forms == ()
    assert bench.rounds == []
    assert uncontrolled(target, 30, bench) is None


def test_a_round_that_can_be_measured_in_part_goes_on_with_that():
    target = unmeasurable_above(0.5)
    problem = controlled(target, [0], make_bench(Settings(trials=12)))
    assert 0 < len(problem.trials.targets) < 12
    data = uncontrolled(target, 60, make_bench())
    assert 0 < len(data.values) < 60
    assert np.all(data.states[:, 1] <= 0.5)
    assert np.all(np.isfinite(data.errors))


def test_a_round_is_written_down_with_who_proposed_what():
    heard = []
    bench = make_bench(on_epoch=heard.append)
    problem = controlled(FunctionTarget(lambda x, y: x * y + 1), [0], bench)
    found = search_tier(problem, "x", 0, bench, "dx")
    (record,) = bench.rounds
    assert (record.target, record.variable, record.proposer) == ("dx", "x", "families")
    assert (record.trials, record.points) == (5, 40)
    assert record.form == "C*x + C"
    assert record.deviation == found.forms[0].deviation < 3.0
    assert record.candidates == found.candidates > 0
    assert [epoch.variable for epoch in heard] == ["x"]


def test_a_round_without_a_form_shows_what_came_nearest():
    bench = make_bench(Settings(batch=10, prior_batches=1, epochs=0))
    problem = controlled(FunctionTarget(lambda x, y: np.abs(np.sin(7 * x * y)) ** 0.3), [0], bench)
    found = search_tier(problem, "x", bench.proposers.tiers - 1, bench, "dx")
    (record,) = bench.rounds
    assert found.forms == ()
    assert record.proposer == "none"
    assert record.deviation == np.inf
    assert normal_form(form(record.form)) == found.nearest


@pytest.mark.parametrize(
    "measure",
    [
        lambda target, bench: controlled(target, [0], bench),
        lambda target, bench: uncontrolled(target, 10, bench),
    ],
)
def test_nothing_is_measured_once_the_budget_is_spent(measure):
    def check():
        raise OutOfBudgetError("spent")

    target = FunctionTarget(lambda x, y: x)
    with pytest.raises(OutOfBudgetError):
        measure(target, make_bench(check_budget=check))
    assert target.measured == 0
