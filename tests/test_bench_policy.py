"""The bench of policies: its cases are in reach, and its figure says what was measured."""

import numpy as np

from odevsr.bench.policy import CASES, COMPOSITIONS, Case, bench_policy
from odevsr.language.evaluate import compile_field
from odevsr.language.parse import parse

LINE = Case("line", "2*x0 - 3", ("x0",), 0.0, 1.0)


def test_every_case_has_a_value_all_over_its_ranges():
    rng = np.random.default_rng(0)
    for case in (*CASES, *COMPOSITIONS):
        states = rng.uniform(case.low, case.high, (200, len(case.names)))
        values = compile_field([parse(case.law, case.names)], case.names)(states)
        assert np.all(np.isfinite(values)), case.name


def test_one_short_epoch_gives_a_row_for_each_case_and_five_figures(monkeypatch):
    monkeypatch.setattr("odevsr.bench.policy.CASES", CASES[8:9])
    monkeypatch.setattr("odevsr.bench.policy.COMPOSITIONS", (LINE,))
    result = bench_policy(seeds=1, epochs=2)
    assert [row["function"] for row in result.rows] == [CASES[8].name, "line"]
    assert [row["catalogue found"] for row in result.rows] == [None, True]
    assert 0 < result.rows[0]["uniform fits"] <= 2048
    assert result.figures[0].value > 0
    assert [figure.value for figure in result.figures[1:3]] == [0, 0], "the catalogue found it"
    assert result.rows[1]["trained found"] == 1
    assert all(figure.value < float("inf") for figure in result.figures[3:])
