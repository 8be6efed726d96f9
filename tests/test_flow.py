"""Memory: two launches lead where one does, unless more than the state decides."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from odevsr.world.pilot.flow import LONG, looks, remembering

BLUR = np.full(1, 1e-14)


def states(seed=0):
    return np.random.default_rng(seed).uniform(-2.0, 2.0, (24, 1))


def decay(rate=1.0):
    return lambda states, steps: states * np.exp(-rate * steps)[:, None]


def cosine(states, steps):
    """An oscillator that shows only its place, and starts at rest."""
    return states * np.cos(steps)[:, None]


def mean(states, steps):
    """The mean over the launch."""
    return states * ((1 - np.exp(-steps)) / steps)[:, None]


def euler(states, steps):
    return states - steps[:, None] * states


@given(rate=st.floats(-3, 3), time=st.floats(0.01, 0.3), seed=st.integers(0, 100))
def test_what_follows_a_law_remembers_nothing(rate, time, seed):
    assert not remembering(decay(rate), states(seed), looks(time / LONG), BLUR).any()


@pytest.mark.parametrize("launch", [cosine, mean])
@pytest.mark.parametrize("time", [0.05, 0.2, 0.5])
def test_what_starts_anew_with_every_launch_remembers(launch, time):
    assert remembering(launch, states(), looks(time / LONG), BLUR).all()


def test_a_single_step_along_the_rate_is_no_memory():
    assert not remembering(euler, states(), looks(0.2 / LONG), BLUR).any()


@pytest.mark.parametrize("late", [0.01, 0.03, 0.1])
def test_what_answers_late_remembers_although_it_begins_as_a_straight_line(late):
    def delayed(states, steps):
        """x' = -x as it was a while before, and had always been at the start."""
        after = np.maximum(steps - late, 0.0)
        return states * (1 - steps + after**2 / 2 - np.maximum(after - late, 0.0) ** 3 / 6)[:, None]

    assert remembering(delayed, states(), looks(0.1), BLUR).all()


def test_what_blur_could_do_is_no_memory():
    assert not remembering(mean, states(), looks(0.2 / LONG), np.full(1, 0.1)).any()


def test_a_loose_tolerance_is_no_memory():
    def loose(states, steps):
        rough = np.sin(1e4 * states + 1e4 * steps[:, None])
        return decay()(states, steps) + 1e-3 * rough

    assert not remembering(loose, states(), looks(0.2 / LONG), BLUR).any()


def test_where_nothing_can_be_launched_nothing_is_said():
    assert not remembering(
        lambda s, t: np.full_like(s, np.nan), states(), looks(0.2 / LONG), BLUR
    ).any()


@pytest.mark.parametrize("lag", [1e-3, 1e-2, 0.1, 1.0])
def test_a_hidden_lag_is_noticed_however_short_it_is(lag):
    rates, modes = np.linalg.eig(np.array([[-1.0, 1.0], [-1 / lag, -1 / lag]]))
    start = np.linalg.inv(modes)[:, 0]

    def actuator(states, steps):
        """x' = y - x; y is hidden, follows -x with a lag, and starts at 0."""
        return states * np.real(np.exp(np.outer(steps, rates)) @ (modes[0] * start))[:, None]

    assert remembering(actuator, states(), looks(0.1), BLUR).all()
