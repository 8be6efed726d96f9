"""The bench of policies: its cases are in reach, and its figures say what was measured."""

import numpy as np
import pytest

from odevsr.bench import policy
from odevsr.bench.functions import CASES, COMPOSITIONS, FunctionCase, families, unseen
from odevsr.bench.policy import bench_policy
from odevsr.bench.train_policy import SEED
from odevsr.language.drawing.forest import Forest
from odevsr.language.evaluate import compile_field
from odevsr.language.parse import parse
from odevsr.language.text import to_text
from odevsr.search.loop import Found
from odevsr.search.policy.examples import TRAINING, VARIABLE, draw_examples
from odevsr.search.policy.rules import composing_grammar
from odevsr.settings import DEFAULT_OPERATORS, Settings

LINE = FunctionCase("line", "2*x0 - 3", ("x0",), 0.0, 1.0)


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(policy, "EPOCHS", 1)
    monkeypatch.setattr(policy, "CASES", CASES[8:9])
    monkeypatch.setattr(policy, "COMPOSITIONS", (LINE,))
    monkeypatch.setattr(policy, "unseen", lambda number: (LINE,) * (number > 0))
    monkeypatch.setattr(policy, "families", lambda: (LINE,))


def test_every_case_has_a_value_all_over_its_ranges():
    rng = np.random.default_rng(0)
    for case in (*CASES, *COMPOSITIONS, *families()):
        states = rng.uniform(case.low, case.high, (200, len(case.names)))
        values = compile_field([parse(case.law, case.names)], case.names)(states)
        assert np.all(np.isfinite(values)), case.name


def test_functions_never_shown_are_of_forms_that_training_holds_out(monkeypatch):
    monkeypatch.setattr("odevsr.bench.functions.DRAWS", 2000)
    names = {case.name for case in unseen(3)}
    grammar = composing_grammar(VARIABLE, DEFAULT_OPERATORS, (), Settings().longest)
    examples = draw_examples(grammar, 2000, np.random.default_rng(SEED))
    kept, shown = (
        {to_text(form) for form in Forest(grammar).plant(each.sequences)}
        for each in examples.split(TRAINING.held_out)
    )
    assert len(names) == 3
    assert names <= kept
    assert names.isdisjoint(shown)


def test_each_function_has_a_row_with_what_every_searcher_made_of_it(short, tmp_path):
    result = bench_policy(1, True, tmp_path)
    rows = {row["kind"]: row for row in result.rows}
    assert rows.keys() == {"composed", "bare", "family", "never shown"}
    assert rows["composed"]["catalogue found"]
    assert rows["composed"]["trained found"]
    assert 0 < rows["bare"]["uniform fits"] <= 1024
    assert rows["bare"]["trained fits"] is None
    figures = {figure.name: figure.value for figure in result.figures}
    assert figures["composed: found by trained and not by the catalogue, of 1"] == 0
    assert figures["composed: median ratio of fits, trained to uniform"] < float("inf")


def test_what_is_kept_is_shown_and_not_measured_again(short, tmp_path, monkeypatch):
    monkeypatch.setattr(policy.PolicyTask, "found", lambda _: Found())
    assert bench_policy(1, False, tmp_path).rows == ()
    measured = bench_policy(1, True, tmp_path)
    monkeypatch.setattr(policy.PolicyTask, "found", None)
    assert bench_policy(1, True, tmp_path) == bench_policy(1, False, tmp_path) == measured


def test_a_law_found_by_the_other_alone_has_an_endless_ratio():
    both = {"trained found": True, "trained fits": 10, "lstm found": True, "lstm fits": 40}
    lost = both | {"trained found": False}
    neither = lost | {"lstm found": False}
    unknown = both | {"lstm found": None, "lstm fits": None}
    assert policy._ratio([both, neither, unknown], "trained", "lstm") == 0.25
    assert policy._ratio([both, lost, lost], "trained", "lstm") == float("inf")
