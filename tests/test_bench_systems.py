import json
from dataclasses import replace

import pytest
from sbml_texts import model

from odevsr.bench import systems as bench
from odevsr.bench.baselines import highest_degree, polynomial_is_exact, sindy_is_exact
from odevsr.bench.dimension import _row as dimension_row
from odevsr.bench.dimension import chain, dense, ring, slope
from odevsr.bench.kinds import KINDS, kind_of
from odevsr.bench.systems import (
    FolderTreatment,
    bench_systems,
    cases_of_system,
    decades,
    figures_of,
    row_of,
    rows_of_file,
    score,
    totals_of,
)
from odevsr.cli import run
from odevsr.errors import UsageError
from odevsr.language.parse import parse
from odevsr.world.box import plain_box
from odevsr.world.systems.registry import get_system

BOX = plain_box([[0.5, 3.0], [0.5, 3.0]])
XY = ("x", "y")

OSCILLATOR = """
format = 1
name = "oscillator"
[state]
x = { range = [-2, 2], start = 1 }
y = { range = [-2, 2], start = 0 }
[equations]
x = "y"
y = "-0.7*sin(x)"
"""


@pytest.mark.parametrize(
    ("law", "kind"),
    [
        ("x**2/3 + 0.5*x*y - 1", "polynomial"),
        ("(x + y)**3", "polynomial"),
        ("x/(1 + y)", "rational"),
        ("x**-2 + y", "rational"),
        ("x*cos(2) + y", "polynomial"),
        ("sin(x)/(1 + exp(y))", "trigonometric"),
        ("x*exp(-y) + sqrt(x)", "exponential"),
        ("abs(x) + 1/y", "power"),
        ("x**1.5", "power"),
        ("2**x", "power"),
    ],
)
def test_a_law_is_of_the_kind_of_the_hardest_thing_in_it(law, kind):
    assert kind_of(parse(law, XY)) == kind
    assert kind in KINDS


def test_baselines_find_polynomials_and_no_rational_law():
    cubic = parse("0.5*x**3 - 2*x*y + 1", XY)
    rational = parse("x/(1 + y) - 0.5*x", XY)
    assert polynomial_is_exact(cubic, XY, BOX, 300)
    assert sindy_is_exact(cubic, XY, BOX, 300)
    assert not polynomial_is_exact(rational, XY, BOX, 300)
    assert not sindy_is_exact(rational, XY, BOX, 300)


def test_the_polynomial_baseline_has_at_most_half_as_many_terms_as_states():
    assert highest_degree(2, 10) == 1
    assert highest_degree(2, 12) == 2
    assert highest_degree(60, 10**6) == 1


def test_a_score_tells_a_local_fit_from_the_law():
    pendulum = get_system("pendulum")
    truth = parse("-sin(theta)", pendulum.names)
    case = replace(cases_of_system(pendulum)["omega"], truth=truth)
    near = parse("-theta + theta**3/6 - theta**5/120", pendulum.names)
    inside, outside = (score(near, case, factor) for factor in (0.5, 1.5))
    assert inside is not None
    assert outside is not None
    assert outside < inside < 1
    assert score(truth, case, 1.5) == 1
    assert score(parse("log(theta)", pendulum.names), case, 1.0) is None


def test_a_bug_in_one_equation_is_a_row_and_not_the_end(monkeypatch):
    def broken(*_args, **_options):
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(bench, "discover", broken)
    row = row_of(cases_of_system(get_system("pendulum"))["theta"], FolderTreatment())
    assert (row["exact"], row["status"]) == (False, "failed")
    assert "a bug" in str(row["form"])
    assert not figures_of([row], 0.97)[0].holds


def test_only_the_proposers_named_propose(tmp_path, monkeypatch):
    (tmp_path / "oscillator.toml").write_text(OSCILLATOR)
    asked = []

    def pretended(case, task):
        asked.append(task)
        return row(True, "identified") | {"system": case.name, "variable": case.variable}

    monkeypatch.setattr(bench, "row_of", pretended)
    bench_systems(tmp_path, proposers=["trained", "lstm"], budget=7.0)
    assert [task.settings.proposers for task in asked] == [("trained", "lstm")] * 2
    assert asked[0].settings.most_seconds == 7
    with pytest.raises(UsageError, match="unknown proposer"):
        bench_systems(tmp_path, proposers=["oracle"])


