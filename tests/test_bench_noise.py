import pytest

from odevsr.bench import noise as bench
from odevsr.bench.kinds import kind_of
from odevsr.bench.noise import SYSTEMS, Run, figures_of, rows_of_run, totals_of
from odevsr.world.systems.registry import get_system


def row(right, status, level=0.01, seconds=1.0, states=2000):
    return {
        "noise": level,
        "right": right,
        "status": status,
        "CPU s": seconds,
        "states": states,
    }


def test_ten_systems_hold_31_laws_of_three_kinds():
    laws = [law for name in SYSTEMS for law in get_system(name).closed_equations()]
    assert (len(SYSTEMS), len(laws)) == (10, 31)
    assert {kind_of(law) for law in laws} == {"polynomial", "rational", "trigonometric"}


def test_only_a_law_called_identified_can_be_wrong():
    rows = [
        row(True, "identified", seconds=1.0),
        row(False, "approximate", seconds=2.0),
        row(False, "identified", seconds=9.0),
        row(True, "approximate", level=0.05),
    ]
    low, high = totals_of(rows)
    assert (low["laws"], low["wrong"], low["median CPU s"]) == (3, 1, 2.0)
    assert low["right"] == pytest.approx(1 / 3)
    assert (high["right"], high["identified"], high["wrong"]) == (1.0, 0.0, 0)
    values = {figure.name: figure.holds for figure in figures_of(rows)}
    assert not values["noise 1 %: wrong among identified"]
    assert values["noise 5 %: wrong among identified"]


def test_a_noisy_system_is_discovered_and_its_constants_may_be_off(monkeypatch):
    monkeypatch.setattr(bench, "SYSTEMS", ("lotka_volterra",))
    monkeypatch.setattr(bench, "LEVELS", (0.01,))
    result = bench.bench_noise(seeds=1)
    assert [each["right"] for each in result.rows] == [True, True]
    assert result.to_json()["totals"][0]["laws"] == 2
    again = rows_of_run(Run("lotka_volterra", 0.01, 0), 60.0)
    assert [each["form"] for each in again] == [each["form"] for each in result.rows]
