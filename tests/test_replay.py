"""The search again on what was measured, without a simulator."""

import json
import shutil

import numpy as np
import pytest
from command import odevsr_here
from outcomes import outcome

from odevsr import discover, function, recording, replay
from odevsr.discovery.files import write_json
from odevsr.errors import RunError, UsageError
from odevsr.world.experiments.budget import OutOfBudgetError
from odevsr.world.experiments.measurements import Measured
from odevsr.world.experiments.oracle import Cost
from odevsr.world.experiments.replayed import ReplayingOracle


@function(mass=(1, 10), volume=(1, 10))
def weight(mass, volume):
    return 9.81 * (mass - 2 * volume)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run of a simulator that others do not have, and its folder."""
    folder = tmp_path_factory.mktemp("runs") / "lotka"
    return discover("simulators:lotka", seed=2, out=folder), folder


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_replay_finds_what_the_run_found_and_writes_nothing(run, jobs):
    found, folder = run
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    assert outcome(replay(folder, jobs=jobs)) == outcome(found)
    assert before == {path: path.stat().st_mtime_ns for path in folder.rglob("*")}


@pytest.mark.parametrize("options", [{"noise": 0.01}, {"sampling": "crossings"}])
def test_noise_and_crossings_are_replayed_as_they_were_measured(tmp_path, options):
    found = discover("linear_oscillator", out=tmp_path / "run", **options)
    again = replay(tmp_path / "run")
    assert [(x.expression, x.status) for x in again.equations] == [
        (x.expression, x.status) for x in found.equations
    ]


def test_functions_are_replayed_too(tmp_path):
    found = discover(weight, out=tmp_path / "run")
    assert outcome(replay(tmp_path / "run")) == outcome(found)


def test_other_settings_are_tried_on_what_was_measured(run):
    found, folder = run
    (law,) = replay(folder, components="x", proposers=("catalogue",)).equations
    assert law.expression == found.equations[0].expression
    assert {each.proposer for each in law.rounds} <= {"catalogue", None}


def test_a_measurement_that_is_missing_is_told_where(run):
    (law,) = replay(run[1], components="x", operators=("+", "*"), trials=4).equations
    assert law.status.value != "identified"
    assert "stopped where nothing was measured, at x = " in law.note


def test_without_its_measurements_a_run_is_not_replayed(run, tmp_path):
    shutil.copytree(run[1], tmp_path / "bare")
    shutil.rmtree(tmp_path / "bare" / "measurements")
    with pytest.raises(RunError, match=r"the first experiment on x, at .* was never made"):
        replay(tmp_path / "bare")


def test_what_cannot_be_replayed_is_refused(run, tmp_path):
    run[0].save(tmp_path / "saved")
    with pytest.raises(RunError, match="does not say what was asked"):
        replay(tmp_path / "saved")
    shutil.copytree(run[1], tmp_path / "old")
    header = json.loads((run[1] / "run.json").read_text())
    del header["asked"]["variables"]
    write_json(tmp_path / "old" / "run.json", header)
    with pytest.raises(RunError, match=r"does not say what was asked \('variables'\)"):
        replay(tmp_path / "old")
    with pytest.raises(UsageError, match="no component 'z'"):
        replay(run[1], components="z")
    with pytest.raises(UsageError, match="no setting"):
        replay(run[1], colour="red")


class Silent:
    """An oracle that is never asked."""

    kind, variable, component, names, box, is_noisy = None, "x", 0, ("x",), None, False

    def __init__(self):
        self.cost = Cost()


def test_repeated_experiments_are_answered_in_turn_and_others_put_together():
    first, second = np.array([[1.0], [2.0]]), np.array([[3.0]])
    spent = Cost(1, 2, 8)
    kept = [
        Measured(first, np.array([value, value]), np.ones(2), spent, first)
        for value in (10.0, 20.0)
    ]
    kept.append(Measured(second, np.array([30.0]), np.zeros(1), spent, second))
    oracle = ReplayingOracle(Silent(), kept)
    assert [oracle.measure(first).values.tolist() for _ in range(3)] == [
        [10] * 2,
        [20] * 2,
        [10] * 2,
    ]
    mixed = oracle.measure(np.array([[[3.0], [1.0]]]))
    assert (mixed.values.tolist(), mixed.errors.tolist()) == ([[30, 10]], [[0, 1]])
    assert oracle.cost == Cost(4, 8, 16)
    with pytest.raises(OutOfBudgetError, match="at x = 4"):
        oracle.measure(np.array([[4.0]]))


def test_the_command_replays_a_run_and_compares_with_the_recorded_system(tmp_path):
    discover("linear_oscillator", out=tmp_path / "run")
    done = odevsr_here("replay", tmp_path / "run", "--json")
    assert done.returncode == 0, done.stderr
    assert [each["exact"] for each in json.loads(done.stdout)["equations"]] == [True, True]


def test_a_run_of_recordings_is_not_replayed(tmp_path):
    times = np.linspace(0, 4, 60)
    decay = recording(times, np.exp(-times)[:, None])
    discover(decay, out=tmp_path / "run")
    with pytest.raises(RunError, match=r"holds laws of recordings.* discover .*recordings\.csv"):
        replay(tmp_path / "run")
