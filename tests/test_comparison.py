"""Runs side by side."""

import json
from dataclasses import replace

import numpy as np
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


def relaxing(rate, rate_error, level, level_error):
    law = found({"x": f"{rate}*x + {level}"}).equations[0]
    constants = FittedNumber(rate, rate_error), FittedNumber(level, level_error)
    return replace(found({"x": "-x"}), equations=(replace(law, constants=constants),))


FITTED = relaxing(-1.2, 0.01, 3.0, 0.02)


@pytest.mark.parametrize(
    ("other", "same", "as_first", "shown"),
    [
        ((-1.21, 0.01, 3.0, 0.02), True, "same", "same, constants within 0.71 errors"),
        ((-1.21, 0.001, 3.2, 0.02), False, "constants differ", "same form, other constants, up to"),
        ((-1.2006, 1e-5, 3.0, 0.02), True, "same", "same, constants within 0.06 errors"),
        ((-1.2, 0.01, 3.5, 2.0), None, "constants not known", "constants not known well enough"),
        ((-0.1, np.inf, 3.0, 0.02), None, "constants not known", "constants not known well enough"),
        ((-0.1, 1.0, 9.0, 0.02), False, "constants differ", "up to 212 errors apart"),
    ],
)
def test_constants_that_are_not_known_make_no_laws_the_same(other, same, as_first, shown):
    compared = odevsr.compare(FITTED, relaxing(*other))
    _, (_, _, alike) = compared.of("x")
    assert (alike.same, alike.likeness.value) == (same, as_first)
    assert shown in str(alike)


def test_constants_that_differ_by_next_to_nothing_are_told_so():
    compared = odevsr.compare(relaxing(-1.2, 1e-9, 3, 0), relaxing(-1.2 - 1e-8, 1e-9, 3, 0))
    assert compared.rows[1]["as_first"] == "same to 0.1 %"
    assert "same to 0.1 %, up to 7.07 errors apart" in str(compared)


def test_another_writing_of_a_law_is_the_same_law(tmp_path):
    law = found({"x": "-0.15*(x + 32.7*sin(x))"}).equations[0]
    constants = FittedNumber(-0.15, 1e-4), FittedNumber(-4.905, 1e-3)
    first = replace(found({"x": "-x"}), equations=(replace(law, constants=constants),))
    for other in ("-0.1501*x - 4.905*sin(x)", "-0.15*x - 9.81*sin(x/2)*cos(x/2)"):
        assert odevsr.compare(first, found({"x": other})).rows[1]["as_first"] == "same"
    first.save(tmp_path / "run")
    assert odevsr.compare(first, tmp_path / "run").rows[1]["errors_apart"] == 0
    longer = odevsr.compare(first, found({"x": "-0.15*x - 4.905*sin(x) + 0.1"})).rows[1]
    assert (longer["same"], longer["as_first"]) == (False, "other form")


def fitted(law, *constants):
    """A run with this law of x, whose constants are numbers with their errors."""
    run = found({"x": law, "y": "x"})
    first, *others = run.equations
    numbers = tuple(FittedNumber(*each) for each in constants)
    return replace(run, equations=(replace(first, constants=numbers), *others))


SWITCHED = fitted("1.1*tanh(x) + 0.03*y", (1.1, 0.001), (0.03, 0.009))
SATURATED = fitted("0.5*x/(0.5 + x) + 0.2*y", (0.5, 0.01), (0.2, 0.05))

ROUND = fitted("x - 0.2*y", (0.98, 0.05, 1), (0.2, 0.02))


@pytest.mark.parametrize(
    ("first", "other", "same", "as_first"),
    [
        (SWITCHED, ("1.9*(1 - 2/(1 + exp(2*x))) + 0.03*y", (1.9, 0.001), (0.03, 0.009)), False,
         "constants differ"),
        (SWITCHED, ("1.103*(1 - 2/(1 + exp(2*x))) + 0.05*y", (1.103, 0.001), (0.05, 0.009)), True,
         "same"),
        (SWITCHED, ("1.1*(1 - 2/(1 + exp(2*x))) + 0.2*y", (1.1, 0.001), (0.2, np.inf)), None,
         "constants not known"),
        (SATURATED, ("x/(1 + 2.03*x) + 0.21*y", (2.03, 0.02), (0.21, 0.05)), True, "same"),
        (ROUND, ("1.1*x - 0.2*y", (1.1, 0.01), (0.2, 0.02)), True, "same"),
        (SATURATED, ("x/(1 + 2.4*x) + 0.21*y", (2.4, 0.02), (0.21, 0.05)), False,
         "constants differ"),
    ],
)  # fmt: skip
def test_a_constant_that_is_hardly_known_loosens_no_other_of_another_writing(
    first, other, same, as_first
):
    row = odevsr.compare(first, fitted(*other)).rows[1]
    assert (row["same"], row["as_first"]) == (same, as_first)


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
