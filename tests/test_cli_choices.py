"""Words that an option takes are listed: in its help, and by the shell's completion."""

import pytest
from command import odevsr

from odevsr.cli import export, plot, run
from odevsr.showing.export.formats import FORMATS
from odevsr.showing.plots.draw import KINDS


def completed(line):
    """What the shell offers for the last word of a line."""
    words = line.split(" ")
    asked = {"_ODEVSR_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": len(words) - 1}
    return odevsr(**{key: str(value) for key, value in asked.items()}).stdout.split()


@pytest.mark.parametrize(
    ("command", "choices"),
    [
        ("discover", ["factored|joint", "launches|crossings", "fast|paper", "even|log"]),
        ("plot", ["|".join(KINDS)]),
        ("export", ["|".join(FORMATS)]),
    ],
)
def test_the_help_of_an_option_lists_its_words(command, choices, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    assert run([command, "--help"]) == 0
    told = capsys.readouterr().out
    assert [each for each in choices if each not in told] == []


def test_the_words_listed_are_those_understood():
    assert tuple(KINDS) == plot.KINDS
    assert tuple(FORMATS) == export.FORMATS


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("odevsr disc", ["discover"]),
        ("odevsr show lor", ["lorenz"]),
        ("odevsr discover lorenz --expansion j", ["joint"]),
    ],
)
def test_the_shell_completes_commands_systems_and_choices(line, offered):
    assert [each for each in offered if each not in completed(line)] == []
