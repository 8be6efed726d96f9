"""How an equation was found, as values that a run folder keeps."""

import json

import numpy as np
import pytest

from odevsr import discover, load
from odevsr.plain import from_plain, to_plain
from odevsr.vertical.asking.story import Conclusion, Place, WayToLaw
from odevsr.world.experiments.measurements import read_measurements


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A finished run of one equation, and its folder."""
    folder = tmp_path_factory.mktemp("runs") / "run"
    return discover("lorenz", components="x1", out=folder).equations[0], folder


def test_a_round_says_what_was_held_and_its_constants_trial_by_trial(run):
    equation, _ = run
    over_x1 = next(each for each in equation.rounds if each.variable == "x1")
    slope, rest = over_x1.constants
    assert over_x1.setting.held == ("x0", "x2")
    assert np.allclose(slope.values, -1.0)
    assert not slope.is_summary
    x0, x2 = np.array(over_x1.setting.values).T
    assert np.allclose(rest.values, x0 * (28 - x2))
    assert rest.is_summary
    assert over_x1.deviation <= over_x1.limit


def test_the_experiments_of_a_round_are_found_among_the_measurements(run):
    equation, folder = run
    kept = read_measurements(folder / "measurements" / "x1.h5")
    for each in equation.rounds:
        first, end = each.setting.experiments
        states = np.concatenate([one.states for one in kept[first:end]])
        assert len(states) == each.trials * each.points
        held = [("x0", "x1", "x2").index(name) for name in each.setting.held]
        rows = {tuple(row) for row in states[:, held].tolist()}
        assert rows == set(each.setting.values)


def test_screening_and_conclusion_say_what_mattered_and_what_led_to_the_law(run):
    equation, _ = run
    (screening,) = equation.screenings
    assert screening.relevant == ("x0", "x1", "x2")
    assert equation.conclusions[-1].strategy is WayToLaw.TOGETHER
    assert equation.conclusions[-1].place.target == "x1"


def test_the_history_says_what_each_epoch_was_about(run):
    _, folder = run
    lines = [json.loads(line) for line in (folder / "history.jsonl").read_text().splitlines()]
    assert {each["target"] for each in lines} == {"x1"}
    assert all(0 <= each["reward"] <= 1 for each in lines)
    assert all(each["candidates"] <= each["proposed"] for each in lines)


def test_what_is_told_comes_back_from_json(run):
    equation, folder = run
    assert load(folder).equations[0].rounds == equation.rounds
    for each in (*equation.rounds, *equation.screenings, *equation.conclusions):
        assert from_plain(type(each), json.loads(json.dumps(to_plain(each)))) == each


def test_a_folder_of_the_first_version_still_loads(run, tmp_path):
    _, folder = run
    header = json.loads((folder / "run.json").read_text())
    result = json.loads((folder / "result.json").read_text())
    del header["content_digest"], result["content_digest"]
    for equation in result["equations"]:
        for key in ("screenings", "conclusions", "found_in"):
            del equation[key]
        for each in equation["rounds"]:
            for key in ("free", "place", "setting", "constants", "numbered", "limit", "seen"):
                del each[key]
    (tmp_path / "run.json").write_text(json.dumps({**header, "format_version": 1}))
    (tmp_path / "result.json").write_text(json.dumps(result))
    first = load(tmp_path).equations[0].rounds[0]
    assert (first.place.target, first.constants, first.setting.held) == ("x1", (), ())


def test_a_discovery_shows_itself_in_a_notebook(run):
    found = load(run[1])
    assert repr(found) == "<Discovery of lorenz: 1 identified>"
    assert found._repr_latex_() == f"$${found.latex()}$$"


def test_what_stands_for_what_keeps_its_order_and_older_runs_have_it_as_an_object():
    place = Place("x", stands_for=(("x", "x*y"), ("x", "x - z")))
    told = to_plain(Conclusion(place, WayToLaw.TOGETHER, (), "", "x"))
    assert from_plain(Conclusion, json.loads(json.dumps(told))).place == place
    told["place"]["stands_for"] = {"x": "x - z"}
    assert from_plain(Conclusion, told).place.stands_for == (("x", "x - z"),)
