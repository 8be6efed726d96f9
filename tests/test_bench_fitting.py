"""The fitting bench measures what it says: its samples, its rivals, its figures."""

import sys
from itertools import islice

import numpy as np
import pytest

from odevsr.bench.engine import evaluation, fitting
from odevsr.bench.engine.candidates import sampled_forms, sampled_laws
from odevsr.bench.engine.fresh import growth
from odevsr.bench.engine.rivals import fit_compiled_once, fit_parsing_every_call
from odevsr.fitting.fit import Effort, fit_programs, start_multipliers
from odevsr.language.algebra.normal import normal_form
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Constant, complexity, count, variables
from odevsr.language.parse import parse
from odevsr.settings import DEFAULT_OPERATORS

NAMES = ("x0", "x1", "x2")


def test_candidates_are_distinct_and_within_their_limits():
    rng = np.random.default_rng(0)
    forms = list(islice(sampled_forms(NAMES, DEFAULT_OPERATORS, rng, fewest_constants=1), 300))
    assert len(set(forms)) == 300
    assert all(1 <= count(form, Constant) <= 8 for form in forms)
    assert all(complexity(form) <= 40 for form in forms)
    assert all(variables(form) for form in forms)
    assert max(complexity(form) for form in forms) > 30


def test_laws_can_be_solved_and_are_the_same_for_the_same_seed():
    first, again = (
        sampled_laws(5, ("+", "*"), (-3, 3), np.random.default_rng(1)) for _ in range(2)
    )
    starts = start_multipliers(12, np.random.default_rng(0))
    for law, same in zip(first, again, strict=True):
        assert law.form == same.form
        np.testing.assert_array_equal(law.trials.targets, same.trials.targets)
        assert fit_programs([law.program], law.trials, starts, Effort()).losses[0, 0] < 1e-10


@pytest.mark.parametrize("fit", [fit_compiled_once, fit_parsing_every_call])
def test_rivals_find_the_constants_of_a_line(fit):
    form = normal_form(parse("C*x0 + C*x1 + C", NAMES, open_symbols=True))
    points = np.random.default_rng(0).uniform(0, 2, (50, 3))
    values = 2 * points[:, 0] - points[:, 1] + 3
    assert fit(form, NAMES, points, values) < 1e-8


@pytest.mark.parametrize("fit", [fit_compiled_once, fit_parsing_every_call])
def test_rivals_survive_what_has_no_value(fit):
    form = normal_form(parse("C*log(x0 - 5)", NAMES, open_symbols=True))
    points = np.random.default_rng(0).uniform(0, 2, (50, 3))
    assert fit(form, NAMES, points, points[:, 0]) > 1.0


def test_pyoperon_is_given_the_same_expressions():
    operon = pytest.importorskip("pyoperon")
    points = np.random.default_rng(0).uniform(0.5, 2, (40, 3))
    dataset = operon.Dataset(np.asfortranarray(points.astype(np.float32)))
    columns = sorted(dataset.Variables, key=lambda variable: variable.Index)
    hashes = {name: column.Hash for name, column in zip(NAMES, columns, strict=True)}
    for text in (
        "x0 - 2*x1/x2",
        "x0^2 + x1^3 + x2^(-2)",
        "sin(x0)*cos(x1)*exp(x2)",
        "sqrt(log(x0 + 3))",
    ):
        form = normal_form(parse(text, NAMES))
        tree = operon.Tree(evaluation.operon_nodes(form, operon, hashes)).UpdateNodes()
        found = operon.Evaluate(tree, dataset, operon.Range(0, len(points)))
        expected = compile_field([form], NAMES)(points)[:, 0]
        assert found == pytest.approx(expected, rel=1e-4)


def test_a_missing_pyoperon_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyoperon", None)
    forms = [normal_form(parse("x0 + sin(x1)", NAMES))]
    points = np.ones((64, 3))
    assert evaluation.operon_speed(forms, NAMES, points, seconds=0.0) is None
    assert evaluation.machine_speed(forms, NAMES, points, seconds=0.001) > 0


def test_memory_is_watched_over_the_fits():
    assert abs(growth(1000)) < 50


def test_a_quick_bench_has_every_figure(monkeypatch):
    monkeypatch.setattr(
        fitting, "engine_start", lambda: {"cold": 10.0, "warm": 0.3, "libraries": 1}
    )
    monkeypatch.setattr(fitting, "memory_growth", lambda fits: 0.5)
    result = fitting.bench_fitting(quick=True)
    names = [figure.name for figure in result.figures]
    assert len(names) == len(set(names)) == 11
    assert [figure.value for figure in result.figures if "CPU s to" in figure.name] == [10.0, 0.3]
    assert all(np.isfinite(figure.value) for figure in result.figures)
    shares = [row["% solved"] for row in result.rows if row["operators"] == "trigonometric"]
    assert shares[-1] >= shares[0]
    assert [row["method"] for row in result.totals][:2] == ["odevsr", "sympy once + scipy"]
