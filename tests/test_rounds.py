"""Rounds: controlled experiments, their searches, and the record of them."""

import numpy as np
import pytest
from laws import FunctionQuantity, form, make_question

from odevsr.language.algebra.normal import normal_form
from odevsr.language.parse import parse
from odevsr.limits import SPARE
from odevsr.search.tiers import SAMPLING
from odevsr.settings import Settings
from odevsr.vertical.asking.rounds import search_tier
from odevsr.world.experiments.budget import OutOfBudgetError


def product(**options):
    return FunctionQuantity(lambda x, y: x * y, **options)


def test_a_controlled_experiment_moves_the_free_variables_alone():
    asked = []

    def function(x, y):
        asked.append((x, y))
        return x - y

    quantity = FunctionQuantity(function)
    controlled = make_question(quantity, Settings(trials=4, points=30)).controlled([1])
    ((x, y),) = asked
    assert controlled.names == ("y",)
    assert controlled.trials.points.shape == (4, 1, 30)
    assert np.all(np.ptp(x, axis=1) == 0)
    assert len(np.unique(x[:, 0])) == 4
    low, high = quantity.box.limits[1]
    assert np.all((y >= low) & (y <= high))
    assert np.all(np.ptp(y, axis=1) > 0.9 * (high - low))
    order = np.argsort(y, axis=1)
    x, y = (np.take_along_axis(each, order, axis=1) for each in (x, y))
    again = np.argsort(controlled.trials.points[:, 0], axis=1)
    measured = np.take_along_axis(controlled.trials.targets, again, axis=1)
    np.testing.assert_allclose(measured, x - y, atol=1e-8)


@pytest.mark.parametrize("depth", [0, 1, 2])
@pytest.mark.parametrize(("trials", "points"), [(4, 40), (10, 25), (3, 8), (2, 50), (1, 5)])
def test_trials_and_points_of_the_settings_reach_summary_constants_in_their_share(
    depth, trials, points
):
    settings = Settings(trials=trials, points=points, summary_share=0.5)
    question = make_question(product(), settings, depth=depth)
    controlled = question.controlled([0])
    number, _, size = controlled.trials.points.shape
    share = 0.5 if depth else 1.0
    assert size == question.points == np.ceil(share * points)
    assert number == question.trials
    assert question.trials == min(trials, max(SPARE, np.ceil(share * trials)))


def test_the_share_itself_is_a_setting():
    whole = make_question(product(), Settings(trials=8, points=50, summary_share=1.0), depth=1)
    assert (whole.trials, whole.points) == (8, 50)
    assert whole.check_points == 50
    assert make_question(product(), Settings(points=50)).check_points == 100


def test_where_nothing_is_held_there_is_one_trial():
    assert make_question(product()).controlled([0, 1]).trials.points.shape == (1, 2, 80)


def test_the_same_question_put_twice_gets_the_same_states():
    first, again, other = (make_question(product(error=0.0), seed=seed) for seed in (3, 3, 4))
    for put in (
        lambda question: question.controlled([0]).trials.points,
        lambda question: question.uncontrolled(30).sample.states,
        lambda question: question.checks.sample.states,
    ):
        assert np.array_equal(put(first), put(again))
        assert np.array_equal(put(first), put(first))
        assert not np.array_equal(put(first), put(other))


def test_checks_are_measured_once():
    quantity = product()
    question = make_question(quantity)
    assert question.checks is question.checks
    assert quantity.measured == question.check_points


def test_a_round_in_which_nothing_can_be_measured_finds_nothing():
    question = make_question(product(missing=lambda x, y: y > -10.0))
    controlled = question.controlled([0])
    assert controlled is None
    assert search_tier(question, controlled, 0, 0).forms == ()
    assert question.attempt.journal.rounds == []
    assert len(question.uncontrolled(30)) == 0


def test_a_round_that_can_be_measured_in_part_goes_on_with_that():
    question = make_question(product(missing=lambda x, y: y > 0.5), Settings(trials=12))
    assert 0 < len(question.controlled([0]).trials.targets) < 12
    sample = question.uncontrolled(60).sample
    assert 0 < len(sample.values) < 60
    assert np.all(sample.states[:, 1] <= 0.5)
    assert np.all(np.isfinite(sample.errors))


def test_a_round_is_written_down_with_who_proposed_what():
    heard = []
    quantity = FunctionQuantity(lambda x, y: x * y + 1)
    question = make_question(quantity, label="dx", on_epoch=heard.append)
    found = search_tier(question, question.controlled([0]), 0, 0)
    (record,) = question.attempt.journal.rounds
    assert (record.target, record.variable, record.proposer) == ("dx", "x", "readings")
    assert (record.trials, record.points) == (5, 40)
    assert record.form == "C*x + C"
    assert record.deviation == found.forms[0].deviation < 3.0
    assert record.candidates == found.candidates > 0
    assert [epoch.variable for epoch in heard] == ["x"]


def test_a_round_without_a_form_shows_what_came_nearest():
    quantity = FunctionQuantity(lambda x, y: np.abs(np.sin(7 * x * y)) ** 0.3)
    question = make_question(quantity, Settings(batch=10, prior_batches=1, epochs=0))
    found = search_tier(question, question.controlled([0]), 0, SAMPLING)
    (record,) = question.attempt.journal.rounds
    assert found.forms == ()
    assert record.proposer is None
    assert record.deviation == np.inf
    assert normal_form(form(record.form)) == found.nearest


def test_an_attempt_that_knows_other_constants_has_proposers_that_build_on_them():
    attempt = make_question(product()).attempt
    wave, number = parse("sin(x)", ["x"]), parse("3", [])
    knowing = attempt.knowing([wave, number])
    assert knowing.proposers.learnt == (wave,)
    assert attempt.proposers.learnt == ()
    assert knowing.journal.rounds is attempt.journal.rounds


@pytest.mark.parametrize(
    "measure",
    [lambda question: question.controlled([0]), lambda question: question.uncontrolled(10)],
)
def test_nothing_is_measured_once_the_budget_is_spent(measure):
    def check():
        raise OutOfBudgetError("spent")

    quantity = product()
    with pytest.raises(OutOfBudgetError):
        measure(make_question(quantity, check_budget=check))
    assert quantity.measured == 0
