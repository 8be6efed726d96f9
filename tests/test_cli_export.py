"""The command that writes the laws of a run for another tool."""

import json

import pytest
from exports import found, module

from odevsr.cli import run
from odevsr.discovery.files import write_json
from odevsr.showing.export.formats import FORMATS

DISCOVERY = found({"x": "-x/10 + y", "y": "-x - y/10"})


@pytest.fixture
def folder(tmp_path):
    DISCOVERY.save(tmp_path / "run")
    return tmp_path / "run"


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_is_printed_as_python_gives_it(folder, capsys, form):
    assert run(["export", str(folder), "--to", form]) == 0
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == (DISCOVERY.to(form), "")


def test_a_file_is_written_and_nothing_printed(folder, tmp_path, capsys):
    out = tmp_path / "law.py"
    assert run(["export", str(folder), "--to", "numpy", "-o", str(out)]) == 0
    assert capsys.readouterr().out == ""
    assert module(out.read_text(encoding="utf-8"))["rates"](0.0, [1.0, 2.0]).tolist() == [1.9, -1.2]


def test_a_file_that_is_there_is_not_overwritten(folder, tmp_path, capsys):
    out = tmp_path / "law.py"
    out.write_text("mine")
    assert run(["export", str(folder), "--to", "numpy", "-o", str(out)]) == 2
    assert "law.py exists and is not overwritten; choose another name" in capsys.readouterr().err
    assert out.read_text() == "mine"


def test_a_file_that_cannot_be_written_is_said_in_a_sentence(folder, tmp_path, capsys):
    out = tmp_path / "missing" / "law.c"
    assert run(["export", str(folder), "--to", "c", "-o", str(out)]) == 3
    assert "law.c cannot be written" in capsys.readouterr().err


def test_an_unknown_format_is_refused_with_the_nearest(folder, capsys):
    assert run(["export", str(folder), "--to", "latx"]) == 2
    assert "did you mean latex?" in capsys.readouterr().err


def test_a_run_that_has_found_nothing_is_told(folder, capsys):
    result = json.loads((folder / "result.json").read_text())
    write_json(folder / "result.json", result | {"equations": []})
    assert run(["export", str(folder), "--to", "c"]) == 3
    assert "no law of spiral has been found yet" in capsys.readouterr().err
    (folder / "result.json").unlink()
    assert run(["export", str(folder), "--to", "c"]) == 3
    assert "has found nothing yet" in capsys.readouterr().err


def test_a_folder_that_is_no_run_is_told(tmp_path, capsys):
    assert run(["export", str(tmp_path), "--to", "c"]) == 3
    assert "not a run folder of odevsr" in capsys.readouterr().err
    assert run(["export", str(tmp_path / "none"), "--to", "c"]) == 3
    assert "there is no such folder" in capsys.readouterr().err
