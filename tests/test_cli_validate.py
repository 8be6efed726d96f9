import json

import pytest

from odevsr.discovery.discover import discover
from odevsr.discovery.folder import load
from odevsr.verdict.judgement import IMPLICIT, ON_MEASUREMENTS, ON_TRAJECTORIES, OURS
from tests.command import odevsr_here
from tests.system_texts import written


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run folder of a small system."""
    folder = tmp_path_factory.mktemp("runs") / "run"
    discover("linear_oscillator", out=folder)
    return folder


def test_the_command_prints_one_object(run):
    done = odevsr_here("validate", run, "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["schema"] == 1
    assert json.loads((run / "verdict.json").read_text()) == result
    assert [each["exact"] for each in result["methods"]] == [2, 2, 2, 2]
    assert {"expression", "r2", "nmse", "terms", "precision", "recall", "constants"} <= set(
        result["methods"][0]["equations"][0]
    )


def test_a_target_is_discovered_with_the_options_given():
    words = ("--noise", "0.01", "--components", "y", "--jobs", "2", "--range", "x=3,4")
    done = odevsr_here("validate", "linear_oscillator", *words, "--json")
    result = json.loads(done.stdout)
    assert [each["variable"] for each in result["truth"]] == ["y"]
    assert any("noise of 0.01" in note for note in result["notes"])
    assert 0 < result["cpu_s"]["sindy_share"] < 1
    other = odevsr_here("validate", "linear_oscillator", "--range", "q=3,4")
    assert other.returncode == 2
    assert "has no variable 'q'" in other.stderr


def test_a_run_takes_no_options_of_its_making(run):
    done = odevsr_here("validate", run, "--noise", "0.01")
    assert done.returncode == 2
    assert "judged as it was made" in done.stderr


def test_the_page_names_every_method_and_explains_its_columns(run):
    done = odevsr_here("validate", run)
    assert done.returncode == 0, done.stderr
    for word in (OURS, ON_TRAJECTORIES, ON_MEASUREMENTS, IMPLICIT, "follows for", "exact", "CPU s"):
        assert word in done.stdout


def test_a_run_without_measurements_is_refused_with_a_sentence(run, tmp_path):
    load(run).save(tmp_path / "bare")
    done = odevsr_here("validate", tmp_path / "bare")
    assert done.returncode == 3
    assert "holds no measurements" in done.stderr
    assert done.stdout == ""


def test_a_run_of_a_file_needs_no_file(tmp_path):
    path = written(tmp_path, "decay")
    discover(path, params={"rate": "2/7"}, out=tmp_path / "run")
    path.unlink()
    done = odevsr_here("validate", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    assert "damount/dt = -2/7*amount" in done.stdout
    assert "SINDy (b): on measurements" in done.stderr


def test_a_simulator_is_validated_without_its_laws():
    done = odevsr_here("validate", "simulators:lotka")
    assert done.returncode == 0, done.stderr
    assert "the laws of simulators:lotka are not known" in done.stdout
    assert "dx/dt\n" in done.stdout
    refused = odevsr_here("validate", "simulators:lotka", "--param", "a=1")
    assert refused.returncode == 2
    assert "has no --param" in refused.stderr


def test_a_run_of_other_parameters_is_refused(run):
    done = odevsr_here("validate", run, "--param", "damping=0.2")
    assert done.returncode == 3
    assert "--param" in done.stderr
