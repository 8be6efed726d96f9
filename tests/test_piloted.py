"""Who tells rates is asked for them; who only moves is launched."""

import adapted
import numpy as np
import pytest

from odevsr import discover, load, replay, rhs, validate
from odevsr.errors import SimulationError
from odevsr.world.piloted import oracle_of, pilot_of, world_of
from odevsr.world.studied import study

LAWS = ["dx/dt = x*(1.5 - y)", "dy/dt = y*(x - 3)"]


def piloted(target):
    studied = study(target)
    return studied, pilot_of(studied, "central", np.random.default_rng(0))


def test_a_right_hand_side_is_asked_once_a_state_and_answers_to_rounding():
    studied, pilot = piloted(adapted.rate)
    oracle = oracle_of(world_of(studied, pilot), 0, pilot)
    states = np.array([[0.5, 1.0], [1.5, 0.3]])
    found = oracle.measure(states)
    assert oracle.cost.simulations == 2
    np.testing.assert_allclose(found.values, states[:, 0] * (1.5 - states[:, 1]), rtol=1e-15)
    assert np.all(found.errors < 1e-14)


def test_a_step_is_launched():
    studied, pilot = piloted(adapted.step)
    assert pilot.takes_differences
    oracle = oracle_of(world_of(studied, pilot), 0, pilot)
    oracle.measure(np.array([[0.5, 1.0]]))
    assert oracle.cost.simulations >= 4


@pytest.mark.parametrize("asked", [{"difference": "forward"}, {"sampling": "crossings"}])
def test_who_asks_for_motion_gets_it(asked):
    found = discover(adapted.rate, components="x", **asked)
    assert str(found) == LAWS[0]
    assert found.cost.simulations > 2 * found.cost.states


def test_an_oracle_of_your_own_gets_launches():
    def moving(world, component, pilot, settings, seeds):
        rest = world.launch(np.array([[1.0, 1.5]]), 1e-9)
        assert abs(rest[0, 0] - 1.0) < 1e-6
        return oracle_of(world, component, pilot)

    assert str(discover(adapted.rate, components="x", oracle=moving)) == LAWS[0]


def test_a_run_on_rates_is_replayed_resumed_and_validated(tmp_path):
    out = tmp_path / "run"
    first = discover("adapted:rate", out=out)
    assert str(first).splitlines() == LAWS
    assert first.cost.simulations < 1.2 * first.cost.states
    assert str(replay(out)) == str(first) == str(discover("adapted:rate", out=out, resume=True))
    assert "SINDy" in str(validate(load(out)))


def test_rates_that_scatter_are_measured_as_such():
    rng = np.random.default_rng(0)

    @rhs(x=(0, 2))
    def scattering(t, y):
        return [-3 * y[0] + 1e-3 * rng.standard_normal()]

    _, pilot = piloted(scattering)
    assert pilot.calibrations[0].is_noisy
    assert 0.5e-3 < pilot.calibrations[0].state_error < 2e-3
    assert any("scatter" in each for each in pilot.warnings)


def test_rates_that_depend_on_what_was_asked_before_are_no_exact_ones():
    asked = [0.0]

    @rhs(x=(0, 2))
    def remembering(t, y):
        before, asked[0] = asked[0], float(y[0])
        return [-3 * y[0] + 1e-3 * before]

    _, pilot = piloted(remembering)
    assert pilot.calibrations[0].is_noisy


def test_rates_that_fail_everywhere_are_told():
    @rhs(x=(0, 2))
    def failing(t, y):
        raise ValueError("no fuel")

    with pytest.raises(SimulationError, match="no fuel"):
        piloted(failing)
