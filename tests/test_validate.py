"""A discovery beside SINDy: through the API."""

from dataclasses import replace

import pytest

import odevsr
from odevsr.errors import RunError, UsageError
from odevsr.language.parse import parse
from odevsr.verdict.judgement import IMPLICIT, ON_MEASUREMENTS, ON_TRAJECTORIES, OURS
from odevsr.verdict.validate import validate, validate_target
from odevsr.vertical.discover import discover
from odevsr.vertical.run import load
from odevsr.world.system_file import parse_system

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
    assert all(0 <= each.error < 1e-6 for each in constants)


def test_a_run_of_another_version_is_refused(run):
    old = replace(load(run), versions={"odevsr": "0.0.1"})
    with pytest.raises(RunError, match=r"made by odevsr 0\.0\.1"):
        validate(old, run=run)


def test_a_target_whose_equations_are_not_known_is_refused(run):
    with pytest.raises(UsageError, match="not known"):
        validate(replace(load(run), target="models.rotor:spin"))


def test_a_function_that_sindy_has_in_no_library_is_named():
    verdict = validate_target(parse_system(SATURATING, "saturating"))
    assert any("exp" in note and "approximate" in note for note in verdict.notes)
    assert verdict.method(OURS).exact == 1
    assert verdict.method(ON_MEASUREMENTS).exact == 0


def test_the_public_name_is_the_function():
    assert odevsr.validate is validate
