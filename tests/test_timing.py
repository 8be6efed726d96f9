"""How long a slow simulator is thought to take, by a clock of the test's own."""

import numpy as np
import pytest

from odevsr.errors import SimulationError
from odevsr.kind import Kind
from odevsr.world.box import plain_box
from odevsr.world.experiments.oracle import Cost, World
from odevsr.world.pilot.timing import (
    EACH_ALONE,
    FRUGAL,
    TellingOracle,
    expect,
)
from odevsr.world.sample import Sample
from odevsr.world.simulators.guard import HangingError


class Slow:
    """A simulator and its clock: seconds for a call, for a state, and more for the first call."""

    def __init__(self, a_call, a_state, at_first=0.0, fails=0):
        self.now, self.launches = 0.0, 0
        self._rest = at_first
        self._a_call, self._a_state, self._fails = a_call, a_state, fails

    def __call__(self, states, step):
        self.launches += len(states)
        self._fails -= 1
        if self._fails >= 0:
            raise SimulationError("not from here")
        self.now += self._a_call + self._a_state * len(states) + self._rest
        self._rest = 0.0
        return states

    def expected(self, equations=2, jobs=1, usual=EACH_ALONE):
        world = World(("x",), plain_box([[0.0, 1.0]]), self)
        return expect(world, equations, jobs, usual, clock=lambda: self.now)


def test_a_fast_simulator_is_launched_once():
    slow = Slow(1e-5, 1e-6)
    expected = slow.expected()
    assert not expected.is_long
    assert slow.launches == expected.timed == 1


def test_what_a_state_takes_and_what_a_call_takes_are_told_apart():
    for a_call, a_state in ((0.5, 0.0), (0.0, 0.5), (1.0, 0.25)):
        slow = Slow(a_call, a_state, at_first=30.0)
        expected = slow.expected(3)
        calls, launches = EACH_ALONE.calls(3), EACH_ALONE.launches(3)
        assert expected.seconds == pytest.approx(calls * a_call + launches * a_state)
        assert expected.launches == launches
        assert slow.launches == expected.timed


def test_equations_that_are_searched_side_by_side_take_less_time():
    alone, beside = (Slow(0.0, 1.0).expected(2, jobs) for jobs in (1, 2))
    assert alone.seconds - beside.seconds == pytest.approx(EACH_ALONE.equation_launches)
    assert alone.launches == beside.launches


def test_the_sentence_says_how_many_launches_and_how_long():
    expected = Slow(0.0, 0.0625).expected(3)
    assert expected.sentence == "the simulator is slow: about 14,000 launches, 14 minutes"
    assert expected.seconds_left(expected.launches // 2) == pytest.approx(expected.seconds / 2)
    assert expected.seconds_left(10**6) == 0
    shared = Slow(0.0, 0.0625).expected(3, usual=FRUGAL)
    assert shared.sentence == "the simulator is slow: about 2,800 launches, 3 minutes"


def test_states_from_which_nothing_goes_are_passed_over():
    slow = Slow(0.0, 1.0, fails=3)
    assert slow.expected().is_long
    assert not Slow(0.0, 1.0, fails=99).expected().is_long


def test_a_simulator_that_hangs_is_not_tried_again():
    def hangs(states, step):
        raise HangingError("too long")

    with pytest.raises(HangingError):
        expect(World(("x",), plain_box([[0.0, 1.0]]), hangs), 1)


def test_what_is_spent_is_told_now_and_then(monkeypatch):
    class Oracle:
        cost, component, names, box = Cost(), 0, ("x",), plain_box([[0.0, 1.0]])
        is_noisy, variable, kind = False, "x", Kind.ODE

        def measure(self, states):
            self.cost += Cost(states=1)
            return Sample(states, states, states)

    now, told = [0.0], []
    monkeypatch.setattr("odevsr.world.pilot.timing.time.monotonic", lambda: now[0])
    oracle = TellingOracle(Oracle(), told.append)
    for moment in (0.1, 0.19, 0.25, 0.3, 0.5):
        now[0] = moment
        oracle.measure(np.zeros((1, 1)))
    assert [cost.states for cost in told] == [3, 5]
