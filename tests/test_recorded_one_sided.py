"""Even powers of what never changed its sign."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import odevsr
from odevsr.language.evaluate import compile_field
from odevsr.language.parse import parse
from odevsr.language.text import to_text
from odevsr.recorded.discover import HoldOut, discover_recordings
from odevsr.recorded.judging.one_sided import one_sided
from odevsr.recorded.smoothing import smooth_paths
from odevsr.vertical.equation import Status


def swung(speed, noise=0.0):
    """A pendulum with drag v*|v|; fast enough, it goes over the top and never back."""
    times = np.linspace(0, 6, 300)
    path = solve_ivp(
        lambda _t, s: [s[1], -0.9 * np.sin(s[0]) - 0.1 * s[1] * abs(s[1])],
        (0, 6), [0.0, speed], t_eval=times, rtol=1e-11, atol=1e-12,
    ).y.T  # fmt: skip
    path = path * (1 + noise * np.random.default_rng(0).standard_normal(path.shape))
    return odevsr.recording(times, path, names=["angle", "speed"])


@pytest.fixture(scope="module")
def over_the_top():
    return discover_recordings(swung(5.0))


def test_a_square_that_may_be_a_drag_is_undecided_where_the_motion_can_turn(over_the_top):
    angle, speed = over_the_top.equations
    assert angle.status is Status.IDENTIFIED
    assert speed.status is Status.UNDECIDED
    assert "speed**2" in to_text(speed.expression)


def test_the_drag_is_its_first_rival_and_a_run_backwards_would_decide(over_the_top):
    rival = over_the_top.equations[1].alternatives[0]
    assert "speed*abs(speed)" in to_text(rival.expression)
    assert rival.experiment.state[1] < 0
    assert "would decide" in over_the_top.equations[1].note


def test_a_drag_is_identified_where_the_motion_turned():
    (_, speed) = discover_recordings(swung(1.5)).equations
    assert speed.status is Status.IDENTIFIED
    assert "abs(speed)" in to_text(speed.expression)


def half_swing(noise=0.0):
    """From rest to rest, with a drag that a square stands for as long as nothing turns."""

    def rates(_time, state):
        x, v = state
        return [v, -x - 0.5 * x**2 * v * abs(v)]

    def rests(time, state):
        return state[1] if time > 0.5 else 1.0

    path = solve_ivp(
        rates, (0, 4), [-1.5, 0.0], events=rests, dense_output=True, rtol=1e-11, atol=1e-12
    )
    times = np.linspace(0, path.t_events[0][0], 400)
    states = path.sol(times).T
    states = states * (1 + noise * np.random.default_rng(0).standard_normal(states.shape))
    return odevsr.recording(times, states, names=["x", "v"])


@pytest.mark.parametrize("noise", [0.0, 0.003])
def test_what_was_beyond_0_by_no_more_than_errors_tell_counts_as_never_there(noise):
    found = discover_recordings(half_swing(noise))
    (_, law) = found.equations
    assert law.status is Status.UNDECIDED
    assert any("abs(v)" in to_text(each.expression) for each in law.alternatives)
    assert any("nothing is decided for v < 0" in each for each in found.notes)


def test_the_rival_is_the_law_itself_where_runs_were_also_below_0():
    times = np.linspace(0, 6, 300)
    path = solve_ivp(
        lambda _t, s: [s[1], -0.9 * np.sin(s[0]) - 0.1 * s[1] * abs(s[1])],
        (0, 6), [0.0, -5.0], t_eval=times, rtol=1e-11, atol=1e-12,
    ).y.T  # fmt: skip
    recorded = odevsr.recording(times, path, names=["angle", "speed"])
    (_, speed) = discover_recordings(recorded).equations
    rival = speed.alternatives[0].expression
    field = compile_field([speed.expression, rival], ["angle", "speed"])
    own, other = field(np.array([[0.3, -2.0]]))[0]
    assert own == pytest.approx(other, rel=1e-4)


def test_a_square_of_an_input_that_was_never_below_0_is_told():
    times = np.linspace(0, 10, 300)
    path = solve_ivp(
        lambda t, s: [0.7 * (1 + np.sin(t)) ** 2 - s[0]],
        (0, 10), [0.2], t_eval=times, rtol=1e-11, atol=1e-12,
    ).y.T  # fmt: skip
    inputs = {"u": 1 + np.sin(times)}
    found = discover_recordings(odevsr.recording(times, path, names=["x"], inputs=inputs))
    assert found.equations[0].status is Status.IDENTIFIED
    assert any("nothing is decided for u < 0" in each for each in found.notes)


def test_a_sign_that_was_never_seen_explains_no_run_that_the_law_does_not_follow():
    times = np.linspace(0, 3, 200)

    def fallen(rate, start):
        return solve_ivp(
            lambda _t, s: [rate(s[0])], (0, 3), [start], t_eval=times, rtol=1e-11, atol=1e-12
        ).y.T

    runs = [
        fallen(lambda x: -0.5 * x**2 - 0.2, 3.0),
        fallen(lambda x: -0.1 * x**3 - 0.6, 3.0),
    ]
    recorded = odevsr.recording([times, times], runs, names=["x"])
    (law,) = discover_recordings(recorded, hold_out=HoldOut(recorded.runs[1].name)).equations
    assert law.status is Status.APPROXIMATE


def test_runs_below_0_tell_of_a_sign_though_only_others_were_fitted():
    def rates(_time, state):
        x, y = state
        return [0.2 - 0.5 * x**2 - 0.5 * y, 2 * (x - 0.5) - 0.1 * y]

    above = [[1.5, -2.0], [1.4, -2.0], [1.6, -2.0]]
    starts = [*above, *([-0.5 + k / 40, 0.3 - k / 10] for k in range(12))]
    times = np.linspace(0, 3, 600)
    runs = [
        solve_ivp(rates, (0, 3), start, t_eval=times, rtol=1e-11, atol=1e-12).y.T
        for start in starts
    ]
    assert min(run[:, 0].min() for run in runs[: len(above)]) > 0
    found = discover_recordings(odevsr.recording([times] * len(runs), runs, names=["x", "y"]))
    assert all(each.status is Status.IDENTIFIED for each in found.equations)


def test_samples_of_variables_in_turn_hide_nothing_of_their_signs():
    times = np.linspace(0, 12, 400)
    path = solve_ivp(
        lambda _t, s: [s[1], -s[0] - 0.2 * s[1]],
        (0, 12), [1.0, 0.0], t_eval=times, rtol=1e-11, atol=1e-12,
    ).y.T  # fmt: skip
    path[::2, 0], path[1::2, 1] = np.nan, np.nan
    paths = smooth_paths(odevsr.recording(times, path, names=["x", "y"]))
    assert np.isfinite(paths.blur)
    assert not list(one_sided(paths, [parse("y", ["x", "y"]), parse("-x - 0.2*y", ["x", "y"])]))
