"""Recordings of a system that can be launched: their laws are tried first."""

import numpy as np
import pytest

import odevsr
from odevsr.errors import UsageError
from odevsr.language.text import to_text
from tests.command import odevsr_here
from tests.simulators import lotka

TIMES = np.linspace(0, 6, 120)


def recorded(states):
    return odevsr.recording(TIMES, states, names=["x", "y"])


@pytest.fixture(scope="module")
def motion():
    states = [np.array([[1.0, 0.7]])]
    for step in np.diff(TIMES):
        states.append(lotka(states[-1], np.array([step])))
    return np.concatenate(states)


def test_laws_of_recordings_that_launches_confirm_need_fewer_states(motion, tmp_path):
    alone, helped = (
        odevsr.discover(lotka, prior=prior, out=out)
        for prior, out in ((None, None), (recorded(motion), tmp_path / "run"))
    )
    assert helped.identified
    assert [to_text(each.expression) for each in helped.equations] == [
        to_text(each.expression) for each in alone.equations
    ]
    assert helped.cost.states < alone.cost.states / 2
    assert "recordings suggest" in odevsr.explain(helped)
    again = odevsr.replay(tmp_path / "run")
    assert [each.expression for each in again.equations] == [
        each.expression for each in helped.equations
    ]


def test_a_run_that_goes_on_keeps_what_recordings_suggested(motion, tmp_path, monkeypatch):
    folder = tmp_path / "run"
    first = odevsr.discover(lotka, prior=recorded(motion), components="x", out=folder)
    monkeypatch.setattr("odevsr.discovery.discover.guesses_of", None)
    again = odevsr.discover(lotka, prior=recorded(motion), components="x", out=folder, resume=True)
    assert [to_text(each.equations[0].expression) for each in (first, again)] == 2 * ["x*(1.5 - y)"]
    with pytest.raises(TypeError):
        odevsr.discover(lotka, prior=recorded(2 * motion), components="x", out=folder, resume=True)


def test_laws_of_recordings_of_something_else_are_refuted():
    circle = np.column_stack([1 + 0.5 * np.sin(TIMES), 1 + 0.5 * np.cos(TIMES)])
    found = odevsr.discover(lotka, prior=recorded(circle), components="x")
    assert found.identified
    assert to_text(found.equations[0].expression) == "x*(1.5 - y)"


def test_recordings_of_other_variables_are_refused(tmp_path):
    file = tmp_path / "runs.csv"
    file.write_text("t,x0,y\n0,1,2\n1,2,3\n2,3,5\n")
    with pytest.raises(UsageError, match="the prior records x0"):
        odevsr.discover(lotka, prior=file)
    done = odevsr_here("discover", "lorenz", "--prior", file)
    assert done.returncode == 2
    assert "the prior records y, which is no variable of lorenz" in done.stderr
    with pytest.raises(UsageError, match="prior is for what can be experimented on"):
        odevsr.discover(file, prior=file)
