"""The report of a run: one file, nothing else needed, whatever a file says."""

import json
import re
import shutil
import subprocess
from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from types import SimpleNamespace

import numpy as np
import pytest
from exports import found as exported_laws

import odevsr
from odevsr.cli import run as command
from odevsr.errors import RunError, UsageError
from odevsr.language.parse import parse
from odevsr.showing.plots.subject import subject_of
from odevsr.showing.report.beside import beside_sindy
from odevsr.showing.report.making import command as command_of
from odevsr.showing.report.page import report_page

pytest.importorskip("matplotlib", reason="reports need matplotlib")

EVIL = "<script>alert(1)</script>\x1b[31m & $x^$"
ROTOR = """
format = 1
name = "rotor"
title = "<script>alert(1)</script>"
source = "a & b"
[state]
x = { range = [-1, 1], start = 0.8, meaning = "<img src=x onerror=alert(1)>" }
y = { range = [-1, 1], start = 0.1 }
z = { range = [-1, 1], start = 0.3 }
[equations]
x = "-0.2*x + y"
y = "-x - 0.2*y"
z = "x*y + 0.5*x - z"
[simulation]
step = 0.1
duration = 3
"""
SECTIONS = ("Equations", "Motion", "Controlled experiments", "The law growing", "Residuals",
            "Learning", "Complexity and error", "How it was made")  # fmt: skip
VOID = {"meta", "link", "br", "img"}


