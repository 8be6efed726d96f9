"""Values and next states: what is measured where no time runs."""

import numpy as np
import pytest

import odevsr
from odevsr.kind import Kind
from odevsr.world.box import plain_box
from odevsr.world.experiments.launched import Noise
from odevsr.world.experiments.mesh import random_states
from odevsr.world.experiments.oracle import World
from odevsr.world.experiments.shared import SharedLaunches
from odevsr.world.experiments.values import ValueOracle, explore_values

BOX = plain_box([[0.5, 3.0], [-1.0, 2.0]])


def function(states, step):
    return np.stack([np.sin(states[:, 0]) * states[:, 1], 1e20 / states[:, 0]], axis=1)


def world(launch=function):
    return World(("x", "z"), BOX, launch, Kind.FUNCTION, ("u", "v"))


def piloted(launch=function):
    return explore_values(world(launch), np.random.default_rng(0))


def test_values_of_any_size_are_measured_as_they_are_and_cost_one_call_each():
    oracle = ValueOracle(world(), 1, piloted().calibrations[1])
    states = random_states(BOX, 30, np.random.default_rng(1))
    sample = oracle.measure(states)
    assert oracle.variable == "v"
    assert np.array_equal(sample.values, 1e20 / states[:, 0])
    assert np.all(sample.errors < 1e-13 * np.abs(sample.values))
    assert (oracle.cost.states, oracle.cost.simulations) == (30, 30)


def test_single_precision_is_noticed():
    def rounded(states, step):
        return function(states, step).astype(np.float32).astype(np.float64)

    sizes = [
        each.noise(np.array([each.size]))[0] / each.size for each in piloted(rounded).calibrations
    ]
    assert all(5e-9 < size < 5e-7 for size in sizes)


def test_a_function_that_scatters_is_noisy_and_says_so():
    rng = np.random.default_rng(3)

    def scattering(states, step):
        return function(states, step) + 0.01 * rng.standard_normal((len(states), 2))

    pilot = piloted(scattering)
    assert pilot.calibrations[0].is_noisy
    assert pilot.calibrations[0].state_error == pytest.approx(0.01, rel=0.3)
    assert "scatter" in pilot.warnings[-1]


def test_where_values_are_not_finite_nothing_is_measured():
    def above(states, step):
        with np.errstate(all="ignore"):
            return np.log(states[:, 1:])

    pilot = explore_values(
        World(("x", "z"), BOX, above, Kind.FUNCTION, ("y",)), np.random.default_rng(0)
    )
    assert pilot.box.low[1] > -0.2 or pilot.coverage < 1
    assert pilot.warnings


def test_of_many_variables_those_that_matter_are_suspected():
    names = tuple(f"x{i}" for i in range(100))
    box = plain_box([[0.1, 10.0]] * 100)

    def few(states, step):
        return (states[:, 7] * np.sin(states[:, 70]) + states[:, 99])[:, None]

    pilot = explore_values(World(names, box, few, Kind.FUNCTION, ("y",)), np.random.default_rng(0))
    assert pilot.suspects == ((7, 70, 99),)


def test_noise_that_is_added_is_measured_by_repeats():
    noise = Noise(0.1, np.random.SeedSequence(1))
    oracle = ValueOracle(world(), 0, piloted().calibrations[0], noise=noise)
    sample = oracle.measure(random_states(BOX, 50, np.random.default_rng(1)))
    assert oracle.is_noisy
    assert np.median(sample.errors) == pytest.approx(0.1, rel=0.2)


def test_a_run_of_a_map_is_resumed_and_followed(tmp_path):
    found = odevsr.discover("henon", out=tmp_path / "run")
    assert str(found) == "x[k+1] = -1.4*x**2 + y + 1\ny[k+1] = 0.3*x"
    again = odevsr.discover("henon", out=tmp_path / "run", resume=True)
    assert str(again) == str(odevsr.load(tmp_path / "run")) == str(found)
    states = again.simulate([0.0, 0.0], [0, 1, 3])
    assert states == pytest.approx(np.array([[0, 0], [1, 0], [1.076, -0.12]]))


def test_few_states_test_the_ranges_of_a_function_as_long_as_none_fails():
    shared = SharedLaunches(np.random.default_rng(0).random((24, 2)))
    few, many = (explore_values(world(), np.random.default_rng(0), each) for each in (shared, None))
    tests, first_answers = 200, 3
    assert many.cost.states - few.cost.states == tests + first_answers
    assert few.box == many.box
    assert shared.new(shared.first(few.box)) == 0
