"""The searchers' table: every searcher is measured once by rounds, and all at once where it can."""

import json
from dataclasses import replace

import pytest

from odevsr.bench import searchers
from odevsr.bench.paper.expressions import Group
from odevsr.bench.searchers import SEARCHERS, Job, Measured, bench_searchers, measured

GROUP = Group(2, 1, 1)


def test_a_searcher_without_rounds_is_held_to_the_truth_on_fresh_points(monkeypatch):
    for name in ("probabilistic grammar", "genetic programming", "Monte Carlo tree search"):
        changed = replace(SEARCHERS[name], epochs=1, batch=64)
        monkeypatch.setitem(SEARCHERS, name, changed)
        found = measured(Job(name, "horizontal", GROUP, 0))
        assert 0 < found.fits < 64 * 4
        assert found.nmse > 0
        assert not found.exact


def test_results_are_kept_and_each_searcher_has_a_row_for_each_way(tmp_path, monkeypatch):
    made = []

    def pretended(job):
        made.append(job)
        return Measured(job, 1e-20, job.way == "vertical", 10, 0.1)

    monkeypatch.setattr(searchers, "measured", pretended)
    result = bench_searchers(quick=True, folder=tmp_path)
    assert bench_searchers(quick=True, folder=tmp_path) == result
    assert len(made) == len(json.loads((tmp_path / "searchers.json").read_text()))
    rows = [(row["searcher"], row["way"]) for row in result.rows]
    assert {name for name, _ in rows} == set(SEARCHERS)
    assert len(rows) == len(set(rows))
    assert ("odevsr", "horizontal") not in rows
    assert result.holds


def test_nothing_is_measured_unless_asked(tmp_path):
    assert bench_searchers(folder=tmp_path).rows == ()


@pytest.mark.parametrize("name", SEARCHERS)
def test_all_but_the_default_have_the_same_batches(name):
    if name != searchers.DEFAULT:
        chosen = SEARCHERS[name]
        assert (chosen.epochs, chosen.batch) == (8, 512)
