"""Numbers of laws with errors, exact ones too."""

from fractions import Fraction

import numpy as np
import pytest
from laws import law

from odevsr.evidence.data import Data
from odevsr.evidence.law import fit
from odevsr.evidence.numbers import fitted_numbers
from odevsr.language.evaluate import compile_field
from odevsr.language.parse import parse
from odevsr.world.sample import Sample

NAMES = ("x", "y")


def measured(truth, error, seed=0):
    rng = np.random.default_rng(seed)
    states = rng.uniform(0.5, 2.5, (200, 2))
    values = compile_field([truth], NAMES)(states)[:, 0]
    return Sample(states, values + error * rng.standard_normal(200), np.full(200, error))


def test_exact_numbers_have_the_values_that_the_data_alone_give_them():
    truth = parse("2*sin(3*x) - y/7", NAMES)
    found = fitted_numbers(truth, Data(NAMES, measured(truth, 1e-3)))
    assert [each.exact for each in found] == [2, 3, 7]
    for each in found:
        assert 0 < each.error < 0.1
        assert abs(each.value - float(each.exact)) < 5 * each.error
        assert each.value != each.exact


def test_inexact_numbers_have_the_errors_of_the_fit():
    data = measured(parse("2*sin(3*x) - y/7", NAMES), 1e-3)
    fitted = fit(law("2.01*sin(2.99*x) - 0.143*y"), Data(NAMES, data))
    for ours, theirs in zip(
        fitted_numbers(fitted.expression, Data(NAMES, data)), fitted.constants, strict=True
    ):
        assert (ours.value, ours.exact) == (abs(theirs.value), None)
        assert ours.error == pytest.approx(theirs.error, rel=1e-3)


def test_numbers_that_data_cannot_tell_apart_still_have_an_error():
    truth = parse("2*(3*x + 5*x)", NAMES)
    found = fitted_numbers(truth, Data(NAMES, measured(truth, 1e-3)))
    assert [each.exact for each in found] == [2, 3, 5]
    assert all(0 < each.error < 0.1 for each in found)


def test_a_law_without_numbers_has_none():
    truth = parse("x - y**2", NAMES)
    assert fitted_numbers(truth, Data(NAMES, measured(truth, 1e-3))) == ()


def test_a_fraction_is_one_number():
    truth = parse("x*y", NAMES)
    found = fitted_numbers(parse("0.5*x", NAMES), Data(NAMES, measured(truth, 1)))
    assert [each.exact for each in found] == [Fraction(1, 2)]
