import json
import math
import os
import shutil
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from outcomes import outcome

import odevsr
from odevsr import discover, load
from odevsr.discovery.files import read_json, write_json
from odevsr.discovery.folder import RunFolder
from odevsr.discovery.result import Unfinished
from odevsr.errors import RunError, UnknownSystemError, UsageError
from odevsr.language.expression import Number
from odevsr.settings import Settings
from odevsr.world.experiments.launched import LaunchOracle
from odevsr.world.experiments.measurements import read_measurements
from odevsr.world.experiments.oracle import Cost
from odevsr.world.systems.file import parse_system
from tests.system_texts import DECAY, written


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A finished run, and its folder."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    return discover("lorenz", seed=3, out=folder), folder


def test_a_run_folder_holds_what_was_asked_measured_and_found(whole):
    found, folder = whole
    header = json.loads((folder / "run.json").read_text())
    assert header["asked"]["target"] == "lorenz"
    assert header["asked"]["seed"] == 3
    assert header["versions"]["odevsr"] == odevsr.__version__
    history = [json.loads(line) for line in (folder / "history.jsonl").read_text().splitlines()]
    assert {each["equation"] for each in history} == {"x0", "x1", "x2"}
    for equation in found.equations:
        kept = read_measurements(folder / "measurements" / f"{equation.variable}.h5")
        assert len(kept) == equation.cost.experiments
        assert sum(len(each.values) for each in kept) == equation.cost.states
        asked_again = equation.cost.simulations - sum(each.spent.simulations for each in kept)
        assert asked_again == len(header["pilot"]["beginning"]["states"])
    assert not list(folder.rglob("*.part"))


def test_a_run_is_the_same_with_and_without_a_folder(whole):
    found, _ = whole
    assert outcome(discover("lorenz", seed=3)) == outcome(found)


def test_a_discovery_comes_back_from_its_folder(whole, tmp_path):
    found, folder = whole
    assert load(folder).to_json() == found.to_json()
    found.save(tmp_path / "copy")
    assert load(tmp_path / "copy") == load(folder)
    assert load(str(folder)).predict([[1.0, 2.0, 3.0]]).tolist() == [[10.0, 23.0, -6.0]]


def test_a_run_keeps_its_system_with_the_parameters_used_and_varied(tmp_path):
    path = written(tmp_path, "decay")
    asked = {"params": {"rate": "2/7"}, "vary": {"gain": (0.05, 0.2)}}
    found = discover(path, components="heat", out=tmp_path / "run", **asked)
    system = parse_system(found.system_file, "the run")
    assert (system.parameters, system.inputs) == ({"rate": Fraction(2, 7)}, ("gain",))
    assert load(tmp_path / "run").system_file == found.system_file
    load(tmp_path / "run").save(tmp_path / "copy")
    assert load(tmp_path / "copy").system_file == found.system_file


def test_a_run_is_resumed_with_the_system_it_was_begun_with(tmp_path):
    path = written(tmp_path, "decay")
    found = discover(path, out=tmp_path / "run", params={"rate": "2/7"})
    (tmp_path / "run" / "result.json").unlink()
    path.unlink()
    resumed = discover("decay", out=tmp_path / "run", resume=True)
    assert outcome(resumed) == outcome(found)
    with pytest.raises(RunError, match="asked for other digest"):
        discover(parse_system(DECAY, "decay"), out=tmp_path / "run", resume=True)
    with pytest.raises(UnknownSystemError, match="there is no system 'decays'"):
        discover("decays", out=tmp_path / "run", resume=True)


def test_a_run_of_before_systems_were_kept_is_loaded_and_resumed(whole, tmp_path):
    found, folder = whole
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    header = json.loads((copy / "run.json").read_text())
    del header["system_file"]
    write_json(copy / "run.json", header)
    assert load(copy).to_json() == found.to_json()
    assert load(copy).system_file == ""
    assert outcome(discover("lorenz", seed=3, out=copy, resume=True)) == outcome(found)


