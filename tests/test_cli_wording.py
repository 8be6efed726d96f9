"""What is wrong with a command line is told as every other error is."""

import pytest

from odevsr.cli import run


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nonsense"], "odevsr: error: no such command 'nonsense'; `odevsr --help` tells more"),
        (["systems", "--jsn"], "odevsr systems has no option --jsn; did you mean --json?"),
        (["systems", "--q9"], "odevsr systems has no option --q9; `odevsr systems --help` tells"),
        (["show"], "odevsr show needs SYSTEM; `odevsr show --help` tells more"),
        (["plot", "lorenz"], "odevsr plot needs --out; "),
        (["discover", "lorenz", "--seed", "x"], "--seed 'x' is refused: "),
        (["discover", "lorenz", "--jobs=0"], "--jobs '0' is refused: "),
        (["discover", "--seed"], "--seed"),
        (["systems", "more"], "(more)"),
        (["systems", "--\x1b[2J"], "\\x1b[2J"),
        (["discover", "lorenz", "-v", "-q"], "leave one of them"),
    ],
)
def test_a_command_line_that_cannot_be_read_is_refused_in_one_sentence(words, sentence, capsys):
    assert run(words) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert sentence in told.err
    assert told.err.startswith("odevsr: error: ")
    assert told.err.count("\n") == 1


def test_the_bare_command_shows_its_help(capsys):
    assert run([]) == 0
    assert "discover" in capsys.readouterr().out
