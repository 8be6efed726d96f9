"""The paper's table: published figures as published, measured ones in the README as measured."""

from pathlib import Path

from odevsr.bench.paper_table import PUBLISHED, SYSTEMS, _figures, _measured_rows, _published_row
from odevsr.bench.result import BenchResult
from odevsr.showing.bench import bench_markdown
from odevsr.verdict.validate import validate

README = Path(__file__).parents[1] / "README.md"


def readme_table():
    text = README.read_text(encoding="utf-8")
    return text.split("<!-- odevsr bench paper-table-4 --markdown -->\n")[1].split("\n<!--")[0]


def test_the_published_figures_stand_in_the_readme():
    rows = tuple(_published_row(name) for name in PUBLISHED)
    assert readme_table().startswith(bench_markdown(BenchResult("x", (), rows)))


def test_each_method_has_both_measures_for_the_three_systems():
    verdict = validate("linear_oscillator")
    rows = [row for each in verdict.methods for row in _measured_rows([each] * len(SYSTEMS))]
    lines = [line for line in readme_table().splitlines() if "(measured)" in line]
    assert len(rows) == len(lines)
    for row, line in zip(rows, lines, strict=True):
        assert line.startswith(f"| {row['method']} | {row['measure']} |")
        assert [row[name] for name in SYSTEMS] == [100.0] * 3
    assert all(figure.holds for figure in _figures([verdict]))
