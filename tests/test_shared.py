"""Launches that equations share: the same ends, made once, and counted once."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from odevsr.world.box import plain_box
from odevsr.world.experiments import shared as shared_launches
from odevsr.world.experiments.launched import Calibration, LaunchOracle
from odevsr.world.experiments.oracle import Cost, World
from odevsr.world.experiments.shared import SharedLaunches

BOX = plain_box([[1.0, 2.0], [0.0, 4.0]])


def decay(states, steps):
    return states * np.exp(-np.broadcast_to(steps, len(states)))[:, None]


def nothing():
    return SharedLaunches(np.zeros((0, 2)))


batches = st.lists(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=6), max_size=5
)


@given(batches)
def test_what_is_remembered_is_what_a_launch_gives_and_none_is_made_twice(asked):
    shared, made = nothing(), []

    def launch(states, steps):
        made.extend(map(tuple, np.column_stack([states, steps]).tolist()))
        return decay(states, steps)

    remembering = shared.before(launch)
    for batch in asked:
        states = np.array([[state, 1.0] for state, _ in batch])
        steps = np.array([0.1 * step for _, step in batch])
        assert np.array_equal(remembering(states, steps), decay(states, steps))
    assert shared.made == len(made)
    wanted = {(state, 1.0, 0.1 * step) for batch in asked for state, step in batch}
    assert sorted(made) == sorted(wanted)


def test_one_step_serves_all_states():
    states = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert np.array_equal(nothing().before(decay)(states, 0.5), decay(states, 0.5))


def test_the_oldest_launches_are_forgotten_and_made_again(monkeypatch):
    monkeypatch.setattr(shared_launches, "MOST_NUMBERS", 6)  # of two variables, three ends
    shared, states = nothing(), np.arange(8.0).reshape(4, 2)
    remembering = shared.before(decay)
    assert np.array_equal(remembering(states, 0.5), decay(states, 0.5))
    assert shared.new(states) == 4
    for asked, made in ((states[1:], 4), (states[:1], 5), (states[1:2], 6)):
        assert np.array_equal(remembering(asked, 0.5), decay(asked, 0.5))
        assert shared.made == made
    assert shared.new(states) == 0


def test_a_second_equation_pays_only_for_states_that_the_first_has_not_measured():
    shared = nothing()
    world = World(("x", "y"), BOX, shared.before(decay))
    calibration = Calibration(step=1e-3, state_error=0.0, size=1.0)
    first, second = (LaunchOracle(world, each, calibration, shared=shared) for each in range(2))
    states = np.random.default_rng(0).uniform(1.0, 2.0, (10, 2))
    first.measure(states[:8])
    assert first.cost.states == 8
    assert first.cost.simulations >= 32
    sample = second.measure(states)
    assert second.cost.states == 2
    assert second.cost.simulations < first.cost.simulations
    np.testing.assert_allclose(sample.values, -states[:, 1], atol=1e-9)
    again = second.cost
    second.measure(states)
    assert second.cost == again + Cost(experiments=1)


def test_states_of_the_pilot_are_counted_by_it_alone():
    shared = SharedLaunches(np.array([[0.5, 0.25]]))
    first = shared.first(BOX)
    assert first.tolist() == [[1.5, 1.0]]
    shared.begun(decay, first)
    assert shared.new(first) == 0
