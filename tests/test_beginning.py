"""What a simulator answered first: it must answer so again."""

from itertools import count

import numpy as np
import pytest

import odevsr
from odevsr.errors import SimulationError
from odevsr.vertical.equation import Status
from odevsr.world.box import plain_box
from odevsr.world.experiments.launched import Calibration
from odevsr.world.experiments.oracle import World
from odevsr.world.pilot.beginning import FIRST_STATES, first_answers
from odevsr.world.pilot.time_scale import TIMES

EXACT = Calibration(step=1e-3, state_error=0.0, size=1.0)


def decay(states, step, rate=1.0):
    return states * np.exp(-rate * np.broadcast_to(step, len(states)))[:, None]


def begun(launch):
    world = World(("x",), plain_box([[0.0, 10.0]]), launch)
    return first_answers(world, (1e-6, 0.1), np.random.default_rng(0))


def test_what_repeats_itself_answers_as_it_did():
    assert not begun(decay).otherwise(decay, 0, EXACT).any()


@pytest.mark.parametrize("rate", [1 + 1e-9, 0.4])
def test_what_answers_otherwise_is_noticed(rate):
    assert begun(decay).otherwise(lambda *asked: decay(*asked, rate), 0, EXACT).any()


def test_what_is_within_the_errors_is_the_same():
    noisy = Calibration(step=1e-3, state_error=1e-3, size=1.0, is_noisy=True)
    assert not begun(decay).otherwise(lambda *asked: decay(*asked) + 3e-3, 0, noisy).any()


def test_a_solver_that_takes_one_step_for_all_is_asked_as_at_first():
    def coarse(states, step):
        return decay(states, step) * (1 + 1e-9 * np.max(step))

    assert not begun(coarse).otherwise(coarse, 0, EXACT).any()


def test_a_simulator_that_fails_at_first_has_no_beginning():
    def failing(states, step):
        raise SimulationError("not here")

    assert begun(failing) is None


def test_a_relay_that_latches_for_good_is_never_called_identified():
    goal = [1.0]

    @odevsr.simulator(x=(0, 10))
    def relay(states, steps):
        if np.any(states > 9.5):
            goal[0] = 0.0
        return goal[0] + (states - goal[0]) * np.exp(-steps)[:, None]

    (found,) = odevsr.discover(relay).equations
    assert found.status is Status.UNDECIDED
    assert "answers otherwise than at first" in found.note


@pytest.mark.parametrize("before", range(10))
def test_a_simulator_whose_every_tenth_call_is_off_is_never_called_identified(before):
    calls = count(before)

    @odevsr.simulator(x=(-2, 2))
    def limping(states, steps):
        rate = 1.0 if next(calls) % 10 else 0.4
        return states * np.exp(-rate * steps)[:, None]

    (found,) = odevsr.discover(limping, most_seconds=2).equations
    assert found.status is not Status.IDENTIFIED


def test_whoever_notices_that_the_simulator_has_changed_all_laws_are_doubted(tmp_path):
    calls = [0]

    @odevsr.simulator(x=(-2, 2), y=(-2, 2), z=(-2, 2))
    def tired(states, steps):
        calls[0] += 1
        rate = 1.0 if calls[0] <= 100 else 0.4
        return states * np.exp(-rate * steps)[:, None]

    found = odevsr.discover(tired, out=tmp_path / "run")
    again = odevsr.replay(tmp_path / "run")
    for equation in (*found.equations, *again.equations):
        assert equation.status is not Status.IDENTIFIED
        assert "answers otherwise than at first" in equation.note


def test_a_stray_answer_is_no_change():
    asked = []

    @odevsr.simulator(x=(0, 10))
    def stray(states, steps):
        ends = decay(states, steps)
        if steps.max() == TIMES[0]:
            asked.extend(steps)
            ends[-1] += len(asked) == 2 * FIRST_STATES
        return ends

    (found,) = odevsr.discover(stray).equations
    assert (len(asked), found.status) == (3 * FIRST_STATES, Status.IDENTIFIED)
