"""That each state of a call is moved for a step of its own, or the simulator is refused."""

import numpy as np
import pytest

from odevsr.discovery.discover import discover
from odevsr.errors import SimulationError
from odevsr.world.pilot.own_steps import check_own_steps
from odevsr.world.simulators.simulator import simulator

STATES = np.random.default_rng(0).uniform(0.5, 2.0, (40, 2))


def decaying(states, steps):
    return states * np.exp(-np.outer(steps, [1.0, 0.0]))


ENDS = decaying(STATES, np.full(len(STATES), 0.1))


def test_states_that_have_steps_of_their_own_pass():
    check_own_steps(decaying, STATES, ENDS, 0.1)


@pytest.mark.parametrize("one", [lambda steps: steps[0], lambda steps: steps[-1], np.mean, np.max])
def test_one_step_for_all_states_is_refused(one):
    with pytest.raises(SimulationError, match=r"move states\[i\] for steps\[i\]"):
        check_own_steps(
            lambda states, steps: decaying(states, steps * 0 + one(steps)), STATES, ENDS, 0.1
        )


def test_a_simulator_that_takes_the_first_step_for_all_is_told_so():
    @simulator(x=(0.5, 2.0), y=(0.5, 2.0))
    def plant(states, steps):
        return decaying(states, np.full(len(states), steps[0]))

    with pytest.raises(SimulationError, match="each has a step of its own"):
        discover(plant)
