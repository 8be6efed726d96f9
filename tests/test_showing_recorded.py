"""Laws from recordings as people read them: chi, numbers with errors, where runs have been."""

from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator

import odevsr
from odevsr.discovery.record import discovery_from_json
from odevsr.evidence.law import FittedNumber
from odevsr.vertical.equation import LeftOutTerm, Status
from odevsr.vertical.judging.rivals import Alternative
from odevsr.world.experiments.oracle import Cost
from tests.laws import law
from tests.test_discovery_page import page
from tests.test_result import discovery, equation

LAW = equation(
    "x",
    "-1.2061*x + 3.013",
    status=Status.UNDECIDED,
    constants=(FittedNumber(-1.20612345, 0.0087), FittedNumber(3.01287654, 0.019)),
    deviation=0.97654,
    rounds=(),
    cost=Cost(states=80),
    note="a run from x = 5 over 4 with 40 samples would decide",
    left_out=(LeftOutTerm(law("x**2"), 0.076), LeftOutTerm(law("y"), float("inf"))),
    alternatives=(Alternative(law("2*x**2"), 0.95), Alternative(law("3*x**2"), float("inf"))),
)
FOUND = discovery(
    LAW,
    recorded=True,
    units={"t": "s"},
    ranges=((0.216, 2.49), (-1, 1)),
    notes=("y never moved apart",),
)


def story(found=FOUND):
    return [line.strip() for line in found.explain().splitlines()]


def test_the_page_tells_what_a_motion_leaves_and_where_runs_have_been():
    lines = page(FOUND)
    assert "its motion leaves chi 0.977; R2 of slopes 1, 80 samples" in lines
    assert "visited: x 0.216 to 2.49, y -1 to 1; time is in s" in lines
    assert "rival, chi 0.95: 2*x**2" in lines


def test_a_motion_that_cannot_be_followed_leaves_chi_without_bound():
    lost = replace(FOUND, equations=(replace(LAW, deviation=float("inf")),))
    assert any("leaves chi without bound;" in line for line in page(lost))
    assert "rival, chi without bound: 3*x**2" in page(lost)


def test_the_story_tells_numbers_with_errors_and_where_runs_have_been():
    told = [line.split() for line in story()]
    table = told[told.index(["number", "measured", "error"]) + 1 :][:2]
    assert table == [["-1.2061", "-1.2061", "0.0087"], ["3.013", "3.013", "0.019"]]
    assert "The recordings visited x 0.216 to 2.49, y -1 to 1; time is in s." in story()
    assert "Note: y never moved apart." in story()


def test_the_story_tells_what_is_left_what_would_decide_and_the_rivals():
    words = " ".join(story())
    assert "leaves chi 0.977 of 80 samples. Said beside it: a run from x = 5" in words
    assert "A rival, 2*x**2, leaves chi 0.95." in words


def test_the_report_tells_the_same_and_nothing_of_experiments():
    pytest.importorskip("matplotlib", reason="pictures need matplotlib")
    shown = FOUND.report()
    for told in ("chi 0.977 of 80 samples", "a run from x = 5", "A rival, ", "visited x 0.216"):
        assert told in shown
    assert "Controlled experiments" not in shown
    assert "round by round" not in shown


def test_files_and_json_keep_what_left_out_terms_could_be():
    written = FOUND.to_json()
    assert list(Draft202012Validator(odevsr.schema("discovery")).iter_errors(written)) == []
    (kept,) = written["equations"]
    assert kept["left_out"] == [{"term": "x**2", "most": 0.076}, {"term": "y", "most": None}]
    assert discovery_from_json(written).equations[0].left_out == LAW.left_out
    del kept["left_out"]
    assert discovery_from_json(written).equations[0].left_out == ()
