"""The shipped schemas say what files and `--json` hold."""

import json
import math
import tomllib
from pathlib import Path

import pytest
from exports import found
from jsonschema import Draft202012Validator

import odevsr
from odevsr.bench.result import BenchResult, at_least
from odevsr.cli import run
from odevsr.errors import UsageError
from odevsr.showing.schema import SCHEMAS
from odevsr.studies.grid import StudyCase
from odevsr.studies.rows import failed_row
from odevsr.studies.table import summary
from tests.system_texts import DECAY, changed

PROJECT = Path(__file__).parents[1]
SYSTEMS = [*(PROJECT / "systems").glob("*.toml"), *(PROJECT / "examples/systems").glob("*.toml")]


def wrong(name, values):
    """Where values are not as a schema has it."""
    errors = Draft202012Validator(odevsr.schema(name)).iter_errors(json.loads(json.dumps(values)))
    return [f"{each.json_path}: {each.message}" for each in errors]


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_one_itself(name):
    Draft202012Validator.check_schema(odevsr.schema(name))


def test_an_unknown_schema_is_refused():
    with pytest.raises(UsageError, match="did you mean system"):
        odevsr.schema("systm")


@pytest.mark.parametrize(
    "words",
    [
        ["lorenz"],
        ["lorenz", "--noise", "0.05", "--components", "x1"],
        ["lorenz", "--max-states", "300", "--components", "x1"],
    ],
)
def test_what_discover_prints_and_keeps_is_as_its_schema_says(words, tmp_path, capsys):
    run(["discover", *words, "--json", "--out", str(tmp_path / "run")])
    assert wrong("discovery", json.loads(capsys.readouterr().out)) == []
    kept = json.loads((tmp_path / "run" / "result.json").read_text())
    assert "content_digest" in kept
    assert wrong("discovery", kept) == []


def test_what_compare_prints_is_as_its_schema_says():
    first, second = found({"x": "-x"}), found({"x": "-2*x"}, poor="x")
    assert wrong("comparison", odevsr.compare(first, second).to_json()) == []


@pytest.mark.parametrize("target", ["linear_oscillator", "decay.csv"])
def test_what_validate_prints_is_as_its_schema_says(target, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    samples = [f"{t},{2 * math.exp(-t / 20)}" for t in range(60)]
    (tmp_path / "decay.csv").write_text("\n".join(["t,x", *samples]))
    run(["validate", target, "--json", "--quiet"])
    assert wrong("verdict", json.loads(capsys.readouterr().out)) == []


def test_what_study_prints_is_as_its_schema_says(tmp_path, capsys):
    (tmp_path / "s.toml").write_text('format = 1\ntargets = ["pendulum"]\n')
    run(["study", str(tmp_path / "s.toml"), "--json"])
    printed = json.loads(capsys.readouterr().out)
    failed = failed_row(StudyCase("p", {}, "fast", {}, 0.0, 1, "0"), UsageError("no"))
    printed["rows"].append(failed)
    printed["summary"] += summary([failed])
    assert wrong("study", printed) == []


def test_what_bench_prints_is_as_its_schema_says():
    rows = ({"method": "m", "seconds": 0.5, "exact": None},)
    for totals in ((), rows):
        result = BenchResult("x", (at_least("a", 2.0, 1),), rows, totals)
        assert wrong("bench", result.to_json()) == []


@pytest.mark.parametrize("path", SYSTEMS, ids=lambda path: path.stem)
def test_every_system_file_is_as_its_schema_says(path):
    assert wrong("system", tomllib.loads(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("title =", "titel =", "$: "),
        ("[-1, 1]", "[-1, 0, 1]", "$.state.heat.range"),
        ("format = 1", "format = 2", "$.format"),
        ("step = 0.5", "step = 0", "$.simulation.step"),
        ('name = "decay"\n', "", "$: 'name' is a required"),
    ],
)
def test_a_mistake_of_a_system_file_is_one_by_its_schema(old, new, where):
    (told,) = wrong("system", tomllib.loads(changed(old, new)))
    assert told.startswith(where)
    assert wrong("system", tomllib.loads(DECAY)) == []
