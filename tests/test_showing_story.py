"""The story of each equation, for who has never seen the method."""

from dataclasses import replace

import pytest

from odevsr import discover, load
from odevsr.cli import run as command
from odevsr.showing.prose import Heading, as_text, formula, said, visible
from odevsr.showing.story import story
from odevsr.vertical.asking.story import Conclusion, Place, WayToLaw
from tests.system_texts import written

INHIBITED = """
format = 1
name = "inhibited"
[state]
s = { range = [0.5, 5] }
i = { range = [0.2, 3] }
[equations]
s = "-2*s/(s + 1 + 0.7*i)"
i = "-0.3*i"
"""


@pytest.fixture(scope="module")
def inhibited(tmp_path_factory):
    """A finished run in which a constant of a form is a quantity of its own, and its folder."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "inhibited.toml").write_text(INHIBITED)
    found = discover(str(folder / "inhibited.toml"), out=folder / "run", components="s")
    return found, folder / "run"


def test_the_story_tells_what_was_freed_held_found_and_checked(inhibited):
    text = " ".join(inhibited[0].explain().split())
    assert "s (by" in text
    assert "With s free and i held at five settings" in text
    assert "ds/dt = C1*s/(C2 + s)" in text
    assert "C1 = -2 is the same in all trials and stands alone" in text
    assert "C2 differs from trial to trial: a summary constant, in i" in text
    assert "Each of its constants became a quantity of its own" in text
    assert "C1 = K1*i + K2" in text
    assert "How it was checked" in text
    assert "the catalogue of families of functions" in text


def test_the_story_is_the_same_from_the_folder(inhibited):
    found, folder = inhibited
    assert load(folder).explain() == found.explain()


def test_an_equation_without_rounds_says_so(inhibited):
    found, _ = inhibited
    bare = [replace(each, rounds=(), screenings=(), conclusions=()) for each in found.equations]
    assert "holds no record" in replace(found, equations=tuple(bare)).explain()
    assert "No equation has been found yet" in replace(found, equations=()).explain()


def test_every_text_of_a_file_is_visible(inhibited):
    found, _ = inhibited
    evil = replace(found, target="\x1b[31mred <script>")
    assert "\x1b" not in evil.explain()
    assert visible("\x9b") == "\\x9b"


def test_a_text_that_is_no_formula_stays_as_it_is():
    assert formula("a formula?!", "x") == "x = a formula?!"
    assert as_text([Heading("T"), said("a ", formula("x*1.00000000000001", "y"), ".")]) == (
        "T\na y = x."
    )


def test_parts_are_told_in_order(inhibited):
    headings = [each.text for each in story(inhibited[0]) if isinstance(each, Heading)]
    assert headings[:2] == ["How the equations of inhibited were found", "ds/dt"]


def test_the_command_explains_a_run(inhibited, capsys):
    assert command(["explain", str(inhibited[1])]) == 0
    assert "held at five settings" in capsys.readouterr().out


def test_discover_explains_on_request(tmp_path, capsys):
    path = str(written(tmp_path, "decay"))
    assert command(["discover", path, "--explain"]) == 0
    out = capsys.readouterr().out
    assert out.index("identified") < out.index("were found")
    assert command(["discover", path, "--explain", "--json"]) == 2
    assert "leave one of them" in capsys.readouterr().err


def test_combinations_of_variables_are_written_out(tmp_path):
    found = discover("lorenz", components="x2", out=tmp_path / "run")
    text = " ".join(found.explain().split())
    assert "x0 and x1 were seen to act together, so that the study goes on over x1*x0." in text
    assert "Round: x1*x0 - 8/3*x2 free" in text
    assert "the form dx2/dt = C1*(x1*x0 - 8/3*x2) explains every trial" in text
    assert load(tmp_path / "run").explain() == found.explain()


def test_what_is_studied_in_place_of_a_law_is_named(inhibited):
    found, _ = inhibited
    inner = (("s", "its reciprocal"), ("s", "s*i"))
    root, deeper = Place("s"), Place("s", stands_for=inner)
    told = (
        Conclusion(deeper, WayToLaw.TOGETHER, (), "", "2*s"),
        Conclusion(root, WayToLaw.OUTER, (), "", "s/i"),
    )
    changed = replace(found.equations[0], conclusions=told, rounds=(), screenings=())
    text = " ".join(replace(found, equations=(changed,)).explain().split())
    assert "So the reciprocal of ds/dt = 2*s*i. So ds/dt = s/i." in text.replace("2*(s*i)", "2*s*i")


def test_a_law_that_needed_no_rounds_is_told_so():
    found = discover("lorenz", frugal=True)
    text = " ".join(found.explain().split())
    assert text.count("No rounds were needed") == 3
    assert "no record" not in text
