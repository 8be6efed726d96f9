"""What is said while a discovery runs."""

import io
import re
import sys
from dataclasses import replace

import pytest

from odevsr.cli.shown import Shown
from odevsr.discovery.discover import discover
from odevsr.discovery.task import Event
from odevsr.language.parse import parse
from odevsr.search.loop import Epoch
from odevsr.showing.progress import progress
from odevsr.vertical.equation import Equation, Status
from odevsr.world.experiments.oracle import Cost
from odevsr.world.pilot.timing import Expected

EXPECTED = Expected(pilot=2_600, launches=9_600, seconds=960.0, timed=10)
EPOCH = Epoch("families", 40, 1e-3, "C*x", variable="x")


def equation(law):
    return Equation(
        variable="x", expression=parse(law, ["x"]), status=Status.IDENTIFIED, constants=(), r2=1.0,
        nmse=0.0, deviation=0.0, rounds=(), cost=Cost(), candidates=1, elapsed_s=0.0,
    )  # fmt: skip


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("odevsr.showing.progress.time.monotonic", lambda: now[0])
    return now


def test_lines_tell_launches_and_the_time_left_now_and_then(clock, capsys):
    with progress() as listen:
        listen(Event(message=EXPECTED.sentence, expected=EXPECTED))
        listen(Event("x", cost=Cost(simulations=500)))
        clock[0] = 11.0
        listen(Event("x", cost=Cost(simulations=3_500)))
        listen(Event("x", EPOCH))
        clock[0] = 22.0
        listen(Event("y", EPOCH))
        clock[0] = 33.0
        listen(Event("x", cost=Cost(simulations=10_000)))
    assert capsys.readouterr().err.splitlines() == [
        "the simulator is slow: about 9,600 launches, 16 minutes",
        "x: 3,500 launches, about 6 minutes left",
        "y: over x, families: 40 candidates, 0 % new, loss 1.0e-03, C*x",
        "x: 10,000 launches; over x, families: 40 candidates, 0 % new, loss 1.0e-03, C*x",
    ]


def test_rounds_are_told_on_request(capsys):
    with progress(rounds=True) as listen:
        listen(Event("x", EPOCH))
        listen(Event("x", replace(EPOCH, best="C*x + C", best_loss=1e-20)))
        listen(Event("x", replace(EPOCH, variable="y", target="C2", best="C*y")))
        listen(Event("x", equation=equation("2*x")))
    assert capsys.readouterr().err.splitlines() == [
        "x over x: C*x + C, loss 1.0e-20, families",
        "x, C2 over y: C*y, loss 1.0e-03, families",
        "x: identified after 0.0 CPU s",
    ]


def test_the_quiet_say_nothing(capsys):
    with Shown(as_json=False, quiet=True).progress() as listen:
        listen(Event(message=EXPECTED.sentence))
        listen(Event("x", equation=equation("2*x")))
    assert capsys.readouterr().err == ""


def test_a_discovery_in_python_tells_how_it_goes_on_request(capsys):
    heard = []
    discover("lorenz", components="x0", progress=True, on_event=heard.append)
    assert capsys.readouterr().err.startswith("x0: identified after")
    assert any(each.equation for each in heard)
    discover("lorenz", components="x0")
    assert capsys.readouterr().err == ""


def test_a_long_form_leaves_room_for_the_clock(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "xterm")
    with progress(rounds=True) as listen:
        listen(Event("x", replace(EPOCH, best=" + ".join(["C*x"] * 30))))
        listen(Event("x", equation=equation(" + ".join(f"{n}*x**{n}" for n in range(2, 40)))))
        listen(Event("y", replace(EPOCH, best=" + ".join(["C*x"] * 30))))
    plain = re.sub(r"\x1b\[[^A-Za-z]*[A-Za-z]", "", terminal.getvalue())
    shown = re.split("[\r\n]+", plain.strip())
    assert max(map(len, shown)) <= 60
    assert shown[-1].endswith("0:00:00")
    assert any(each.startswith("  x  identified: ") and each.endswith("…") for each in shown)


def test_bars_tell_the_same_on_a_terminal(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("COLUMNS", "120")
    with progress() as listen:
        listen(Event(message=EXPECTED.sentence, expected=EXPECTED))
        listen(Event("x", cost=Cost(simulations=3_500)))
    shown = terminal.getvalue()
    assert "about 9,600 launches, 16 minutes" in shown
    assert "x  3,500 launches, about 6 minutes left" in shown
