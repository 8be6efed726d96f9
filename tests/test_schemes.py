import numpy as np
import pytest

from odevsr import get_system
from odevsr.bench.rough.motion import field_of, motion_of
from odevsr.errors import UsageError
from odevsr.language.evaluate import compile_field
from odevsr.world.experiments.mesh import random_states
from odevsr.world.experiments.schemes import SCHEMES, burst, estimate, scheme
from odevsr.world.simulators.launch import make_launcher

ORDERS = {"central": 4, "forward": 4, "backward": 1}


def decay(states, steps):
    """x' = -x, exactly."""
    return states * np.exp(-np.asarray(steps))[:, None]


@pytest.mark.parametrize("name", SCHEMES)
def test_a_scheme_has_its_order_and_its_check_another(name):
    states = np.ones((2, 1))
    values, check = SCHEMES[name].derivatives(decay, states, np.array([0.1, 0.05]))
    wide, narrow = np.abs(values[:, 0] + 1)
    assert np.log2(wide / narrow) == pytest.approx(ORDERS[name], abs=0.2)
    wide, narrow = np.abs(check[:, 0] + 1)
    assert abs(np.log2(wide / narrow) - ORDERS[name]) > 0.5


@pytest.mark.parametrize("name", SCHEMES)
@pytest.mark.parametrize("step", [1e-2, 1e-3, 1e-5, 1e-7])
def test_the_estimated_error_is_of_the_order_of_the_true_one_at_any_step(name, step):
    system = get_system("lorenz")
    states = random_states(system.box, 200, np.random.default_rng(0))
    truth = compile_field(system.closed_equations(), system.names)(states)
    for component in range(3):
        found = estimate(
            SCHEMES[name],
            make_launcher(system),
            states,
            np.full(200, step),
            component=component,
            width=system.box.width,
        )
        deviation = np.abs(found.values - truth[:, component])
        estimated = found.truncation + found.rounding
        assert np.median(deviation / estimated) < 4
        assert np.median(estimated) < 1e4 * np.median(deviation) + 1e-12


@pytest.mark.parametrize("law", ["1 - v*abs(v)", "1 - 1e-3*v*abs(v)"])
@pytest.mark.parametrize("step", [1e-2, 1e-3, 1e-4])
def test_across_a_kink_the_error_is_not_taken_for_that_of_a_smooth_motion(law, step):
    states = np.linspace(-step, step, 41)[:, None]
    motion, truth = motion_of({"v": law}, ()), field_of({"v": law}, ())(states)[:, 0]
    steps = np.full(len(states), step)
    found = estimate(scheme("central"), motion, states, steps, component=0, width=np.array([4.0]))
    assert np.all(np.abs(found.values - truth) <= found.truncation + found.rounding)


def test_an_unknown_difference_is_refused():
    with pytest.raises(UsageError, match="did you mean central"):
        scheme("centrall")


@pytest.mark.parametrize("name", SCHEMES)
def test_a_burst_gives_the_same_derivative_less_blurred_by_noise(name):
    states, steps = np.ones((3, 1)), np.array([0.1, 0.05, 0.02])
    several = burst(SCHEMES[name], 16)
    assert several.launches == 16
    assert several.noise_gain < 0.5 * SCHEMES[name].noise_gain
    once = SCHEMES[name].derivatives(decay, states, steps)
    value, check, variance = several.derivatives_and_variances(decay, states, steps)
    assert np.allclose((value, check), once, rtol=1e-9)
    assert np.all(variance < 1e-28)


def test_the_variance_of_a_burst_is_that_of_its_launches():
    rng = np.random.default_rng(0)
    blurred = lambda states, steps: states + rng.normal(0, 0.3, states.shape)  # noqa: E731
    several = burst(SCHEMES["central"], 16)
    found = several.derivatives_and_variances(blurred, np.zeros((2000, 1)), np.ones(2000))
    assert np.mean(found[2]) == pytest.approx(0.09, rel=0.05)
    assert np.std(found[0]) == pytest.approx(0.3 * several.noise_gain, rel=0.05)


@pytest.mark.parametrize("blur", [0.0, np.zeros(2)])
def test_no_states_have_no_derivatives(blur):
    pendulum = get_system("pendulum")
    found = estimate(
        scheme("central"),
        make_launcher(pendulum),
        np.empty((0, 2)),
        np.empty(0),
        component=0,
        width=pendulum.box.width,
        blur=blur,
    )
    assert found.values.shape == found.truncation.shape == found.rounding.shape == (0,)


@pytest.mark.parametrize("name", ["central", "forward"])
@pytest.mark.parametrize("speed", [0.0, 0.1, 3.0, -20.0])
def test_where_a_state_is_put_elsewhere_before_it_moves_nothing_is_measured(name, speed):
    def clamped(states, steps):
        x, y = np.maximum(states[:, 0], 1.0), states[:, 1]
        return np.stack([x + speed * steps + steps**2, y * np.exp(-x * steps)], axis=1)

    states = np.column_stack([np.linspace(0.5, 1.5, 41), np.ones(41)])
    for component in range(2):
        found = estimate(
            SCHEMES[name], clamped, states, np.full(41, 0.01), component, width=np.ones(2)
        )
        is_clear = np.abs(states[:, 0] - 1) > abs(speed) * 0.01
        measured = np.isfinite(found.values)[is_clear]
        assert np.array_equal(measured, (states[:, 0] >= 1)[is_clear])
