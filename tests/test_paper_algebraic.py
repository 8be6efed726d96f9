"""The paper's tables of algebraic expressions: what is kept, what is shown."""

import pytest

from odevsr.bench.paper import algebraic as paper_algebraic
from odevsr.bench.paper.algebraic import (
    DEFAULT,
    EIGHT,
    PAPER,
    PUBLISHED_1,
    PUBLISHED_2,
    PUBLISHED_3,
    Job,
    Measured,
    bench_paper_table_1,
    bench_paper_table_3,
    measured,
)
from odevsr.bench.paper.expressions import Group


def test_the_published_tables_have_a_figure_for_each_column():
    assert {len(row) for row in PUBLISHED_1.values()} == {8}
    assert {len(row) for row in PUBLISHED_2.values()} == {5}
    assert {len(row) for row in PUBLISHED_3.values()} == {4}


@pytest.mark.parametrize(
    "job",
    [
        Job(DEFAULT, Group(2, 1, 1, "sin, cos, 1/x"), 0),
        Job(PAPER, Group(2, 1, 1, "sin, cos"), 6),
        Job(PAPER, Group(3, 2, 2, "sin, cos"), 1),
    ],
)
def test_an_expression_is_found_and_held_to_the_truth(job):
    found = measured(job)
    assert found.exact
    assert found.nmse < 1e-20
    assert found.status == "identified"


def test_what_was_measured_is_kept_and_not_measured_again(tmp_path, monkeypatch):
    asked = []

    def pretended(job):
        asked.append(job)
        return Measured(job, 1e-30, exact=True, status="identified", fits=6, cpu_s=0.5)

    monkeypatch.setattr(paper_algebraic, "measured", pretended)
    monkeypatch.setattr(paper_algebraic, "mapped", lambda work, jobs, _: map(work, jobs))
    monkeypatch.setattr(paper_algebraic, "EXPRESSIONS", 1)
    first = bench_paper_table_3(full=True, folder=tmp_path)
    assert len(asked) == 2 * 4 * paper_algebraic.SEEDS
    assert first.holds
    asked.clear()
    again = bench_paper_table_1(folder=tmp_path)
    assert not asked
    shown = [row for row in again.rows if row["method"] == f"{DEFAULT} (measured)"]
    assert [row["group"] for row in shown] == [group.name for group in EIGHT[:4]]
    assert {row["median CPU s"] for row in shown} == {0.5}
