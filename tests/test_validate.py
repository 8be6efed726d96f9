"""A discovery beside SINDy: through the API."""

from dataclasses import replace

import pytest
import simulators

import odevsr
from odevsr.discovery.discover import discover
from odevsr.discovery.folder import load
from odevsr.errors import RunError, UsageError
from odevsr.language.parse import parse
from odevsr.language.text import to_text
from odevsr.verdict.judgement import IMPLICIT, ON_MEASUREMENTS, ON_TRAJECTORIES, OURS
from odevsr.verdict.validate import validate
from odevsr.vertical.equation import Status
from odevsr.world.systems.file import parse_system
from tests.system_texts import written

SYSTEM = "linear_oscillator"
SATURATING = """
format = 1
name = "saturating"
title = "Decay that slows down"
source = "made up"
[state]
x = { range = [0.5, 3], start = 1.0 }
[equations]
x = "2*exp(-1.5*x) - 0.5*x"
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run folder of a small system."""
    folder = tmp_path_factory.mktemp("runs") / "run"
    discover(SYSTEM, out=folder)
    return folder


@pytest.fixture(scope="module")
def verdict(run):
    return validate(load(run), run=run)


def test_all_methods_find_a_small_linear_system(verdict):
    assert [each.name for each in verdict.methods] == [
        OURS,
        ON_TRAJECTORIES,
        ON_MEASUREMENTS,
        IMPLICIT,
    ]
    assert all(each.exact == 2 for each in verdict.methods)
    assert verdict.holds


def test_sindy_is_given_the_states_that_the_run_measured(verdict, run):
    ours, theirs = verdict.method(OURS), verdict.method(ON_MEASUREMENTS)
    assert theirs.states == sum(each.cost.states for each in load(run).equations)
    assert theirs.states <= ours.states
    assert any("odevsr measured" in note for note in verdict.notes)


def test_the_truth_follows_the_held_out_trajectories(verdict):
    assert verdict.method(OURS).valid_time == pytest.approx(verdict.duration)
    assert not verdict.exponent.is_chaotic


def test_a_wrong_law_is_called_wrong(run):
    found = load(run)
    wrong = replace(found.equations[0], expression=parse("0.9*y - 0.1*x", found.names))
    verdict = validate(replace(found, equations=(wrong, *found.equations[1:])), run=run)
    assert not verdict.holds
    assert verdict.method(OURS).valid_time < verdict.duration


def test_without_a_run_as_many_states_are_measured_afresh(run):
    verdict = validate(load(run))
    assert any("fresh" in note for note in verdict.notes)
    assert verdict.holds


def test_errors_of_constants_can_be_resampled(run):
    verdict = validate(load(run), run=run, bootstrap=5)
    constants = verdict.method(OURS).judgements[0].constants
    assert all(1e-18 < each.error < 1e-9 for each in constants)


def test_sindy_is_given_the_noise_and_the_components_that_are_asked_for():
    verdict = validate(SYSTEM, components="x", noise=0.02)
    assert [name for name, _ in verdict.truth] == ["x"]
    assert {len(each.judgements) for each in verdict.methods} == {1}
    assert {each.valid_time for each in verdict.methods} == {None}
    assert all(each.judgements[0].form.precision == 1.0 for each in verdict.methods)
    assert all(1e-9 < each.judgements[0].nmse < 1e-3 for each in verdict.methods)
    assert sum("noise of 0.02" in note for note in verdict.notes) == 2


def test_without_a_run_fresh_states_are_as_noisy_as_those_of_the_discovery():
    verdict = validate(discover(SYSTEM, noise=0.02))
    assert all(1e-9 < each.nmse < 1e-3 for each in verdict.method(ON_MEASUREMENTS).judgements)


@pytest.mark.parametrize("option", [{"noise": 0.1}, {"components": "x"}, {"jobs": 2}])
def test_what_is_made_already_takes_no_options_of_its_making(run, option):
    with pytest.raises(UsageError, match="judged as it was made"):
        validate(run, **option)


def test_jobs_change_nothing_but_where_the_seconds_are_spent(verdict):
    shared = validate(SYSTEM, jobs=2)
    assert [str(each) for each in shared.method(OURS).judgements] == [
        str(each) for each in verdict.method(OURS).judgements
    ]
    assert shared.cpu_s.discovery > verdict.cpu_s.discovery == 0.0


def test_a_run_of_another_version_is_refused(run):
    old = replace(load(run), versions={"odevsr": "0.0.1"})
    with pytest.raises(RunError, match=r"made by odevsr 0\.0\.1"):
        validate(old, run=run)


def test_a_discovery_that_nobody_knows_the_target_of_is_refused(run):
    found = replace(load(run), system_file="")
    with pytest.raises(UsageError, match="does not say what nothing is, and no system has"):
        validate(replace(found, target="nothing"))
    with pytest.raises(UsageError, match="there is no module 'models' for the simulator"):
        validate(replace(found, target="models.rotor:spin"))
    assert validate(found).holds


def test_a_run_knows_the_system_it_was_made_with(tmp_path):
    path, folder = written(tmp_path, "decay"), tmp_path / "run"
    discover(path, params={"rate": "2/7"}, vary={"gain": (0.05, 0.2)}, out=folder)
    path.unlink()
    verdict = validate(folder)
    assert verdict.method(OURS).exact == 2
    assert [to_text(law) for _, law in verdict.truth] == ["-2/7*amount", "gain*amount - heat"]


def test_a_simulator_without_known_laws_is_held_against_itself(tmp_path):
    found = discover(simulators.lotka, out=tmp_path / "run")
    verdict = validate(found, system=simulators.lotka, run=tmp_path / "run")
    assert [each.name for each in verdict.methods] == [OURS, ON_MEASUREMENTS, IMPLICIT]
    assert {each.exact for each in verdict.methods} == {None}
    assert verdict.truth == (("x", None), ("y", None))
    ours = verdict.method(OURS)
    assert [each.r2 for each in ours.judgements] == pytest.approx([1.0, 1.0], abs=1e-12)
    assert ours.valid_time == pytest.approx(verdict.duration)
    assert verdict.holds
    poor = replace(found, equations=(replace(found.equations[0], status=Status.APPROXIMATE),))
    assert not validate(poor, system=simulators.lotka, run=tmp_path / "run").holds


def test_a_verdict_prints_every_law_with_how_it_does(verdict, capsys):
    verdict.print()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("dx/dt = ")
    assert lines[1].startswith(f"    {OURS}: ")
    assert lines[1].endswith("(exact, R2 1, 2 terms, identified)") or "(exact, R2 1 -" in lines[1]
    assert f"{OURS}: 2 of 2 exact, follows for" in "\n".join(lines)


def test_a_verdict_tells_what_is_being_done(run):
    said = []
    validate(run, on_event=lambda event: said.append(event.message))
    assert f"{ON_TRAJECTORIES}: on trajectories" in said


def test_a_function_that_sindy_has_in_no_library_is_named():
    verdict = validate(parse_system(SATURATING, "saturating"))
    assert any(note.startswith("saturating holds exp") for note in verdict.notes)
    assert verdict.method(OURS).exact == 1
    assert verdict.method(ON_MEASUREMENTS).exact == 0


def test_the_public_name_is_the_function():
    assert odevsr.validate is validate