def test_what_was_searched_again_beside_an_equation_out_of_time_is_not_finished(whole, tmp_path):
    found, folder = whole
    path = shutil.copytree(folder, tmp_path / "run")
    run = RunFolder(path, read_json(path / "run.json")["asked"], "")
    x0, x1, x2 = found.equations
    run.write(replace(found, equations=(x0, replace(x1, passes=2), x2)))
    assert list(run.equations()) == ["x0", "x1", "x2"]
    late = replace(x2, status=odevsr.Status.APPROXIMATE, out_of_time=True)
    run.write(replace(found, equations=(x0, replace(x1, passes=2), late)))
    assert list(run.equations()) == ["x0"]


def launches_nothing(world, component, pilot, settings, seeds):
    def launch(states, step):
        raise AssertionError("this was measured before")

    class Silent(LaunchOracle):
        pass

    from dataclasses import replace

    return Silent(replace(world, launch=launch), component, pilot.calibrations[component])


def test_an_interrupted_run_goes_on_and_ends_as_if_nothing_had_happened(whole, tmp_path):
    found, _ = whole
    seen = []

    def interrupt(event):
        seen.append(event)
        if event.variable == "x1" and event.epoch is not None and event.epoch.variable == "x1":
            raise KeyboardInterrupt

    folder = tmp_path / "run"
    with pytest.raises(odevsr.Interrupted):
        discover("lorenz", seed=3, out=folder, on_event=interrupt)
    part = load(folder)
    assert part.interrupted
    assert [each.variable for each in part.equations] == ["x0"]
    kept = read_measurements(folder / "measurements" / "x1.h5")
    assert 0 < len(kept) < found.equations[1].cost.experiments
    events = []
    resumed = discover("lorenz", seed=3, out=folder, resume=True, on_event=events.append)
    assert outcome(resumed) == outcome(found)
    assert "x0" not in {each.variable for each in events}
    history = (folder / "history.jsonl").read_text()
    assert history == (whole[1] / "history.jsonl").read_text()


def test_a_search_is_replayed_from_its_measurements_without_any_launch(whole, tmp_path):
    found, folder = whole
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    (copy / "result.json").unlink()
    replayed = discover("lorenz", seed=3, out=copy, resume=True, oracle=launches_nothing)
    assert outcome(replayed) == outcome(found)


def test_measurements_of_another_search_are_measured_again(whole, tmp_path):
    found, folder = whole
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    (copy / "result.json").unlink()
    shutil.copy(copy / "measurements" / "x0.h5", copy / "measurements" / "x1.h5")
    assert outcome(discover("lorenz", seed=3, out=copy, resume=True)) == outcome(found)


def test_equations_asked_about_the_same_states_are_not_taken_for_one_another(tmp_path):
    asked = {"frugal": True, "out": tmp_path / "run"}
    found = discover("lorenz", **asked)
    (tmp_path / "run" / "result.json").unlink()
    kept = tmp_path / "run" / "measurements"
    shutil.copy(kept / "x0.h5", kept / "x1.h5")
    assert str(discover("lorenz", **asked, resume=True)) == str(found)


def test_what_was_never_begun_is_not_resumed(tmp_path):
    with pytest.raises(RunError, match=r"no run in .*new to resume"):
        discover("lorenz", components=["x0"], out=tmp_path / "new", resume=True)
    assert not (tmp_path / "new").exists()
    with pytest.raises(UsageError, match="give the folder"):
        discover("lorenz", resume=True)


def test_what_was_killed_before_it_was_asked_is_begun(tmp_path):
    (tmp_path / ".run.json.00.part").write_text("half")
    assert discover("lorenz", components=["x0"], out=tmp_path, resume=True).identified


