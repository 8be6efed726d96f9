"""Studies: each discovery once, whatever stops them, to one table."""

import csv
from concurrent.futures import ThreadPoolExecutor

import pytest

import odevsr
from odevsr.cli import run as command
from odevsr.errors import RunError, SimulationError, UsageError
from odevsr.studies import run

GRID = odevsr.Study(["pendulum", "linear_oscillator"], seeds=[0, 1])


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """A study that is done."""
    return odevsr.study(GRID, out=tmp_path_factory.mktemp("studies") / "grid")


def table(folder):
    with (folder / "table.csv").open() as file:
        return list(csv.DictReader(file))


def without_times(rows):
    return [{key: value for key, value in row.items() if key != "cpu_s"} for row in rows]


def test_the_table_has_a_row_an_equation(done):
    rows = table(done.folder)
    assert [row["variable"] for row in rows[:2]] == ["theta", "omega"]
    assert {row["exact"] for row in rows} == {"True"}
    assert len(rows) == len(done.rows) == 8


def test_parquet_is_written_too(done):
    parquet = pytest.importorskip("pyarrow.parquet", reason="Parquet needs pyarrow")
    assert parquet.read_table(done.folder / "table.parquet").to_pylist() == list(done.rows)


def test_each_discovery_is_a_run(done):
    folder = done.folder / "discoveries" / str(done.rows[0]["folder"])
    assert odevsr.load(folder).identified


def test_what_is_done_is_not_done_again(done, monkeypatch):
    monkeypatch.setattr(run, "discover", None)
    assert odevsr.study(GRID, out=done.folder).rows == done.rows


def test_a_study_that_was_stopped_goes_on(done, tmp_path, monkeypatch):
    real, told = run.discover, []

    def stopping(*args, **options):
        if len(told) == 2:
            raise KeyboardInterrupt
        return real(*args, **options)

    monkeypatch.setattr(run, "discover", stopping)
    with pytest.raises(KeyboardInterrupt):
        odevsr.study(GRID, out=tmp_path / "grid", on_event=told.append)
    assert len(table(tmp_path / "grid")) == 4
    monkeypatch.setattr(run, "discover", real)
    again = odevsr.study(GRID, out=tmp_path / "grid", on_event=told.append)
    assert without_times(again.rows) == without_times(done.rows)
    assert [each.done for each in told] == [1, 2, 3, 4]


def test_an_executor_makes_the_same_table(done, tmp_path):
    with ThreadPoolExecutor(2) as pool:
        found = odevsr.study(GRID, out=tmp_path / "grid", executor=pool)
    assert without_times(found.rows) == without_times(done.rows)


def test_several_processes_make_the_same_table(done, tmp_path):
    found = odevsr.study(GRID, out=tmp_path / "grid", jobs=2)
    assert without_times(found.rows) == without_times(done.rows)


def test_a_discovery_that_fails_has_a_row_and_is_tried_again(tmp_path, monkeypatch):
    def failing(*_, **__):
        raise SimulationError("the rig is off; switch it on")

    study = odevsr.Study(["pendulum"])
    with monkeypatch.context() as patched:
        patched.setattr(run, "discover", failing)
        found = odevsr.study(study, out=tmp_path / "grid")
    assert found.rows[0]["note"] == "the rig is off; switch it on"
    assert (found.summary[0]["failed"], found.summary[0]["equations"]) == (1, 0)
    assert odevsr.study(study, out=tmp_path / "grid").summary[0]["failed"] == 0


def test_a_damaged_record_is_made_again(done, tmp_path):
    study = odevsr.Study(["linear_oscillator"])
    first = odevsr.study(study, out=tmp_path / "grid")
    record = tmp_path / "grid" / "discoveries" / str(first.rows[0]["folder"]) / "study.json"
    record.write_text(record.read_text().replace("identified", "undecided"))
    again = odevsr.study(study, out=tmp_path / "grid")
    assert without_times(again.rows) == without_times(first.rows)


def test_a_study_whose_discoveries_lie_elsewhere_is_refused(tmp_path):
    grid, elsewhere = tmp_path / "grid", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (grid / "discoveries").mkdir(parents=True)
    (grid / "discoveries" / "link").symlink_to(elsewhere)
    with pytest.raises(RunError, match="link is a link or no plain file"):
        odevsr.study(odevsr.Study(["linear_oscillator"]), out=grid)


def test_a_folder_of_something_else_is_refused(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(RunError, match="no study was begun there"):
        odevsr.study(GRID, out=tmp_path)
    with pytest.raises(UsageError, match="out=FOLDER"):
        odevsr.study(GRID)


def test_the_command_prints_a_summary_and_draws_it(tmp_path, capsys):
    pytest.importorskip("matplotlib", reason="pictures need matplotlib")
    file = tmp_path / "grid.toml"
    file.write_text('format = 1\ntargets = ["linear_oscillator"]\nnoise = [0, 0.01]')
    picture = tmp_path / "grid.png"
    assert command(["study", str(file), "--plot", str(picture)]) == 0
    printed = capsys.readouterr()
    assert "2 of 2: linear_oscillator, fast, noise 0.01, seed 0" in printed.err
    assert f"4 rows in {tmp_path / 'grid' / 'table.csv'}" in printed.out
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert command(["study", str(file), "--plot", str(picture)]) == 0  # goes on, and draws again
    other = ["study", str(file), "--plot", str(picture), "--out", str(tmp_path / "other")]
    assert command(other) == 2
    file.write_text("targets = 1")
    assert command(["study", str(file)]) == 3
