"""Error bars: standard errors and resampled ones contain the truth as often as they say."""

import numpy as np
import pytest

from odevsr.evidence.data import Data
from odevsr.evidence.law import fit
from odevsr.language.parse import parse
from odevsr.verdict.bootstrap import bootstrap_constants, with_open_numbers
from odevsr.world.experiments.launched import LaunchOracle, Noise
from odevsr.world.experiments.mesh import random_states
from odevsr.world.pilot.pilot import explore
from odevsr.world.sample import Sample
from odevsr.world.studied import study
from odevsr.world.systems.registry import get_system

CASES = 200
LAWS = {
    "lorenz": ("x2", "x0*x1 - 2.7*x2", 8 / 3),
    "glycolysis": ("x0", "2.5 - 7.3*x0*x5/(x5**4 + 0.07)", 0.52**4),
}


def noisy_data(oracle, seed, count):
    states = random_states(oracle.box, count, np.random.default_rng(seed))
    batch = oracle.measure(states)
    return Sample(batch.states, batch.values, batch.errors)


def oracles(name, variable, noise, count):
    """Oracles of the same component, each with noise of its own, whose size it has to estimate."""
    world = study(get_system(name)).world()
    pilot = explore(world, "central", np.random.default_rng(0))
    component = world.names.index(variable)
    calibration = pilot.calibrations[component]
    for seeds in np.random.SeedSequence(7).spawn(count):
        added = Noise(noise * calibration.size, seeds)
        yield LaunchOracle(world, component, calibration, pilot.difference, added)


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("noise", [0.01, 0.05])
def test_the_95_per_cent_interval_contains_the_truth_in_90_to_98_per_cent_of_200(name, noise):
    variable, text, truth = LAWS[name]
    inside = []
    for seed, oracle in enumerate(oracles(name, variable, noise, CASES)):
        law = with_open_numbers(parse(text, oracle.names))
        last = fit(law, Data(oracle.names, noisy_data(oracle, seed, count=60))).constants[-1]
        inside.append(abs(last.value - truth) <= 1.96 * last.error)
    assert 0.90 <= np.mean(inside) <= 0.98


def test_resampled_errors_agree_with_those_of_the_fit():
    (oracle,) = oracles("lorenz", "x1", 0.02, 1)
    law = with_open_numbers(parse("28*x0 - x0*x2 - 1*x1", oracle.names))
    data = noisy_data(oracle, 3, count=300)
    fitted = fit(law, Data(oracle.names, data)).constants
    resampled = bootstrap_constants(law, oracle.names, data, 60, np.random.default_rng(0))
    for one, other in zip(fitted, resampled, strict=True):
        assert other.value == pytest.approx(one.value)
        assert other.error == pytest.approx(one.error, rel=0.4)


def test_exponents_are_not_fitted():
    law = with_open_numbers(parse("2*x**3", ["x"]))
    data = Sample(np.linspace(1, 2, 20)[:, None], 2 * np.linspace(1, 2, 20) ** 3, np.full(20, 1e-6))
    constants = bootstrap_constants(law, ["x"], data, 5, np.random.default_rng(0))
    assert [each.value for each in constants] == pytest.approx([2.0])
