"""What is said while a discovery runs."""

import io
import sys

import pytest

from odevsr.discovery.task import Event
from odevsr.search.loop import Epoch
from odevsr.showing.progress import progress
from odevsr.world.experiments.oracle import Cost
from odevsr.world.pilot.timing import PILOT_LAUNCHES, Expected

EXPECTED = Expected(launches=PILOT_LAUNCHES + 7_000, seconds=960.0, timed=10)
EPOCH = Epoch("families", 40, 1e-3, "C*x", variable="x")


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
