import pytest

from odevsr.bench import trust
from odevsr.bench.rough.battery import battery
from odevsr.bench.trust import (
    CaseTreatment,
    bench_trust,
    figures_of,
    is_right,
    rows_of_case,
    tolerance_of,
    totals_of,
)
from odevsr.errors import UsageError
from odevsr.evidence.law import FittedNumber
from odevsr.language.parse import parse
from odevsr.vertical.equation import Equation, Status
from odevsr.world.experiments.oracle import Cost


def equation(case, variable, text, status=Status.IDENTIFIED, constants=()):
    return Equation(
        variable=variable,
        expression=parse(text, battery()[case].names),
        status=status,
        constants=tuple(FittedNumber(*each) for each in constants),
        r2=1.0,
        nmse=0.0,
        deviation=1.0,
        rounds=(),
        cost=Cost(),
        candidates=0,
        elapsed_s=0.0,
    )


@pytest.mark.parametrize(
    ("case", "variable", "law", "right"),
    [
        ("smooth_cubic", "x", "-1.0005*x + 0.01*x**3", True),
        ("smooth_cubic", "x", "-1.01*x + 0.01*x**3", False),
        ("added_cubic_1e_3", "x", "-1.01*x + 0.011*x**3", True),
        ("added_cubic_1e_3", "x", "-x", False),
        ("smooth_reactor", "X", "0.5*X - 0.1*X/(S + 0.2) - D*X", True),
        ("buried_1e_4", "x", "-x", True),
        ("buried_1e_4", "x", "-x - 0.01*y", False),
        ("kinked_one_sided", "x", "v", True),
        ("kinked_kink", "x", "1 - abs(x - 0.3)", True),
        ("kinked_kink", "x", "1 - sqrt((x - 0.3)**2 + 1e-4)", False),
        ("kinked_sign", "x", "-tanh(1000*x)", False),
        ("delay", "x", "-x", False),
    ],
)
def test_a_law_is_right_only_if_it_is_the_truth(case, variable, law, right):
    assert is_right(battery()[case], equation(case, variable, law)) == right


def test_constants_may_be_off_by_five_standard_errors_but_never_vanish():
    assert tolerance_of([], 0.001) == 0.001
    assert tolerance_of([FittedNumber(2.0, 0.01)], 0.001) == pytest.approx(0.025)
    assert tolerance_of([FittedNumber(2.0, 2.0)], 0.2) == 0.5
    law = equation("smooth_cubic", "x", "-1.01*x + 0.01*x**3", constants=[(-1.01, 0.005)])
    assert is_right(battery()["smooth_cubic"], law)


def scored(monkeypatch, case, *equations):
    class Found:
        pass

    found = Found()
    found.equations = equations
    monkeypatch.setattr(trust, "discover", lambda *_args, **_options: found)
    return rows_of_case(case, CaseTreatment())


def test_only_a_wrong_law_called_identified_is_false(monkeypatch):
    wrong = equation("smooth_cubic", "x", "-x")
    humble = equation("smooth_cubic", "x", "-x", Status.APPROXIMATE)
    shy = equation("smooth_cubic", "x", "-x + 0.01*x**3", Status.APPROXIMATE)
    rows = [*(scored(monkeypatch, "smooth_cubic", each)[0] for each in (wrong, humble, shy))]
    assert [row["false"] for row in rows] == [True, False, False]
    assert [row["missed"] for row in rows] == [True, True, True]
    false, found, named = figures_of(rows)
    assert (false.value, false.holds) == (1, False)
    assert found.value == pytest.approx(1 / 3)
    assert named.value == 0.0


def test_nothing_is_identified_where_there_is_no_law(monkeypatch):
    row = scored(monkeypatch, "delay", equation("delay", "x", "-x"))[0]
    assert (row["has a law"], row["right"], row["false"], row["missed"]) == (
        False,
        False,
        True,
        False,
    )


def test_an_error_is_a_row_for_each_variable(monkeypatch):
    def broken(*_args, **_options):
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(trust, "discover", broken)
    rows = rows_of_case("smooth_prey", CaseTreatment())
    assert [row["status"] for row in rows] == ["failed", "failed"]
    assert all(row["missed"] and not row["false"] for row in rows)
    assert totals_of(rows)[-1]["refused or failed"] == 2


def test_cheap_cases_are_discovered_and_counted():
    result = bench_trust(cases=["smooth_cubic", "usable_sliver"])
    assert [row["status"] for row in result.rows] == ["identified", "identified"]
    assert all(row["right"] for row in result.rows)
    assert result.figures[0].value == 0
    assert {total["group"] for total in result.totals} == {"smooth", "corners", "all"}


def test_an_unknown_case_is_refused():
    with pytest.raises(UsageError, match="no case 'smooth_cubi'"):
        bench_trust(cases=["smooth_cubi"])
