import numpy as np
import pytest

import odevsr
from odevsr.world.pilot.repeats import repeats
from odevsr.world.pilot.wild import settle, wild_answers

SAME = np.full(1, 1e-12)


def answers(*rows):
    """Answers (calls, m, 1), from a row for each question."""
    return np.array(rows, dtype=float).T[..., None]


def test_an_answer_is_wild_if_the_same_is_answered_before_and_after_it():
    usual = [[2.0] * 8] * 11
    assert wild_answers(answers([1, 1, 7, 1, 1, 1, 1, 1], *usual), SAME).sum() == 1
    assert wild_answers(answers([1, 1, np.nan, 1, 1, 1, 1, 1], *usual), SAME).sum() == 1


@pytest.mark.parametrize(
    "row",
    [
        pytest.param([7, 1, 1, 1, 1, 1, 1, 1], id="may have changed after the first"),
        pytest.param([1, 1, 1, 1, 1, 1, 1, 7], id="may have changed before the last"),
        pytest.param([1, 1, 1, 1, 1, 1, 1, 1], id="is always the same"),
        pytest.param([np.nan] * 8, id="is never answered"),
    ],
)
def test_what_may_have_changed_for_good_is_not_wild(row):
    assert not wild_answers(answers(row, *[[2.0] * 8] * 11), SAME).any()


def test_noise_is_not_wild():
    noise = np.random.default_rng(0).standard_normal((8, 24, 1))
    assert not wild_answers(noise, SAME).any()


def glitching(share, rng):
    """x' = -x, exactly, but for a share of wild answers."""

    def launch(states, steps):
        ends = states * np.exp(-np.asarray(steps))[:, None]
        return np.where(rng.random((len(states), 1)) < share, rng.normal(size=ends.shape), ends)

    return launch


def test_what_is_answered_twice_counts():
    states, steps = np.linspace(1, 2, 4000)[:, None], np.full(4000, 0.1)
    ends, made = settle(glitching(0.05, np.random.default_rng(0)), states, steps)
    assert np.allclose(ends, states * np.exp(-0.1), rtol=1e-12)
    assert 8000 < made < 9000


def test_answers_of_which_no_two_agree_lead_nowhere():
    rng = np.random.default_rng(0)
    ends, _ = settle(
        lambda states, steps: rng.normal(size=states.shape), np.ones((3, 1)), np.ones(3)
    )
    assert np.isnan(ends).all()


def test_what_depends_on_the_order_is_no_wild_answer():
    states = np.linspace(1, 2, 24)[:, None]
    after_largest = lambda states, steps: states * np.where(states[:1] > 1.5, 1.0, 1.01)  # noqa: E731
    found = repeats(after_largest, states, 0.1)
    assert not found.wild
    assert found.drift.any()


def test_wild_answers_neither_cost_the_law_nor_go_unmentioned():
    moved = glitching(0.02, np.random.default_rng(1))
    simulated = odevsr.simulator(x=(0.5, 2))(lambda states, steps: moved(states, steps))
    said = []
    found = odevsr.discover(simulated, on_event=lambda event: said.append(event.message))
    assert [str(each) for each in found.equations] == ["dx/dt = -x"]
    assert found.identified
    assert any("wild" in each for each in said)
    assert "wild" in found.equations[0].note
