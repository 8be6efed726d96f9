"""What a pilot found out of a target, as properties and in words."""

import adapted
import numpy as np
import pytest

from odevsr import discover, rhs, simulator
from odevsr.cli import run
from odevsr.kind import Kind
from odevsr.world.pilot.abilities import abilities
from odevsr.world.pilot.pilot import pilot_from_json
from odevsr.world.piloted import pilot_of
from odevsr.world.studied import study


def found(target, difference="central"):
    studied = study(target)
    pilot = pilot_of(studied, difference, np.random.default_rng(0))
    return abilities(pilot_from_json(pilot.to_json()), Kind.ODE, studied.names, difference)


def decaying(backwards=True, scatter=0.0):
    rng = np.random.default_rng(0)

    @simulator(x=(0, 2))
    def decay(states, steps):
        lengths = steps if backwards else np.abs(steps)
        ends = states * np.exp(-lengths[:, None])
        return ends + scatter * rng.standard_normal(ends.shape)

    return decay


def test_what_tells_rates_is_asked_nothing_else():
    able = found(adapted.rate)
    assert able.tells == "derivatives"
    assert able.runs_backwards is None
    assert able.repeats_itself
    assert "it tells derivatives at any state of its ranges; repeats itself" in able.sentence


def test_what_moves_runs_backwards_or_not():
    assert found(decaying()).runs_backwards is True
    assert found(decaying(backwards=False)).runs_backwards is False
    assert found(decaying(), "forward").runs_backwards is None
    assert "moves from any state" in found(decaying()).sentence
    assert "runs forwards only" in found(decaying(backwards=False)).sentence


def test_what_scatters_and_what_has_steps_of_its_own_are_known():
    able = found(decaying(scatter=1e-3))
    assert not able.repeats_itself
    assert "scatters" in able.sentence

    @simulator(x=(0, 2))
    def stepping(states, steps):
        return states * 0.99 ** np.floor(steps / 0.01 + 1e-9)[:, None]

    able = found(stepping)
    assert able.time_step == pytest.approx(0.01)
    assert "time steps of 0.01" in able.sentence


def test_a_part_of_the_ranges_and_a_call_that_takes_long_are_told():
    @rhs(x=(-1, 2), y=(-1, 2))
    def cornered(t, y):
        with np.errstate(invalid="ignore"):
            return [np.sqrt(y[0] + y[1] + 1.0), -y[1]]

    able = found(cornered)
    assert able.coverage < 1
    assert "% of the states" in able.sentence
    assert 0 < able.seconds < 1


def test_who_listens_and_who_asks_for_more_is_told(capsys):
    told = []
    discover(adapted.rate, components="x", on_event=lambda event: told.append(event.found_out))
    assert sum("it tells derivatives" in each for each in told) == 1
    for option, says in (("--verbose", True), ("--json", False)):
        run(["discover", "adapted:rate", "--components", "x", option])
        assert ("it tells derivatives" in capsys.readouterr().err) is says