def test_models_in_sbml_are_benched_and_those_refused_are_told(tmp_path, capsys):
    pytest.importorskip("roadrunner", reason="models in SBML are run by libroadrunner")
    good, bad = tmp_path / "good.xml", tmp_path / "bad.xml"
    good.write_text(model())
    bad.write_text("<sbml/>")
    (row,) = rows_of_file(good, FolderTreatment(components=("S",)))
    assert (row["exact"], row["status"], row["system"]) == (True, "identified", "good")
    assert rows_of_file(bad, FolderTreatment()) == []
    assert "left out" in capsys.readouterr().err


def row(exact, status, seconds=0.1, states=500, kind="rational", dimension=2, size=1.0):
    return {
        "kind": kind,
        "dimension": dimension,
        "variables": 2,
        "decades": 0,
        "size over truth's": size,
        "exact": exact,
        "status": status,
        "states": states,
        "CPU s": seconds,
        "polynomial": False,
        "SINDy": False,
    }


def test_a_wrong_law_called_identified_costs_precision_and_one_not_identified_does_not():
    humble = figures_of([row(True, "identified"), row(False, "approximate")], 0.5)
    assert [figure.value for figure in humble[:2]] == [0.5, 1.0]
    assert all(figure.holds for figure in humble)
    proud = figures_of([row(True, "identified"), row(False, "identified")], 0.5)
    assert proud[1].value == 0.5
    assert not proud[1].holds


def test_totals_count_every_row_once_by_each_grouping():
    rows = [row(True, "identified"), row(False, "approximate", kind="power", dimension=10)]
    totals = {total["group"]: total["laws"] for total in totals_of(rows)}
    assert totals == {
        "rational": 1,
        "power": 1,
        "dimension 2": 1,
        "dimension 10": 1,
        "variables in the law: 2": 2,
        "decades of the widest range: 0": 2,
        "all": 2,
    }


def test_models_have_totals_of_their_own():
    rows = [row(True, "identified", seconds=0.5), row(False, "identified", seconds=1.5)]
    rows = [each | {"system": name} for each in rows for name in ("one", "other")]
    totals = {total["group"]: total for total in totals_of(rows, ["one", "other"])}
    found = totals["one"]
    assert [found[key] for key in ("laws", "exact", "identified", "false")] == [2, 1, 2, 1]
    assert found["CPU s"] == 2.0


def test_only_the_size_of_exact_laws_counts():
    rows = [row(True, "identified", size=1.0), row(False, "approximate", size=9.0)]
    median, largest = figures_of([*rows, row(True, "identified", size=2.0)], 0.5)[-2:]
    assert (median.value, largest.value) == (1.5, 2.0)
    assert not median.holds
    assert not largest.holds


def test_decades_are_those_of_the_widest_range_of_one_sign():
    assert decades(plain_box([[0.01, 100.0], [-1.0, 1000.0]])) == 4
    assert decades(plain_box([[-50.0, -1.0]])) == 1
    assert decades(plain_box([[-1.0, 1.0], [0.0, 9.0]])) == 0


def test_a_folder_is_discovered_and_set_beside_the_baselines(tmp_path, capsys):
    (tmp_path / "oscillator.toml").write_text(OSCILLATOR)
    assert run(["bench", "systems", str(tmp_path), "--json", "--budget", "20"]) in (0, 1)
    printed = json.loads(capsys.readouterr().out)
    assert [row["exact"] for row in printed["rows"]] == [True, True]
    assert [row["polynomial"] for row in printed["rows"]] == [True, False]
    assert printed["totals"][-1]["exact"] == 2
    assert [row["size over truth's"] for row in printed["rows"]] == [1.0, 1.0]
    only = bench_systems(tmp_path, components=["y"])
    assert [row["variable"] for row in only.rows] == ["y"]


def test_a_folder_without_systems_is_refused(tmp_path):
    with pytest.raises(UsageError, match="holds no system files"):
        bench_systems(tmp_path)


def test_rings_and_chains_have_the_size_asked_for():
    assert len(ring(7).names) == 7
    assert len(chain(8).names) == 8
    first = chain(8).equations[1]
    assert first == parse("-q0 - 0.3*q0**3 - 0.1*v0 + 0.5*(q1 - q0)", chain(8).names)


def test_the_slope_is_the_exponent_of_growth():
    rows = [{"variables": n, "states": 3 * n**2} for n in (5, 10, 20)]
    assert slope(rows, "states") == pytest.approx(2.0)


def test_one_law_of_all_products_is_counted_alone():
    found = dimension_row(dense, 5, 0, ["x0"], frugal=True)
    assert (found["laws"], found["exact"], found["variables"]) == (1, 1, 5)
    assert found["states a law"] == found["states"] > 20  # as many as it has terms
