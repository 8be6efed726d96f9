"""Even powers of what never changed its sign."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import odevsr
from odevsr.language.text import to_text
from odevsr.recorded.discover import discover_recordings
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
