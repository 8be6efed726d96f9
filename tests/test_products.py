"""Products of powers are read off logarithms."""

from dataclasses import replace

import numpy as np
import pytest
from laws import trials_of

from odevsr.language.text import to_text
from odevsr.search.products import products


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (lambda x: np.sin(x) ** 2 / x**3, "C*sin(x)**2/x**3"),
        (lambda x: x / np.tan(x) ** 2, "C*x*cot(x)**2"),
        (lambda x: x**1.5 * np.exp(-2 * x), "C*x**1.5*exp(-2.0*x)"),
    ],
)
def test_exponents_that_all_trials_share_are_read_off(function, text):
    trials = trials_of([function, lambda x: 3 * function(x)], error=1e-12)
    (found,) = map(to_text, products(trials))
    assert found[:10] == text[:10]


def test_values_that_drown_in_their_errors_do_not_spoil_it():
    trials = trials_of(
        [lambda x: np.sin(x) ** 5.4 / np.abs(np.cos(x)) ** 2.7 * (x > 0.9)], error=1e-9
    )
    (found,) = map(to_text, products(trials))
    assert found.startswith("C*sin(x)**5.4")


def test_of_small_angles_no_sine_is_read():
    trials = trials_of([lambda x: 3 * np.sqrt(x)], error=1e-12)
    tiny = replace(trials, trials=replace(trials.trials, points=1e-6 * trials.trials.points))
    (found,) = map(to_text, products(tiny))
    assert found == "C*sqrt(x)"


def test_a_sum_is_no_product_of_powers():
    assert products(trials_of([lambda x: x + np.sin(x) + 2])) == []
