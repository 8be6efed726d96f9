import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from odevsr import get_system, systems
from odevsr.language.evaluate import compile_field
from odevsr.world.box import plain_box
from odevsr.world.experiments.launched import LaunchOracle, Noise
from odevsr.world.experiments.mesh import mesh, random_states
from odevsr.world.experiments.oracle import Cost, World
from odevsr.world.pilot.pilot import explore, pilot_from_json
from odevsr.world.studied import study


def oracle_of(name, component, difference="central", noise=None):
    world = study(name).world()
    pilot = explore(world, difference, np.random.default_rng(0))
    return LaunchOracle(world, component, pilot.calibrations[component], pilot.difference, noise)


def truth_of(name, states, component):
    system = get_system(name)
    return compile_field(system.closed_equations(), system.names)(states)[..., component]


@pytest.mark.parametrize("name", [system.name for system in systems() if system.kind.moves])
def test_derivatives_are_measured_to_ten_digits_with_honest_errors(name):
    system = get_system(name)
    component = len(system.components) - 1
    oracle = oracle_of(name, component)
    states = random_states(oracle.box, 300, np.random.default_rng(1))
    batch = oracle.measure(states)
    truth = truth_of(name, states, component)
    wrong = np.abs(batch.values - truth)
    assert np.quantile(wrong, 0.99) <= 1e-9 * np.sqrt(np.mean(truth**2)) + 1e-300
    assert np.quantile(wrong / batch.errors, 0.9) < 2


@pytest.mark.parametrize(("difference", "digits"), [("forward", 1e-9), ("backward", 1e-5)])
def test_one_sided_differences_are_less_exact_and_say_so(difference, digits):
    central, other = oracle_of("lorenz", 1), oracle_of("lorenz", 1, difference)
    states = random_states(central.box, 300, np.random.default_rng(1))
    truth = truth_of("lorenz", states, 1)
    batch = other.measure(states)
    assert np.median(batch.errors) > 2 * np.median(central.measure(states).errors)
    assert np.quantile(np.abs(batch.values - truth), 0.99) < digits * np.sqrt(np.mean(truth**2))
    assert np.quantile(np.abs(batch.values - truth) / batch.errors, 0.9) < 2


def test_an_experiment_keeps_its_shape_and_is_counted():
    oracle = oracle_of("lorenz", 0)
    states = random_states(oracle.box, 24, np.random.default_rng(0)).reshape(2, 3, 4, 3)
    batch = oracle.measure(states)
    assert batch.values.shape == batch.errors.shape == (2, 3, 4)
    assert (oracle.cost.experiments, oracle.cost.states) == (1, 24)
    assert oracle.cost.simulations >= 4 * 24
    assert np.array_equal(oracle.measure(states).values, batch.values)


def test_noise_is_as_large_as_asked_for_and_belongs_to_the_experiment():
    noise = Noise(0.5, np.random.SeedSequence(3))
    states = random_states(get_system("lorenz").box, 2000, np.random.default_rng(0))
    quiet = oracle_of("lorenz", 1).measure(states)
    oracle = oracle_of("lorenz", 1, noise=noise)
    first, second = oracle.measure(states), oracle.measure(states)
    assert np.std(first.values - quiet.values) == pytest.approx(0.5, rel=0.1)
    assert np.allclose(first.errors, 0.5, rtol=0.3)
    assert not np.array_equal(first.values, second.values)
    again = oracle_of("lorenz", 1, noise=noise).measure(states)
    assert np.array_equal(first.values, again.values)


def test_states_from_which_the_simulator_fails_have_no_finite_error():
    def decay(states, steps):
        return np.where(states < 0, np.nan, states * np.exp(-steps)[:, None])

    world = World(("x",), plain_box([[-1.0, 1.0]]), decay)
    pilot = explore(study("lorenz").world(), "central", np.random.default_rng(0))
    oracle = LaunchOracle(world, 0, pilot.calibrations[0])
    with np.errstate(invalid="ignore"):
        batch = oracle.measure(np.array([[-0.5], [0.5]]))
    assert np.isfinite(batch.errors).tolist() == [False, True]
    assert batch.values[0] == 0


def test_an_oracle_is_noisy_if_noise_is_added():
    assert oracle_of("lorenz", 1, noise=Noise(0.5, np.random.SeedSequence(3))).is_noisy
    assert not oracle_of("lorenz", 1).is_noisy


def test_a_pilot_of_before_there_were_clocks_and_coverage_is_read():
    pilot = explore(study("lorenz").world(), "central", np.random.default_rng(0))
    values = pilot.to_json()
    for name in ("clock", "coverage"):
        del values[name]
    values["calibrations"] = [
        {name: each[name] for name in ("step", "state_error", "size")}
        for each in values["calibrations"]
    ]
    assert pilot_from_json(values) == pilot


def test_a_pilot_is_the_same_when_read_from_json():
    pilot = explore(study("mhd").world(), "central", np.random.default_rng(0))
    assert pilot_from_json(pilot.to_json()) == pilot
    assert pilot.warnings == ()
    assert pilot.box == study("mhd").box


def test_costs_add_and_subtract():
    first, second = Cost(1, 2, 3), Cost(4, 5, 6)
    assert first + second == Cost(5, 7, 9)
    assert first + second - second == first


@given(
    free=st.sets(st.integers(0, 3)),
    trials=st.integers(1, 4),
    points=st.integers(1, 9),
    seed=st.integers(0, 99),
)
def test_a_mesh_holds_what_is_held_and_spreads_the_rest_evenly(free, trials, points, seed):
    box = plain_box([[0.0, 1.0], [-2.0, 2.0], [5.0, 6.0], [-1.0, 0.0]])
    held = np.random.default_rng(seed).uniform(box.low, box.high, (trials, 4))
    states = mesh(box, sorted(free), held, points, np.random.default_rng(seed))
    assert states.shape == (trials, points, 4)
    for variable in range(4):
        column = states[:, :, variable]
        if variable not in free:
            assert np.array_equal(column, np.repeat(held[:, [variable]], points, axis=1))
            continue
        low, high = box.limits[variable]
        cells = np.floor((column - low) / (high - low) * points).astype(int)
        assert np.array_equal(np.sort(cells, axis=1), np.tile(np.arange(points), (trials, 1)))


def test_a_slow_state_is_not_followed_until_it_meets_the_ground():
    def thrown(states, steps):
        speed = states[:, 1] - 9.81 * steps
        ends = np.column_stack([states[:, 0] + (states[:, 1] + speed) / 2 * steps, speed])
        return np.where(ends[:, :1] < 0, -0.8 * ends, ends)

    world = World(("h", "v"), plain_box([[0.0, 4.0], [-3.0, 3.0]]), thrown)
    pilot = explore(world, "central", np.random.default_rng(0))
    oracle = LaunchOracle(pilot.world(world), 0, pilot.calibrations[0])
    speeds = -(10.0 ** -np.arange(1.0, 8.0))
    measured = oracle.measure(np.column_stack([np.full(7, 2.0), speeds]))
    assert measured.values == pytest.approx(speeds, abs=1e-9)