def test_a_folder_that_is_not_empty_is_not_overwritten(whole, tmp_path):
    found, folder = whole
    with pytest.raises(RunError, match="not empty"):
        discover("lorenz", out=folder)
    with pytest.raises(RunError, match="not overwritten"):
        found.save(folder)
    (tmp_path / "file").write_text("mine")
    with pytest.raises(RunError, match="is a file"):
        discover("lorenz", out=tmp_path / "file")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text("mine")
    with pytest.raises(RunError, match="no run"):
        discover("lorenz", out=tmp_path / "notes", resume=True)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"seed": 4}, "seed"),
        ({"target": "mhd"}, "target"),
        ({"components": ["x0"]}, "components"),
        ({"settings": Settings(trials=6)}, "settings"),
    ],
)
def test_a_run_is_resumed_only_with_what_it_was_asked_for(whole, change, named):
    options = {"target": "lorenz", "seed": 3, **change}
    with pytest.raises(RunError, match=f"asked for other .*{named}"):
        discover(options.pop("target"), out=whole[1], resume=True, **options)


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("run.json", "{", "cannot be read"),
        ("run.json", "[]", "not a file of odevsr"),
        ("run.json", '{"format": "other"}', "not a run folder"),
        ("run.json", '{"format": "odevsr-run", "format_version": 99}', "later format"),
        ("result.json", "{", r"result\.json is damaged .*; restore it from a copy, or remove"),
        ("result.json", '{"schema": 99}', "schema is 99"),
        ("result.json", '{"schema": 1}', "damaged or of another version"),
        ("result.json", None, "found nothing yet"),
        ("run.json", None, "no run.json"),
    ],
)
def test_a_damaged_or_foreign_run_is_refused_in_a_sentence(whole, tmp_path, name, text, sentence):
    copy = tmp_path / "copy"
    shutil.copytree(whole[1], copy)
    (copy / name).unlink()
    if text is not None:
        (copy / name).write_text(text)
    with pytest.raises(RunError, match=sentence):
        load(copy)


@pytest.mark.parametrize(
    ("name", "is_pipe"),
    [(each, False) for each in ("history.jsonl", "measurements", "launches.h5")]
    + [(each, True) for each in ("history.jsonl", "run.json", "measurements/x0.h5")],
)
def test_a_run_whose_files_are_links_or_pipes_is_neither_read_nor_gone_on_with(
    whole, tmp_path, name, is_pipe
):
    folder, elsewhere = tmp_path / "run", tmp_path / "elsewhere"
    shutil.copytree(whole[1], folder)
    if (folder / name).exists():
        (folder / name).rename(tmp_path / "kept")
    if is_pipe:
        os.mkfifo(folder / name)
    else:
        (folder / name).symlink_to(elsewhere)
    for use in (load, lambda run: discover("lorenz", seed=3, out=run, resume=True)):
        with pytest.raises(RunError, match=f"{name} is a link or no plain file"):
            use(folder)
    assert not elsewhere.exists()


@pytest.mark.parametrize("name", ["../x0", "<b>", "x9", 3])
def test_a_result_with_laws_of_what_is_no_variable_is_refused(whole, tmp_path, name):
    shutil.copytree(whole[1], tmp_path / "run")
    path = tmp_path / "run" / "result.json"
    values = read_json(path)
    values["equations"][0]["variable"] = name
    write_json(path, values)
    with pytest.raises(RunError, match=r"result.json is damaged or of another version"):
        load(tmp_path / "run")


def test_searches_cut_short_and_constant_laws_are_loaded_as_they_were(whole, tmp_path):
    cut = Unfinished("x1", Cost(2, 340, 1360), 3.4, 3090, "x0", "C*x0 + C")
    still = replace(whole[0].equations[0], expression=Number(3))
    found = replace(whole[0], equations=(still,), interrupted=True, unfinished=(cut,))
    found.save(tmp_path / "cut")
    loaded = load(tmp_path / "cut")
    assert loaded.unfinished == (cut,)
    assert loaded.to_json() == found.to_json()
    assert math.isnan(loaded.equations[0].r2)


def test_no_run_is_loaded_from_nowhere(tmp_path):
    with pytest.raises(RunError, match="no such folder"):
        load(tmp_path / "nowhere")