class Page(HTMLParser):
    """What a page holds, if every element is closed in order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.figures = [], [], 0
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A finished run, its folder and its report."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "rotor.toml").write_text(ROTOR)
    found = odevsr.discover(str(folder / "rotor.toml"), out=folder / "run", components=["x", "z"])
    return found, folder / "run", found.report(folder / "report.html")


def test_a_report_has_all_sections_and_is_whole(run):
    page = Page(run[2])
    assert all(f"<h2>{name}" in run[2] for name in SECTIONS)
    figures = [tag for tag, _ in page.tags if tag == "figure"]
    pictures = [tag for tag, _ in page.tags if tag == "svg"]
    assert len(figures) == len(pictures) > 10
    assert "<math" in run[2]


def test_a_report_loads_nothing_and_runs_nothing_from_a_file(run):
    page = Page(run[2])
    assert [tag for tag, _ in page.tags].count("script") == 1
    for tag, attributes in page.tags:
        assert tag not in {"img", "iframe", "link", "object"}
        assert not any(name.startswith("on") for name in attributes)
        for name in ("src", "href", "xlink:href"):
            assert attributes.get(name, "#").startswith(("#", "data:"))
    assert "&lt;script&gt;alert(1)" in run[2]
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_figures_in_space_stand_still_without_scripts(run):
    still = re.sub(r"<script>.*?</script>", "", run[2], flags=re.DOTALL)
    assert len(re.findall(r'<path d="M[^"]+" class="dots', still)) > 2
    numbers = re.findall(r'<text x="[^"]+" y="[^"]+" class="number"[^>]*>([^<]+)</text>', still)
    assert {"-1", "-0.5", "0", "0.5", "1"} <= set(numbers)


def test_what_a_run_does_not_hold_is_left_out(run):
    found = replace(run[0], folder=None)
    page = report_page(subject_of(found))
    assert "<h2>Equations" in page
    assert "<h2>Residuals" not in page
    nothing = replace(found, equations=(), interrupted=True)
    assert "No equation has been found yet" in report_page(subject_of(nothing))


def test_whatever_a_run_is_called_or_notes_is_escaped(run):
    equations = tuple(replace(each, note=EVIL) for each in run[0].equations)
    page = report_page(subject_of(replace(run[0], equations=equations, folder=None)))
    assert "\x1b" not in page
    assert page.count("<script>") == 1


def test_a_law_of_many_terms_is_written_out(run):
    law = parse(" + ".join(f"{number}.5*sin({number}*x)" for number in range(2, 302)), ["x"])
    equation = replace(run[0].equations[0], expression=law, rounds=(), conclusions=())
    page = report_page(subject_of(replace(run[0], equations=(equation,), folder=None)))
    assert "301.5*sin(301*x)" in page
    Page(page)


def test_the_command_that_makes_it_again_is_said(run):
    assert command_of(run[0]) == (
        "odevsr discover ./rotor.toml --seed 0 --components x,z",
        "Save the system file below as rotor.toml first.",
    )
    noisy = replace(run[0], settings=replace(run[0].settings, noise=0.02, decide=True))
    assert "--noise 0.02" in command_of(noisy)[0]
    paper = replace(run[0], settings=odevsr.preset("paper"))
    assert "--preset paper" in command_of(paper)[0]


def test_what_validate_said_stands_beside_it(run):
    laws = [{"variable": "x", "expression": "<script>", "exact": False, "r2": None, "terms": 2}]
    judged = {"methods": [{"method": "SINDy", "equations": laws}]}
    (run[1] / "verdict.json").write_text(json.dumps(judged))
    page = report_page(subject_of(run[1]))
    assert "<h2>Beside SINDy" in page
    assert page.count("<script>") == 1


def test_the_command_writes_a_new_file_only(run, tmp_path, capsys):
    out = tmp_path / "report.html"
    assert command(["report", str(run[1]), "-o", str(out)]) == 0
    assert out.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert command(["report", str(run[1]), "-o", str(out)]) == 2
    assert command(["report", str(tmp_path), "-o", str(tmp_path / "x.html")]) == 3
    assert "no run.json" in capsys.readouterr().err
    with pytest.raises(UsageError, match="not overwritten"):
        run[0].report(out)


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no chromium here: not looked at")
def test_a_browser_shows_it_without_complaint(run, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(run[2], encoding="utf-8")
    shown = _browsed(path, tmp_path)
    assert "CONSOLE" not in shown.stderr
    assert shown.stdout.count("<figure>") == run[2].count("<figure>")
    assert shown.stdout.count('class="turns"') == run[2].count("data-space=")


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no chromium here: not looked at")
def test_a_narrow_screen_need_not_be_moved_sideways(run, tmp_path):
    frame = f'<iframe id="page" style="width: 390px" srcdoc="{escape(run[2])}"></iframe>'
    width = 'document.getElementById("page").contentDocument.documentElement.scrollWidth'
    script = f"<script>onload = () => {{ document.title = {width}; }}</script>"
    path = tmp_path / "narrow.html"
    path.write_text(f"<title>unseen</title>{frame}{script}", encoding="utf-8")
    shown = _browsed(path, tmp_path)
    assert 300 < int(re.search(r"<title>(\w+)</title>", shown.stdout)[1]) <= 390


def _browsed(path, folder):
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--enable-logging=stderr", f"--user-data-dir={folder / 'profile'}"]  # fmt: skip
    return subprocess.run(
        ["chromium", *flags, "--virtual-time-budget=2000", "--dump-dom", path.as_uri()],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip


@pytest.fixture(scope="module")
def reduced(tmp_path_factory):
    """A function whose variables are merged before there are rounds over them."""
    formula = odevsr.formula("a*b/(x - y)^2", {"a": (1, 3), "b": (1, 3), "x": (1, 3), "y": (4, 6)})
    return odevsr.discover(formula, out=tmp_path_factory.mktemp("reduced") / "run")


def test_a_law_found_in_combinations_of_variables_is_drawn_over_them(reduced):
    page = reduced.report()
    Page(page)
    assert "No round is drawn" not in page
    assert "f: (x - y)/(a*b)**0.5 free" in page
    assert "<h2>Motion" not in page
    assert "f over time" not in page
    drawn = reduced.plot("rounds").axes[0]
    for shown in drawn.get_lines():  # the points measured, and the form through them
        combined, values = shown.get_data()
        assert np.allclose(values, combined**-2.0, rtol=1e-4)
    assert drawn.get_title(loc="left").startswith("(x - y)/(a*b)**0.5 free: f = C1/")


@pytest.fixture(scope="module")
def scaled(tmp_path_factory):
    """A function that is simpler over a power of a variable, one of its constants a law itself."""
    formula = odevsr.formula("1/(a*sin(b) + c)", {"a": (1, 3), "b": (1, 3), "c": (1, 3)})
    return odevsr.discover(formula, out=tmp_path_factory.mktemp("scaled") / "run")


def test_rounds_about_a_function_of_the_law_and_about_a_constant_of_it_are_drawn(scaled):
    drawn = odevsr.load(scaled.folder).plot("rounds").axes
    labels = [each.get_ylabel() for each in drawn]
    assert "y over 1/a" in labels
    [constant] = [each for each in drawn if each.get_ylabel() == "C1 of y"]
    for shown in constant.get_lines():  # what was fitted, and the form through it
        b, values = shown.get_data()
        assert np.allclose(values, np.sin(b), atol=1e-4)
    Page(page := scaled.report())
    assert "C1 of y: b free" in page


def test_a_run_that_has_not_kept_what_its_rounds_are_about_says_so(scaled):
    [equation] = scaled.equations
    rounds = [each for each in equation.rounds if each.place.stands_for]
    older = tuple(replace(each, seen=()) for each in rounds)
    other = replace(scaled, equations=(replace(equation, rounds=older),))
    assert "No round is drawn of y, whose rounds are about quantities" in other.report()
    with pytest.raises(UsageError, match="No round is drawn of y"):
        other.plot("rounds")


def test_pictures_of_functions_over_time_are_refused(reduced):
    with pytest.raises(UsageError, match="none of motion in time"):
        reduced.plot("phase")
    assert reduced.plot("front").axes[0].get_title(loc="left") == "f"


def test_a_map_has_a_report_with_its_steps(tmp_path):
    found = odevsr.discover("henon", out=tmp_path / "run")
    page = found.report()
    Page(page)
    assert "x[k+1]" in page
    assert "dx/dt" not in page
    assert "What the studied system does (blue, dots)" in page
    assert "1.39999" not in page
    true, by_laws = (line.get_data()[0] for line in found.plot("time").axes[0].get_lines())
    assert len(true) == len(by_laws) == 60


def test_recordings_are_drawn_beside_the_motion_of_their_laws(tmp_path, capsys):
    times = np.linspace(0, 6, 120)
    lines = [f"{t},{x}" for t, x in zip(times, 2 * np.exp(-times / 2), strict=True)]
    (tmp_path / "decay.csv").write_text("\n".join(["t,x", *lines]))
    found = odevsr.discover(tmp_path / "decay.csv", hold_out=0.2, out=tmp_path / "run")
    assert command(["validate", str(tmp_path / "run")]) == 0
    page = odevsr.report(tmp_path / "run")
    Page(page)
    assert "fresh experiments" not in page
    assert "explains all runs to their noise" in page
    assert "The recordings belong to this command." in page
    both = replace(odevsr.load(tmp_path / "run"), target="a.csv, b b.csv")
    assert command_of(both)[0] == "odevsr discover a.csv 'b b.csv' --hold-out 0.2 --seed 0"
    assert "<h2>Beside SINDy" in page
    assert "<td>samples</td><td>120</td>" in page
    measured, by_laws = (line.get_data() for line in found.plot("phase").axes[0].get_lines())
    assert np.allclose(measured, np.array(by_laws)[:, ::4], atol=1e-5)
    assert len(by_laws[0]) == 4 * 119 + 1
    left = found.plot("residuals").axes[0].get_lines()[1].get_ydata()
    assert len(left) == 120
    assert np.max(np.abs(left)) < 1e-5


def test_laws_beside_sindy_stand_in_the_order_of_the_variables():
    laws = [{"variable": name, "expression": "1"} for name in ("z", "a")]
    both = {"equations": laws, "reconstructs": 1.0, "follows": 1.0}
    methods = [{"method": name, **both} for name in ("odevsr", "SINDy")]
    shown = beside_sindy(SimpleNamespace(verdict={"held_out": "run 1", "methods": methods}))
    assert re.findall(r"<td>d(.)/dt</td><td>(\w+)", shown) == [
        ("z", "odevsr"), ("z", "SINDy"), ("a", "odevsr"), ("a", "SINDy"),
    ]  # fmt: skip


def test_a_law_of_hundreds_of_terms_is_told_in_short_with_the_whole_behind_it():
    law = " + ".join(f"{n / 7 + 1}*x**{n % 9}*y**{n // 9}" for n in range(300))
    page = exported_laws({"x": law, "y": "-x"}).report()
    Page(page)
    assert "(279 more terms)" in page
    assert "The whole law" in page


def test_of_many_variables_the_first_pictures_are_shown_and_the_others_counted(tmp_path):
    names = [f"v{n}" for n in range(60)]
    laws = {name: f"-{name}" for name in names}
    page = exported_laws(laws, target="many").report()
    Page(page)
    assert "The first 24 of 60 are shown." in page


def test_a_system_that_rests_at_its_start_is_shown_from_elsewhere(tmp_path):
    text = ROTOR.replace("start = 0.8", "start = 0").replace("start = 0.1", "start = 0")
    (tmp_path / "rotor.toml").write_text(text.replace("start = 0.3", "start = 0"))
    [motion] = subject_of(odevsr.get_system(str(tmp_path / "rotor.toml"))).motions
    assert motion.states[0].tolist() == [0.5, 0.5, 0.5]


def test_a_run_without_an_equation_says_so(run, tmp_path, capsys):
    replace(run[0], equations=(), interrupted=True).save(tmp_path / "none")
    page = odevsr.report(tmp_path / "none")
    assert "No equation has been found yet." in page
    out = tmp_path / "x.png"
    assert command(["plot", str(tmp_path / "none"), "--kind", "rounds", "-o", str(out)]) == 2
    assert "nothing to draw as rounds yet; let the search go on" in capsys.readouterr().err


def test_what_steers_terminals_is_escaped_before_it_is_written(run, tmp_path):
    replace(run[0], target=EVIL, system_file="").save(tmp_path / "evil")
    assert "\\x1b[31m" in odevsr.load(tmp_path / "evil").target


def test_a_folder_that_is_missing_is_named(run, tmp_path):
    with pytest.raises(RunError, match=r"there is no folder .*nowhere; make it first"):
        run[0].report(tmp_path / "nowhere" / "report.html")
