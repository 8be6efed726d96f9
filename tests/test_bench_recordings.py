"""The bench of recordings: what it spoils, how it scores, what it remembers."""

import json
from pathlib import Path

import numpy as np
import pytest

from odevsr.bench.recorded.recordings import (
    RecordedTask,
    bench_recordings,
    simulated,
    spoilt,
)
from odevsr.bench.recorded.scores import ANY, has_structure, is_alike, is_exact, reconstructs
from odevsr.bench.recorded_figures import figures_of
from odevsr.errors import UsageError
from odevsr.language.expression import with_constants
from odevsr.language.parse import parse
from odevsr.world.box import plain_box
from odevsr.world.recordings.rounding import rounding_of
from odevsr.world.recordings.runs import Recordings, Run
from odevsr.world.systems.registry import get_system

BOX = plain_box([[0.5, 2.0]])
TIMES = np.linspace(0, 2, 50)
DECAY = Run("0", TIMES, np.exp(-TIMES)[:, None], np.empty((50, 0)))


def exact(form, *constants):
    law = with_constants(parse(form, ["x"], open_symbols=True), constants)
    return is_exact(law, parse("x - 0.5*x^2", ["x"]), ["x"], BOX)


def test_a_law_is_exact_if_its_constants_can_be_moved_to_the_truth():
    assert exact("C*x + C*x^2", 1.3, -0.4)
    assert not exact("C*x + C*x^2", 2.7, -0.4)


def test_a_law_with_a_term_to_spare_is_not_exact():
    assert not exact("C*x + C*x^2 + C*x^3", 1.01, -0.4, 1e-8)


def test_a_pole_beside_the_box_does_not_keep_a_law_from_being_exact():
    box, truth = plain_box([[0.1, 6.7]]), parse("2 - 1.5*x/(x + 0.4)", ["x"])
    law = with_constants(parse("C/(x + C) + C", ["x"], open_symbols=True), (0.62, 0.46, 0.5))
    assert is_exact(law, truth, ["x"], box)


def test_any_constants_will_do_for_a_structure():
    law = with_constants(parse("C*x + C*x^2", ["x"], open_symbols=True), (-40.0, 3.0))
    truth = parse("x - 0.5*x^2", ["x"])
    assert is_exact(law, truth, ["x"], BOX, ANY)
    assert not is_exact(law, truth, ["x"], BOX)


@pytest.mark.parametrize(
    ("form", "constants", "same"),
    [
        ("C*x + C*x^2 + C*(x^2/(x^2 + C))", (0.8, -0.005, -41.0, 3300.0), True),
        ("C*x + C*x^2 + C*(x/(x^2 + C))", (0.8, -0.005, -41.0, 3300.0), False),
        ("C*x + C*(x^2/(x^2 + C))", (0.8, -41.0, 3300.0), False),
    ],
)
def test_a_structure_is_told_however_far_its_constants_are(form, constants, same):
    law = with_constants(parse(form, ["x"], open_symbols=True), constants)
    truth = parse("0.4*x - 0.004*x^2 - x^2/(x^2 + 1)", ["x"])
    assert has_structure(law, truth, ["x"], plain_box([[2.0, 107.0]])) is same


@pytest.mark.parametrize(
    ("law", "alike"),
    [("x*cos(y)", True), ("x*cot(2*y)", True), ("x*cos(x)", False), ("x*y", False)],
)
def test_laws_of_other_variables_or_kinds_of_functions_are_never_alike(law, alike):
    names = ["x", "y"]
    assert is_alike(parse(law, names), parse("x - sin(y)", names)) is alike


def test_motion_is_reconstructed_or_not():
    assert reconstructs([parse("-1.01*x", ["x"])], ["x"], DECAY)
    assert not reconstructs([parse("1.0*x", ["x"])], ["x"], DECAY)
    assert not reconstructs([parse("900.0*x^2", ["x"])], ["x"], DECAY)


def test_noise_and_gaps_are_those_of_the_cell():
    clean = Recordings(("x",), (DECAY,))
    task = RecordedTask(Path("bench_07.csv"), Path("bench_07.toml"), "0.05:0.5", 3, (0,))
    run = spoilt(clean, task).runs[0]
    rng = np.random.default_rng([3, 7, 0])
    noisy = DECAY.states * (1 + 0.05 * rng.standard_normal((50, 1)))
    assert 0 < len(run.times) < 50
    assert np.isin(run.states, noisy).all()


def test_digits_are_those_of_the_cell():
    task = RecordedTask(Path("bench_07.csv"), Path("bench_07.toml"), "0:0:3", 0, (0,))
    run = spoilt(Recordings(("x",), (DECAY,)), task).runs[0]
    assert rounding_of(run.states[:, 0]).digits == 3
    assert np.allclose(run.states, DECAY.states, rtol=5.1e-3)
    assert not np.allclose(run.states, DECAY.states, rtol=1e-5)


def test_what_is_remembered_is_not_measured_again(tmp_path):
    (tmp_path / "recordings").mkdir()
    (tmp_path / "systems").mkdir()
    (tmp_path / "recordings" / "one.csv").touch()
    (tmp_path / "systems" / "one.toml").touch()
    row = {
        "cell": "0:0", "runs": 1, "dimension": 1, "reconstructs": True, "generalises": True,
        "exact": True, "laws": 1, "identified": 1, "identified, exact": 1, "not exact": 0,
        "not exact, truth named": 0, "CPU s": 1.0, "found": "x",
    }  # fmt: skip
    rows = [{"task": f"one 0:0 seed 0 run {run}", **row} for run in (0, 1)]
    memory = tmp_path / "memory.json"
    memory.write_text(json.dumps(rows))
    result = bench_recordings(tmp_path / "recordings", cells=["0:0"], memory=memory)
    assert result.holds
    assert len(result.rows) == 2
    assert figures_of(rows) == result.figures


def test_the_runs_of_a_system_are_simulated_from_its_own_start_and_another():
    system = get_system("lotka_volterra")
    runs = simulated(system).runs
    assert [run.states.shape for run in runs] == [(512, 2)] * 2
    assert runs[0].times[-1] == system.simulation.duration
    np.testing.assert_array_equal(runs[0].states[0], system.start)
    assert (runs[1].states[0] != system.start).all()


def test_a_folder_without_recordings_and_systems_is_refused(tmp_path):
    with pytest.raises(UsageError, match="no system files"):
        bench_recordings(tmp_path)


def test_systems_that_do_not_move_are_left_out(tmp_path):
    (tmp_path / "henon.toml").write_text(get_system("henon").text)
    with pytest.raises(UsageError, match="no system files"):
        bench_recordings(tmp_path)


@pytest.mark.parametrize("cell", ["loud", "0.1", "0:0:0", "0:0:six"])
def test_a_cell_is_two_or_three_numbers(tmp_path, cell):
    with pytest.raises(UsageError, match="a cell is"):
        bench_recordings(tmp_path, cells=[cell])
