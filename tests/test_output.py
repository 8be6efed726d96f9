"""Tables as wide as the terminal, or blocks where it is narrow."""

import io
import sys

import pytest
from rich.console import Console

from odevsr.showing.output import plain_table, say

HEADINGS = ("method", "law", "exact", "error")
ROWS = [("ours", "sin(x) + cos(y) + 3*x*y**2 - 17", "yes", "4.9e-13"), ("theirs", "x", "no", "")]


def lines(width):
    console = Console(width=width, color_system=None)
    with console.capture() as captured:
        console.print(plain_table(HEADINGS, ROWS))
    return [line.rstrip() for line in captured.get().splitlines()]


def test_a_wide_table_has_a_line_a_row():
    assert lines(100) == [
        "method  law                              exact  error",
        "ours    sin(x) + cos(y) + 3*x*y**2 - 17  yes    4.9e-13",
        "theirs  x                                no",
    ]


def test_in_less_space_long_cells_wrap_and_short_ones_never_break():
    assert lines(44) == [
        "method  law                   exact  error",
        "ours    sin(x) + cos(y) +     yes    4.9e-13",
        "        3*x*y**2 - 17",
        "theirs  x                     no",
    ]


def test_a_narrow_terminal_has_a_block_a_row():
    assert lines(36) == [
        "ours",
        "  law: sin(x) + cos(y) + 3*x*y**2 -",
        "  17",
        "  exact: yes  error: 4.9e-13",
        "theirs",
        "  law: x  exact: no",
    ]


@pytest.mark.parametrize("width", [20, 36, 44, 60, 100])
def test_nothing_is_cut_off(width):
    shown = "".join("".join(lines(width)).split())
    for cell in ("sin(x)", "3*x*y**2", "4.9e-13", "theirs"):
        assert cell in shown


def test_a_terminal_breaks_sentences_between_words_and_a_file_has_them_whole(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setenv("COLUMNS", "24")
    sentence = "odevsr: error: [red]it[/red] is not there; look elsewhere"
    for stream, shown in ((Terminal(), 3), (io.StringIO(), 1)):
        monkeypatch.setattr(sys, "stderr", stream)
        say(sentence)
        assert len(stream.getvalue().splitlines()) == shown
        assert stream.getvalue().split() == sentence.split()
