"""The search loop: batches fitted, losses handed back, the end at the first form that explains."""

from dataclasses import dataclass, field

import numpy as np
import pytest
from laws import form

from odevsr.evidence.agreement import Agreement
from odevsr.evidence.controlled import make_controlled
from odevsr.fitting.fit import Effort
from odevsr.language.algebra.normal import INVALID, normal_form
from odevsr.search.loop import search
from odevsr.world.sample import Sample

EFFORT = Effort()
X = np.linspace(0.5, 2.5, 30)
TRIALS = make_controlled(
    ["x"],
    Sample(np.stack([X, X])[..., None], np.stack([3 * X + 1, 4 * X - 2]), np.full((2, 30), 1e-9)),
    Agreement(),
)


def family(text):
    return normal_form(form(text))


LINE, ROOT, SINE = family("C*x + C"), family("C*sqrt(x)"), family("C*sin(x)")


@dataclass
class Scripted:
    """Proposes the batches it was given, and remembers what it was told."""

    script: list
    name: str = "scripted"
    effort: Effort = EFFORT
    told: list = field(default_factory=list)
    asked: int = 0
    closed: bool = False

    def batches(self, losses):
        try:
            for batch in self.script:
                self.asked += 1
                yield batch
                self.told.append(dict(losses))
        finally:
            self.closed = True


def test_the_search_ends_with_the_first_batch_that_holds_the_form():
    first, second = Scripted([[SINE], [ROOT, LINE], [SINE]]), Scripted([[LINE]])
    found = search(TRIALS, [first, second])
    assert [each.expression for each in found.forms] == [LINE]
    assert first.asked == 2
    assert second.asked == 0
    assert found.nearest == LINE
    assert found.epochs[-1].best_loss < 1e-12


def test_the_next_proposer_has_its_turn_when_the_first_has_no_more():
    found = search(TRIALS, [Scripted([[SINE]], name="poor"), Scripted([[LINE]], name="good")])
    assert [epoch.proposer for epoch in found.epochs] == ["poor", "good"]
    assert found.forms[0].proposer == "good"


def test_a_batch_is_answered_by_the_losses_of_all_so_far():
    proposer = Scripted([[SINE, INVALID], [SINE, ROOT]])
    search(TRIALS, [proposer])
    first, second = proposer.told
    assert set(first) == {SINE, INVALID}
    assert first[INVALID] == np.inf
    assert 0 < first[SINE] < np.inf
    assert set(second) == {SINE, INVALID, ROOT}


def test_who_proposed_the_form_is_closed_and_has_nothing_left_to_learn():
    proposer = Scripted([[SINE], [LINE], [ROOT]])
    search(TRIALS, [proposer])
    assert len(proposer.told) == 1
    assert proposer.closed


def test_a_proposer_sees_what_others_before_it_have_proposed():
    second = Scripted([[ROOT]])
    search(TRIALS, [Scripted([[SINE]]), second])
    assert set(second.told[0]) == {SINE, ROOT}


def test_nothing_is_fitted_twice():
    found = search(TRIALS, [Scripted([[SINE, SINE], [SINE], [SINE, ROOT]])])
    assert [epoch.candidates for epoch in found.epochs] == [1, 0, 1]
    assert found.candidates == 2


def test_without_a_form_the_nearest_is_told():
    found = search(TRIALS, [Scripted([[SINE], [ROOT]])])
    assert found.forms == ()
    assert found.nearest == ROOT
    losses = [epoch.best_loss for epoch in found.epochs]
    assert losses == sorted(losses, reverse=True)
    assert found.epochs[-1].best_loss == losses[-1]
    assert found.epochs[-1].best == "C*sqrt(x)"


def test_the_nearest_of_all_batches_is_kept_when_later_ones_are_worse():
    assert search(TRIALS, [Scripted([[ROOT], [SINE]])]).nearest == ROOT


def test_a_search_without_proposals_finds_nothing():
    found = search(TRIALS, [Scripted([])])
    assert (found.forms, found.nearest, found.epochs) == ((), None, ())


def test_an_empty_first_batch_is_passed_over():
    found = search(TRIALS, [Scripted([[], [LINE]])])
    assert found.forms[0].expression == LINE


def test_the_budget_is_checked_before_every_batch():
    left = iter([None, None])

    def check():
        if next(left, "spent") == "spent":
            raise TimeoutError

    proposer = Scripted([[SINE], [ROOT], [LINE]])
    with pytest.raises(TimeoutError):
        search(TRIALS, [proposer], check_budget=check)
    assert len(proposer.told) == 2
    assert proposer.asked == 3


def test_every_epoch_is_told_as_it_ends():
    heard = []
    found = search(TRIALS, [Scripted([[SINE], [LINE]])], on_epoch=heard.append)
    assert tuple(heard) == found.epochs
    assert [epoch.candidates for epoch in heard] == [1, 1]