def test_an_expression_in_a_result_cannot_run_code(whole, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(whole[1], copy)
    values = json.loads((copy / "result.json").read_text())
    values["equations"][0]["expression"] = "__import__('os').system('touch pwned')"
    write_json(copy / "result.json", values)
    with pytest.raises(RunError, match="damaged"):
        load(copy)


def test_a_run_of_another_version_is_not_resumed(whole, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(whole[1], copy)
    header = json.loads((copy / "run.json").read_text())
    header["versions"]["odevsr"] = "0.0.1"
    write_json(copy / "run.json", header)
    with pytest.raises(RunError, match="made by odevsr 0"):
        discover("lorenz", seed=3, out=copy, resume=True)


def test_a_saved_discovery_is_no_run_to_go_on_with(whole, tmp_path):
    whole[0].save(tmp_path / "saved")
    with pytest.raises(RunError, match="not a run to go on with"):
        discover("lorenz", seed=3, out=tmp_path / "saved", resume=True)


def test_damaged_lines_of_the_history_are_dropped_and_counted(whole, tmp_path):
    copy, told = tmp_path / "copy", []
    shutil.copytree(whole[1], copy)
    with (copy / "history.jsonl").open("ab") as file:
        file.write(b'what?\n[]\n{"equation": [], "pass": {}}\n"\xff"\n{"equation": "x0", "pa')
    discover("lorenz", seed=3, out=copy, resume=True, on_event=lambda e: told.append(e.message))
    assert (copy / "history.jsonl").read_text() == (whole[1] / "history.jsonl").read_text()
    assert any(each.endswith("damaged lines are left out (4)") for each in told)


def test_damaged_measurements_are_told(whole, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(whole[1], copy)
    (copy / "result.json").unlink()
    (copy / "measurements" / "x0.h5").write_text("no HDF5")
    with pytest.raises(RunError, match=r"x0\.h5 is damaged"):
        discover("lorenz", seed=3, out=copy, resume=True)


@pytest.mark.parametrize("name", ["run.json", "result.json", "measurements/x0.h5"])
@given(data=st.data())
@settings(max_examples=40)
def test_a_changed_byte_or_a_lost_end_is_told_or_changes_nothing(whole, name, data):
    content = (whole[1] / name).read_bytes()
    place = data.draw(st.integers(0, len(content) - 1))
    with TemporaryDirectory() as folder:
        damaged = Path(folder) / Path(name).name
        if data.draw(st.booleans()):
            damaged.write_bytes(content[:place])
        else:
            mask = data.draw(st.integers(1, 255))
            changed = bytes([content[place] ^ mask])
            damaged.write_bytes(content[:place] + changed + content[place + 1 :])
        assert read(damaged) in (read(whole[1] / name), f"{damaged} is damaged")


def read(path):
    """What a file holds, or how the sentence about it begins."""
    try:
        return content_of(path)
    except RunError as error:
        return str(error).partition(" or cannot be read")[0].partition(" or no HDF5")[0]


def content_of(path):
    if path.suffix == ".json":
        values = read_json(path)
        return {key: values.get(key) for key in ("asked", "pilot", "equations", "oracle")}
    return [(each.values.tolist(), each.spent) for each in read_measurements(path)]


@pytest.mark.parametrize(
    ("key", "value"),
    [("asked", 3), ("pilot", []), ("versions", "1"), ("system_file", None), ("pilot", {"box": 1})],
)
def test_a_run_whose_header_holds_other_types_is_refused(whole, tmp_path, key, value):
    copy = tmp_path / "copy"
    shutil.copytree(whole[1], copy)
    write_json(copy / "run.json", json.loads((copy / "run.json").read_text()) | {key: value})
    with pytest.raises(RunError, match=r"run\.json is damaged"):
        discover("lorenz", seed=3, out=copy, resume=True)


def test_a_run_that_others_changed_is_not_resumed(whole, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(whole[1], copy)
    header = json.loads((copy / "run.json").read_text())
    del header["content_digest"]
    (copy / "run.json").write_text(json.dumps(header))
    assert load(copy).equations
    with pytest.raises(RunError, match="changed by others"):
        discover("lorenz", seed=3, out=copy, resume=True)


def test_what_a_killed_run_left_half_written_is_removed(whole, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(whole[1], copy)
    for left in (copy / ".run.json.00.part", copy / "measurements" / ".x0.h5.00.part"):
        left.write_text("half")
    discover("lorenz", seed=3, out=copy, resume=True)
    assert not list(copy.rglob("*.part"))


def test_what_a_process_of_a_run_left_half_written_is_gone_when_the_run_ends(tmp_path):
    folder = tmp_path / "run"

    def kill_a_writer(event):
        if event.equation is not None:
            (folder / "measurements" / ".x1.h5.00.part").write_text("half")

    discover("lorenz", out=folder, on_event=kill_a_writer)
    assert not list(folder.rglob("*.part"))


def test_control_characters_never_come_out_of_a_run(whole, tmp_path):
    values = json.loads((whole[1] / "result.json").read_text())
    values["target"] = "\x1b[31mred"
    write_json(tmp_path / "result.json", values)
    with pytest.raises(RunError, match="control character"):
        read_json(tmp_path / "result.json")
