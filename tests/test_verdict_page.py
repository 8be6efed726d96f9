"""The page of a verdict, in a wide and in a narrow terminal."""

import math

from rich.console import Console

from odevsr.language.parse import parse
from odevsr.showing.verdict_page import verdict_json, verdict_page
from odevsr.verdict.judgement import OURS, Judgement, Method, Verdict
from odevsr.verdict.scores import FormScores


def judged(name, text, nmse):
    return Judgement(name, parse(text, ["x", "tau"]), (), nmse, FormScores(True, 1, 1, 2, 3), "")


VERDICT = Verdict(
    target="tau",
    truth=(("x", parse("tau - x", ["x", "tau"])), ("tau", parse("1", ()))),
    methods=(
        Method(OURS, (judged("x", "tau - x", 1e-9), judged("tau", "1", math.inf)), 900, 1.5, None),
    ),
    duration=10.0,
    exponent=None,
    seed=0,
)


def lines(width):
    console = Console(width=width, color_system=None)
    with console.capture() as captured:
        console.print(verdict_page(VERDICT))
    return [line.rstrip() for line in captured.get().splitlines()]


def test_a_wide_page_has_a_line_a_law():
    shown = [line.split() for line in lines(200)]
    assert shown[2][:9] == [OURS, "tau", "-", "x", "yes", "1", "-", "1e-09", "1.0e-09"]


def test_a_narrow_page_has_a_block_a_law():
    assert lines(60)[:4] == [
        "dx/dt = tau - x",
        "  odevsr",
        "    law: tau - x  exact: yes  R2: 1 - 1e-09  NMSE: 1.0e-09",
        "    terms: 2  right: 100%  found: 100%  error: -",
    ]


def test_the_r2_of_a_constant_is_not_told():
    assert [OURS, "1", "yes", "-", "-", "2", "100%", "100%", "-"] in map(str.split, lines(200))
    first, second = verdict_json(VERDICT)["methods"][0]["equations"]
    assert first["r2"] == 1 - 1e-9
    assert (second["r2"], second["nmse"]) == (None, None)
