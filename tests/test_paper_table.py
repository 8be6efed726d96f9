"""The paper's table: published figures as published, measured ones in the README as measured."""

from dataclasses import replace
from pathlib import Path

import pytest

from odevsr.bench.paper_table import PUBLISHED, SYSTEMS, _figures, _measured_rows, _published_row
from odevsr.bench.result import BenchResult
from odevsr.showing.bench import bench_markdown
from odevsr.verdict.judgement import OURS
from odevsr.verdict.validate import validate

README = Path(__file__).parents[1] / "README.md"


def readme_table():
    text = README.read_text(encoding="utf-8")
    return text.split("<!-- odevsr bench paper-table-4 --markdown -->\n")[1].split("\n<!--")[0]


def readme_figures(system):
    """The measured figures of a system by method and measure."""
    heading, _, *lines = (
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in readme_table().splitlines()
    )
    column = heading.index(system)
    return {
        (method, measure): float(cells[column - 2])
        for method, measure, *cells in lines
        if "(measured)" in method
    }


def measured_figures(verdict):
    """The same, measured here; every system stands in for all three."""
    rows = [row for each in verdict.methods for row in _measured_rows([each] * len(SYSTEMS))]
    return {(row["method"], row["measure"]): round(row[SYSTEMS[0]], 2) for row in rows}


def test_the_published_figures_stand_in_the_readme():
    rows = tuple(_published_row(name) for name in PUBLISHED)
    assert readme_table().startswith(bench_markdown(BenchResult("x", (), rows)))


@pytest.mark.parametrize("system", ["lorenz", "mhd"])
def test_the_measured_figures_of_all_methods_stand_in_the_readme(system):
    verdict = validate(system)
    assert measured_figures(verdict) == readme_figures(system)
    assert all(figure.holds for figure in _figures([verdict]))


def test_our_figures_of_glycolysis_stand_in_the_readme(monkeypatch):
    monkeypatch.setattr("odevsr.verdict.validate._sindy", lambda *_: [])  # Its fits take a minute.
    verdict = validate("glycolysis")
    ours = {key: value for key, value in readme_figures("glycolysis").items() if OURS in key[0]}
    assert measured_figures(verdict) == ours
    assert len(verdict.method(OURS).judgements) == 7


def test_a_method_that_misses_an_equation_of_two_has_half_of_them():
    verdict = validate("linear_oscillator")
    ours = verdict.method(OURS)
    assert [row["lorenz"] for row in _measured_rows([ours] * 3)] == [100.0, 100.0]
    first, second = ours.judgements
    missed = replace(first, nmse=0.1, form=replace(first.form, exact=False))
    worse = replace(ours, judgements=(missed, second))
    assert [row["lorenz"] for row in _measured_rows([worse] * 3)] == [50.0, 50.0]
    (figure,) = _figures([replace(verdict, methods=(worse,))])
    assert figure.value == 50.0
    assert not figure.holds
