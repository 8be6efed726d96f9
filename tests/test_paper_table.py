"""The paper's table: published figures as published, measured ones in the README as measured."""

from pathlib import Path

import pytest

from odevsr.bench.paper import systems as paper_table
from odevsr.bench.paper.systems import PUBLISHED, SYSTEMS, _published_row, bench_paper_table
from odevsr.bench.result import BenchResult
from odevsr.showing.bench import bench_markdown
from odevsr.verdict.validate import validate
from odevsr.world.trajectories.trajectory import Ending

README = Path(__file__).parents[1] / "README.md"


def readme_table():
    text = README.read_text(encoding="utf-8")
    return text.split("<!-- odevsr bench paper-table-4 --markdown -->\n")[1].split("\n<!--")[0]


@pytest.fixture(scope="module")
def verdicts():
    """The three systems, each discovered and judged beside SINDy, to the end."""
    return {name: validate(name) for name in SYSTEMS}


def test_the_published_figures_stand_in_the_readme():
    rows = tuple(_published_row(name) for name in PUBLISHED)
    assert readme_table().startswith(bench_markdown(BenchResult("x", (), rows)))


def test_every_law_of_every_method_is_followed_until_it_is_lost_or_to_the_end(verdicts):
    motions = [way for each in verdicts.values() for m in each.methods for way in m.followed]
    assert len(motions) == 3 * 4 * len(SYSTEMS)
    assert {way.status for way in motions} == {Ending.COMPLETE, Ending.DEPARTED}
    assert all(each.cpu_s.sindy > 0 for each in verdicts.values())


def test_the_measured_figures_are_those_of_the_readme_and_hold(verdicts, monkeypatch):
    monkeypatch.setattr(paper_table, "validate", lambda name, seed: verdicts[name])
    result = bench_paper_table()
    assert bench_markdown(result) == readme_table()
    assert result.holds


def test_as_many_laws_are_exact_as_each_method_can_find(verdicts):
    def exact(name):
        return [method.exact for method in verdicts[name].methods]

    assert {name: exact(name) for name in SYSTEMS} == {
        "lorenz": [3, 3, 3, 3],
        "mhd": [6, 6, 6, 6],
        "glycolysis": [7, 4, 4, 7],
    }
