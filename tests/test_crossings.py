import numpy as np
import pytest

from odevsr import Settings, discover, get_system
from odevsr.errors import UsageError
from odevsr.language.evaluate import compile_field
from odevsr.world.experiments.crossings import (
    CrossingOracle,
    crossings,
    free_trajectories,
    interpolated,
)
from odevsr.world.experiments.oracle import LaunchOracle, mesh, random_states
from odevsr.world.pilot.pilot import explore
from odevsr.world.studied import study


def crossing_oracle(name, component):
    world = study(name).world()
    pilot = explore(world, "central", np.random.default_rng(0))
    launches = LaunchOracle(world, component, pilot.calibrations[component])
    return CrossingOracle(world, launches, pilot, np.random.default_rng(0)), world


def test_crossings_lie_on_the_plane_and_on_trajectories():
    world = study("pendulum").world()
    samples = free_trajectories(world, 0.05, np.random.default_rng(0))
    met = crossings(world, samples, 0.05, 0, 0.3)
    assert len(met) > 20
    assert np.all(met[:, 0] == 0.3)
    assert np.all((met >= world.box.low) & (met <= world.box.high))
    system = get_system("pendulum")
    field = compile_field(system.closed_equations(), system.names)
    # The pendulum keeps its energy, so a crossing has that of one of the trajectories.
    scale = -field(np.array([[np.pi / 2, 0.0]]))[0, 1]
    energy = 0.5 * samples[0, :, 1] ** 2 - scale * np.cos(samples[0, :, 0])
    theirs = 0.5 * met[:, 1] ** 2 - scale * np.cos(met[:, 0])
    nearest = np.min(np.abs(theirs[:, None] - energy[None, :]), axis=1)
    assert nearest.max() < 1e-9


@pytest.mark.parametrize("component", [0, 1])
@pytest.mark.parametrize("free", [0, 1])
def test_derivatives_on_a_plane_are_exact_within_their_errors(component, free):
    oracle, world = crossing_oracle("lotka_volterra", component)
    held = random_states(world.box, 4, np.random.default_rng(3))
    states = mesh(world.box, [free], held, 40, np.random.default_rng(1))
    batch = oracle.measure(states)
    system = get_system("lotka_volterra")
    truth = compile_field(system.closed_equations(), system.names)(states)[..., component]
    known = np.isfinite(batch.errors)
    assert known.mean() > 0.8
    wrong = np.abs(batch.values - truth)[known]
    assert np.quantile(wrong, 0.9) < 1e-7 * np.std(truth)
    assert np.quantile(wrong / batch.errors[known], 0.9) < 3
    assert oracle.cost.simulations > 1000


def test_a_plane_that_nothing_crosses_is_not_measured():
    oracle, world = crossing_oracle("lotka_volterra", 0)
    states = np.array([[[world.box.high[0] * 10, y] for y in (0.1, 0.2, 0.3)]])
    assert np.isinf(oracle.measure(states).errors).all()


def test_interpolation_knows_what_it_does_not_know():
    places = np.sort(np.random.default_rng(0).uniform(0, 1, 40))
    wanted = np.array([-0.5, 0.3, 0.5, 1.5])
    values, errors = interpolated(places, np.sin(3 * places), np.full(40, 1e-12), wanted)
    assert np.isinf(errors).tolist() == [True, False, False, True]
    assert np.all(np.abs(values - np.sin(3 * wanted))[1:3] <= errors[1:3] + 1e-11)
    assert errors[1:3].max() < 1e-6


@pytest.mark.parametrize("name", ["lotka_volterra", "van_der_pol"])
def test_equations_are_found_from_crossings(name):
    assert discover(name, settings=Settings(sampling="crossings")).identified


def test_crossings_need_two_variables():
    with pytest.raises(UsageError, match="system of two variables, not 3"):
        discover("lorenz", settings=Settings(sampling="crossings"))
