"""The common design: the same states whoever asks, and longer ones that begin with shorter."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from laws import FunctionQuantity, make_question

from odevsr.settings import Settings
from odevsr.vertical.asking.common import Common
from odevsr.vertical.asking.design import Design

BOX = np.array([[-1.0, 2.0], [0.5, 3.0], [-2.0, -1.0]])
seeds, counts = st.integers(0, 1000), st.integers(1, 12)


class Asked(FunctionQuantity):
    """A quantity that remembers where it was asked."""

    def measure(self, states):
        self.states = states
        return super().measure(states)


def asked():
    return Asked(lambda x, y, z: x * z, BOX)


@given(seeds, counts, counts)
def test_more_states_begin_with_fewer(seed, few, more):
    common = Common(asked(), (0, 1, 2), Design(seed))
    both = common.spread(few + more).states
    assert np.array_equal(common.spread(few).states, both[:few])


@given(seeds, st.integers(0, 2), counts, counts)
def test_lines_can_be_made_longer_and_more(seed, variable, few, more):
    common = Common(asked(), (0, 1, 2), Design(seed))
    short = common.lines(variable, few, few).states
    both = common.lines(variable, few + more, few + more).states
    assert np.array_equal(short, both[:few, :few])
    others = [index for index in range(3) if index != variable]
    assert np.all(np.ptp(both[..., others], axis=1) == 0)
    assert np.array_equal(both[:, 0, others], common.spread(few + more).states[:, others])


@given(seeds)
def test_equations_of_other_variables_ask_at_the_same_states(seed):
    whole = Common(asked(), (0, 1, 2), Design(seed))
    part = whole.only((0, 2))
    assert part.names == ("x", "z")
    whole.lines(2, 3, 4)
    part.lines(1, 3, 4)
    assert np.array_equal(whole.whole.states, part.whole.states)
    sample = part.spread(5)
    assert np.array_equal(sample.states, part.whole.states[:, [0, 2]])
    np.testing.assert_allclose(sample.values, sample.states[:, 0] * sample.states[:, 1], atol=1e-8)


def test_points_along_a_line_are_spread_evenly():
    places = np.sort(Common(asked(), (0, 1, 2), Design(0)).lines(0, 4, 10).states[..., 0], axis=1)
    gaps = np.diff(places, axis=1) / 3.0
    assert gaps.max() < 0.17
    assert gaps.min() > 0.05


def test_states_of_ones_own_hold_the_variables_that_are_not_kept():
    part = Common(asked(), (1, 2), Design(0))
    part.measure(np.array([[1.0, -1.5], [2.0, -1.2]]))
    assert part.whole.states[:, 1:].tolist() == [[1.0, -1.5], [2.0, -1.2]]
    assert len(set(part.whole.states[:, 0])) == 1


def test_rounds_and_checks_of_a_frugal_question_are_the_common_ones():
    quantity = Common(asked(), (0, 2), Design(0))
    question = make_question(quantity, Settings(trials=3, points=6))
    controlled = question.controlled([1])
    assert controlled.names == ("z",)
    assert controlled.setting.held == ("x",)
    held = quantity.spread(3).states[:, 0]
    assert [value for (value,) in controlled.setting.values] == held.tolist()
    assert np.array_equal(question.uncontrolled(7).sample.states, quantity.spread(7).states)


def test_what_depends_on_one_variable_needs_no_line():
    quantity = Common(asked(), (0,), Design(0))
    controlled = make_question(quantity, Settings(points=6)).controlled([0])
    assert controlled.trials.points.shape == (1, 1, 12)
    assert np.array_equal(np.sort(controlled.trials.points.ravel()),
                          np.sort(quantity.spread(12).states.ravel()))  # fmt: skip
