"""Scores, against cases worked out by hand."""

import math

import numpy as np
import pytest

from odevsr.language.parse import parse
from odevsr.verdict.scores import (
    expanded_terms,
    nmse,
    r2,
    r2_accuracy,
    score_form,
    share,
    term_precision_and_recall,
)
from odevsr.world.box import plain_box

NAMES = ("x0", "x1", "x2")
BOX = plain_box([[-2.0, 2.0]] * 3)


def law(text):
    return parse(text, NAMES)


def test_nmse_is_the_mean_square_error_over_the_variance():
    measured = np.array([0.0, 2.0, 4.0])  # variance 8/3
    assert nmse(measured + np.array([1.0, 0.0, -1.0]), measured) == pytest.approx(0.25)
    assert r2(measured + np.array([1.0, 0.0, -1.0]), measured) == pytest.approx(0.75)


def test_the_mean_has_r2_zero_and_a_perfect_prediction_one():
    measured = np.array([1.0, 5.0, 9.0])
    assert r2(np.full(3, 5.0), measured) == pytest.approx(0.0)
    assert r2(measured, measured) == 1.0


def test_what_does_not_vary_is_either_hit_or_missed():
    measured = np.full(4, 2.0)
    assert nmse(measured, measured) == 0.0
    assert nmse(measured + 1e-9, measured) == math.inf
    assert nmse(np.array([math.nan, 1.0]), np.array([0.0, 1.0])) == math.inf


def test_the_papers_accuracy_counts_from_four_nines_on():
    assert r2_accuracy([0.9999, 0.99989, 1.0]) == pytest.approx(2 / 3)
    assert math.isnan(share([]))


def test_a_law_right_up_to_rounding_is_exact():
    scores = score_form(law("9.9999999996*x1 - 10.0000000001*x0"), law("10*(x1 - x0)"), NAMES, BOX)
    assert (scores.exact, scores.precision, scores.recall, scores.terms) == (True, 1.0, 1.0, 2)


def test_a_spurious_small_term_costs_precision_and_exactness_but_not_r2():
    found, truth = law("10*x1 - 10*x0 + 0.001*x2"), law("10*(x1 - x0)")
    scores = score_form(found, truth, NAMES, BOX)
    assert not scores.exact
    assert scores.precision == pytest.approx(2 / 3)
    assert scores.recall == 1.0
    states = np.random.default_rng(0).uniform(-2, 2, (200, 3))
    exact = 10 * (states[:, 1] - states[:, 0])
    assert r2(exact + 0.001 * states[:, 2], exact) > 0.9999


def test_a_law_that_fits_only_inside_the_ranges_is_not_exact():
    found, truth = law("x0 - x0**3/6 + x0**5/120 - x0**7/5040 + x0**9/362880"), law("sin(x0)")
    states = np.linspace(-2, 2, 101)
    assert r2(states - states**3 / 6 + states**5 / 120, np.sin(states)) > 0.9999
    scores = score_form(found, truth, NAMES, BOX)
    assert (scores.exact, scores.precision, scores.recall) == (False, 0.0, 0.0)


def test_a_missing_term_costs_recall():
    precision, recall = term_precision_and_recall(law("28*x0 - x1"), law("x0*(28 - x2) - x1"))
    assert (precision, recall) == (1.0, pytest.approx(2 / 3))


def test_constants_inside_a_term_are_part_of_it():
    truth = law("x0/(x1**4 + 0.0731)")
    assert term_precision_and_recall(law("3*x0/(x1**4 + 0.07310001)"), truth) == (1.0, 1.0)
    assert term_precision_and_recall(law("x0/(x1**4 + 0.08)"), truth) == (0.0, 0.0)


def test_another_writing_has_full_precision_and_recall():
    scores = score_form(law("sin(x1)*cos(x0) - cos(x1)*sin(x0)"), law("sin(x1 - x0)"), NAMES, BOX)
    assert (scores.exact, scores.precision, scores.recall) == (True, 1.0, 1.0)


def test_zero_has_no_terms():
    assert expanded_terms(law("x0 - x0")) == ()
    assert term_precision_and_recall(law("0"), law("x0")) == (1.0, 0.0)
    assert term_precision_and_recall(law("x0"), law("0")) == (0.0, 1.0)
