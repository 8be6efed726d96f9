"""Terms that a law lacks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import law as inexact

from odevsr.evidence.data import Data
from odevsr.evidence.law import Law
from odevsr.evidence.missed import (
    all_series,
    look_alike,
    most_missed,
    series_begun,
    significance_beside,
    vague_term,
)
from odevsr.language.algebra.normal import normal_form
from odevsr.language.evaluate import compile_field
from odevsr.language.parse import parse
from odevsr.language.text import to_text
from odevsr.world.sample import Sample

NAMES = ("x", "y")


def noisy(text, error, seed=0, count=400):
    rng = np.random.default_rng(seed)
    states = rng.uniform(-1.0, 2.0, (count, 2))
    values = compile_field([parse(text, NAMES)], NAMES)(states)[:, 0]
    return Sample(states, values + error * rng.standard_normal(count), np.full(count, error))


def law(text):
    return Law(inexact(text), (), 1.0)


def test_the_term_left_out_is_the_one_that_is_missed():
    missed, significance = most_missed(law("3.1*x"), Data(NAMES, noisy("3*x + 0.2*x*y", 0.01)))
    assert to_text(missed) == "x*y"
    assert significance > 50


@given(st.integers(0, 300))
def test_of_the_truth_nothing_is_missed(seed):
    data = Data(NAMES, noisy("3*x + 0.2*x*y", 0.01, seed))
    assert most_missed(law("3.0*x + 0.2*x*y"), data)[1] < 5


def test_what_the_laws_own_numbers_can_stand_for_is_not_missed():
    assert most_missed(law("2.9*x"), Data(NAMES, noisy("3*x", 0.01)))[1] < 5
    exact = Law(parse("2.9*x", NAMES), (), 1.0)
    assert most_missed(exact, Data(NAMES, noisy("3*x", 0.01)))[1] > 50


@given(st.integers(0, 100), st.floats(0.1, 10))
def test_significance_does_not_depend_on_the_scale_of_a_column(seed, scale):
    own, others = np.random.default_rng(seed).standard_normal((2, 50, 3))
    left = np.random.default_rng(seed + 1).standard_normal(50)
    np.testing.assert_allclose(
        significance_beside(own, others, left), significance_beside(own, scale * others, left)
    )


def test_a_weak_term_may_as_well_be_another_and_a_strong_one_may_not():
    weak = noisy("3*x - 0.002*y**4", 0.01)
    term, other = look_alike(law("3.0*x - 0.0061*y**2"), Data(NAMES, weak))
    assert to_text(term) == "y**2"
    assert to_text(other) not in ("x", "y**2")
    assert look_alike(law("3.0*x - 0.2*y**4"), Data(NAMES, noisy("3*x - 0.2*y**4", 0.01))) is None


@given(st.integers(0, 1000))
def test_what_is_no_power_has_no_look_alike(seed):
    assert look_alike(law("0.5*exp(x)"), Data(NAMES, noisy("0.5*exp(x)", 0.01, seed))) is None


@pytest.mark.parametrize(
    ("text", "following"),
    [
        ("2*x - 4*x**3", ["8*x**5"]),
        ("x*y - 3*y", ["-1/3*x**2*y"]),
        ("2 - x", ["0.5*x**2"]),
        ("x + y", []),
        ("x**2*y + sin(x)*x", []),
    ],
)
def test_two_powers_of_a_variable_may_begin_a_series(text, following):
    found = [normal_form(each.following) for each in all_series(parse(text, NAMES))]
    assert found == [normal_form(parse(each, NAMES)) for each in following]


def test_a_series_is_told_from_two_powers_if_the_next_would_be_seen():
    assert series_begun(law("1.1*x - 0.9*x**3"), Data(NAMES, noisy("x - x**3", 0.01))) is None
    weak = law("0.3001*x - 0.0044*x**3")
    assert series_begun(weak, Data(NAMES, noisy("sin(0.3*x)", 1e-4))) is not None


def test_the_next_term_of_a_series_is_missed_whatever_its_degree():
    missed, significance = most_missed(law("0.9*x - 0.11*x**3"), Data(NAMES, noisy("sin(x)", 1e-4)))
    assert to_text(missed) in ("x**2", "x**5")
    assert significance > 5


@pytest.mark.parametrize(
    ("text", "error", "is_vague"),
    [
        ("0.5*x + 0.001*cos(x)", 1e-4, True),
        ("0.5*x + 0.1*cos(x)", 1e-7, False),
        ("0.5*x + 0.1*y*sqrt(x + 9)", 1e-3, True),
        ("0.5*x + 0.1*y*sqrt(x + 9)", 1e-10, False),
        ("0.5*x + 0.001*x*y**2", 1e-2, False),
    ],
)
def test_which_function_a_term_is_shows_beyond_a_parabola(text, error, is_vague):
    found = vague_term(law(text), Data(NAMES, noisy(text, error)))
    assert (found is not None) == is_vague
