import numpy as np
import pytest

from odevsr.language.evaluate import compile_field
from odevsr.language.parse import parse
from odevsr.verdict.recordings.motion import motion_error, replayed
from odevsr.world.recordings.runs import Run

TIMES = np.linspace(0, 3, 40)


def field(law, *names):
    return compile_field([parse(law, names)], names)


def run(states, inputs=None):
    return Run("a", TIMES, states[:, None], np.empty((40, 0)) if inputs is None else inputs)


def test_a_motion_follows_its_law_and_inputs_as_they_were_recorded():
    decay = run(2 * np.exp(-TIMES))
    moved = replayed(field("-x", "x"), decay, np.array([2.0]))
    np.testing.assert_allclose(moved, decay.states, rtol=1e-5)
    ramp = run(TIMES**2 / 2, TIMES[:, None])
    moved = replayed(field("u + 0*x", "x", "u"), ramp, np.array([0.0]))
    np.testing.assert_allclose(moved, ramp.states, atol=1e-6)


def test_what_a_motion_leaves_is_a_share_of_the_variance():
    decay = run(2 * np.exp(-TIMES))
    start = [np.array([2.0])]
    assert motion_error(field("-x", "x"), [decay], start) == pytest.approx(0, abs=1e-12)
    still = motion_error(field("0*x", "x"), [decay], [np.mean(decay.states, axis=0)])
    assert still == pytest.approx(1)


def test_samples_that_are_missing_do_not_count():
    states = 2 * np.exp(-TIMES)
    states[7] = np.nan
    assert motion_error(field("-x", "x"), [run(states)], [np.array([2.0])]) < 1e-10


@pytest.mark.parametrize("law", ["x**2", "exp(x)", "log(-x)", "1e9*sin(1e9*x)"])
def test_a_motion_that_is_lost_or_stiff_is_given_up_without_a_word(law):
    assert motion_error(field(law, "x"), [run(2 * np.exp(-TIMES))], [np.array([2.0])]) == np.inf
