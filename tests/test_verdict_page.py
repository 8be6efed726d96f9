"""The page of a verdict, in a wide and in a narrow terminal."""

import math
from dataclasses import replace

from rich.console import Console

from odevsr.language.parse import parse
from odevsr.showing.verdict_page import verdict_json, verdict_page
from odevsr.verdict.judgement import OURS, Judgement, Method, Verdict
from odevsr.verdict.prediction import Followed
from odevsr.verdict.scores import FormScores
from odevsr.verdict.spent import Spent
from odevsr.world.trajectories.trajectory import Ending


def judged(name, text, nmse):
    return Judgement(name, parse(text, ["x", "tau"]), (), nmse, FormScores(True, 1, 1, 2, 3))


VERDICT = Verdict(
    target="tau",
    truth=(("x", parse("tau - x", ["x", "tau"])), ("tau", parse("1", ()))),
    methods=(Method(OURS, (judged("x", "tau - x", 1e-9), judged("tau", "1", math.inf)), 900, 1.5),),
    duration=10.0,
    exponent=None,
    seed=0,
)


def lines(width, verdict=VERDICT):
    console = Console(width=width, color_system=None)
    with console.capture() as captured:
        console.print(verdict_page(verdict))
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


def test_where_following_a_law_was_given_up_is_said():
    ways = (Followed(2.5, Ending.GIVEN_UP), Followed(9.0, Ending.DEPARTED))
    verdict = replace(VERDICT, methods=(replace(VERDICT.methods[0], followed=ways),))
    shown = "\n".join(lines(300, verdict))
    assert "5.75, given up" in shown
    assert "odevsr: following its laws was given up on 1 of 2 held-out trajectories, at" in shown
    assert "given up on 1 of 2 trajectories" in str(verdict)
    told = verdict_json(verdict)["methods"][0]
    assert (told["given_up"], told["valid_time"]) == (1, 5.75)
    assert [each["status"] for each in told["followed"]] == ["given_up", "departed"]
    assert told["followed"][0]["sentence"] == Ending.GIVEN_UP.sentence


def test_cpu_seconds_are_told_with_the_share_of_sindy():
    spent = Spent(discovery=2.0, held_out=1.0, sindy_regression=2.5, sindy_judging=0.5)
    verdict = replace(VERDICT, cpu_s=spent)
    assert lines(300, verdict)[-1].startswith("CPU seconds: 6.0; discovery 2.0, held-out data 1.0")
    assert "SINDy 3.0 (50%" in lines(300, verdict)[-1]
    told = verdict_json(verdict)["cpu_s"]
    assert (told["total"], told["sindy_share"], told["sindy_regression"]) == (6.0, 0.5, 2.5)
