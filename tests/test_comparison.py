"""Runs side by side."""

import json
from dataclasses import replace

import pytest
from exports import found

import odevsr
from odevsr.cli import run
from odevsr.errors import MissingExtraError, UsageError
from odevsr.evidence.law import FittedNumber
from odevsr.settings import Settings

FIRST = found({"x": "-x/10 + y", "y": "-x - y/10"})
SAME = found({"x": "y - 0.1*x", "y": "-x - y/5"}, poor="y", settings=Settings(noise=0.01), seed=5)


def test_laws_stand_side_by_side_and_are_compared_as_functions():
    compared = odevsr.compare(FIRST, SAME)
    told = [(each["variable"], each["run"], each["same"]) for each in compared.rows]
    assert told == [
        ("x", "spiral (1)", None),
        ("x", "spiral (2)", True),
        ("y", "spiral (1)", None),
        ("y", "spiral (2)", False),
    ]
    assert compared.differing == {"noise": [0.0, 0.01]}


def test_a_page_tells_laws_status_cost_and_what_was_asked_differently():
    page = str(odevsr.compare(FIRST, SAME)).splitlines()
    assert page[0] == "dx/dt"
    assert page[1].split()[:5] == ["run", "law", "as", "first", "status"]
    assert "same" in page[3]
    assert page[-1].split() == ["noise", "0.0", "0.01"]
    assert any(line.split()[:6] == ["spiral", "(2)", "spiral", "5", "1/2", "200"] for line in page)


def test_constants_may_be_as_far_apart_as_their_errors_allow():
    law = found({"x": "-1.02*x"}).equations[0]
    near = replace(law, constants=(FittedNumber(1.02, 0.01),))
    apart = replace(law, constants=(FittedNumber(1.02, 0.001),))
    first = found({"x": "-x"})
    rows = odevsr.compare(
        first, *(replace(first, equations=(each,)) for each in (near, apart))
    ).rows
    assert [each["same"] for each in rows] == [None, True, False]


def test_laws_of_other_variables_are_not_the_same():
    rows = odevsr.compare(found({"x": "-x"}), found({"x": "-x", "y": "1"})).rows
    assert [each["same"] for each in rows] == [None, False, None]


def test_folders_are_compared_by_the_command(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    FIRST.save("first")
    SAME.save("second")
    assert run(["compare", "first", "second", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [each["run"] for each in told["runs"]] == ["first", "second"]
    assert [each["same"] for each in told["equations"]] == [None, True, None, False]
    assert told["equations"][1]["expression"] == "y - 0.1*x"
    assert run(["compare", "first", "second"]) == 0
    assert "as first" in capsys.readouterr().out


def test_one_run_is_not_compared(capsys):
    with pytest.raises(UsageError, match="give two or more"):
        odevsr.compare(FIRST)
    assert run(["compare", "nowhere", "neither"]) == 3
    assert "nowhere: there is no such folder" in capsys.readouterr().err


def test_a_table_goes_on_in_pandas(monkeypatch):
    table = odevsr.compare(FIRST, SAME).table()
    assert list(table["same"]) == [None, True, None, False]
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'odevsr\[table\]'"):
        odevsr.compare(FIRST, SAME).table()
