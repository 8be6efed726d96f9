from dataclasses import replace

import numpy as np
import pytest

from odevsr import Settings, discover, get_system, simulator
from odevsr.errors import SimulationError, UsageError
from odevsr.language.evaluate import compile_field
from odevsr.world.experiments.mesh import mesh, random_states
from odevsr.world.experiments.watching import CrossingOracle, watch
from odevsr.world.pilot.pilot import explore
from odevsr.world.studied import study


def crossing_oracle(name, component):
    world = study(name).world()
    pilot = explore(world, "central", np.random.default_rng(0))
    return CrossingOracle(world, component, pilot, None, np.random.default_rng(0)), world


def truth(name, states, component):
    system = get_system(name)
    return compile_field(system.closed_equations(), system.names)(states)[..., component]


def test_trajectories_go_on_from_where_they_are_and_are_never_set():
    world = study("lorenz").world()
    asked = []

    def launch(states, step):
        asked.append(states.copy())
        return world.launch(states, step)

    seen = watch(replace(world, launch=launch), 1e-3, np.zeros(3), np.random.default_rng(0))
    met = {state.tobytes() for state in seen.samples.reshape(-1, 3)}
    assert {state.tobytes() for some in asked for state in some} <= met


@pytest.mark.parametrize("held", [0, 1, 2])
def test_an_experiment_is_answered_on_the_planes_that_it_asks_for(held):
    oracle, world = crossing_oracle("lorenz", 1)
    free = [index for index in range(3) if index != held]
    rng = np.random.default_rng(3)
    states = mesh(world.box, free, random_states(world.box, 4, rng), 20, rng)
    sample = oracle.measure(states)
    known = sample.usable
    assert known.mean() > 0.8
    assert np.all(sample.states[..., held] == states[..., held])
    wrong = np.abs(sample.values - truth("lorenz", sample.states, 1))[known]
    assert np.all(wrong <= 3 * sample.errors[known])
    assert np.median(sample.errors[known]) < 1e-10 * np.std(sample.values[known])
    assert oracle.cost.states == known.sum()


def test_where_nothing_is_held_states_are_met_all_over_the_ranges():
    oracle, world = crossing_oracle("lotka_volterra", 0)
    sample = oracle.measure(random_states(world.box, 60, np.random.default_rng(0))).measured()
    assert len(sample.values) > 50
    shares = world.box.shares(sample.states)
    assert np.all(np.ptp(shares, axis=0) > 0.6)
    assert len(np.unique(sample.states, axis=0)) == len(sample.states)


def test_what_trajectories_miss_is_not_measured():
    oracle, world = crossing_oracle("lorenz", 0)
    states = mesh(world.box, [0], random_states(world.box, 2, np.random.default_rng(0)), 9,
                  np.random.default_rng(0))  # fmt: skip
    assert not oracle.measure(states).usable.any()
    outside = random_states(world.box, 9, np.random.default_rng(0)) + 10 * world.box.width
    assert not oracle.measure(outside).usable.any()


def test_what_does_not_move_crosses_nothing():
    still = simulator(x=(0, 1), y=(0, 1))(lambda states, steps: states)
    world = study(still).world()
    pilot = explore(world, "central", np.random.default_rng(0))
    with pytest.raises(SimulationError, match="nothing moves"):
        CrossingOracle(world, 0, pilot, None, np.random.default_rng(0))


@pytest.mark.parametrize("options", [{"decide": True}, {"frugal": True}, {"expansion": "joint"}])
def test_what_must_choose_states_is_refused(options):
    with pytest.raises(UsageError, match="leave"):
        Settings(sampling="crossings", **options)


def test_from_the_pilot_on_no_state_is_set():
    asked, reached = [], set()
    lorenz = study("lorenz").world()

    def launch(states, steps):
        asked.extend(state for state in states if state.tobytes() not in reached)
        assert np.all(steps > 0)
        ends = lorenz.launch(states, steps)
        reached.update(end.tobytes() for end in ends)
        return ends

    options = {name: tuple(limits) for name, limits in zip("xyz", lorenz.box.limits, strict=True)}
    found = discover(simulator(**options)(launch), settings=Settings(sampling="crossings"))
    assert found.equations[1].status.value == "identified"
    drawn = np.unique(asked, axis=0)
    assert [len(np.unique(column)) for column in drawn.T] == [len(drawn)] * 3
