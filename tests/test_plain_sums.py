"""Sums of plain functions, read off trials."""

import numpy as np
import pytest

from odevsr.evidence.agreement import Agreement
from odevsr.evidence.controlled import make_controlled
from odevsr.language.text import to_text
from odevsr.search.plain_sums import plain_sums
from odevsr.world.sample import Sample


def read(function, low, high, noisy=False):
    """What is read of a function f(x, k) of the trial's number k."""
    points = np.linspace(low, high, 40)
    trials = np.arange(1.0, 6.0)[:, None]
    values = function(points[None], trials)
    errors = np.full(values.shape, 1e-10)
    sample = Sample(np.tile(points, (5, 1))[..., None], values, errors)
    controlled = make_controlled(["u"], sample, Agreement(is_noisy=noisy))
    return [to_text(form) for form in plain_sums(controlled)]


@pytest.mark.parametrize(
    ("function", "form"),
    [
        (lambda x, k: k * np.sin(x) + 2 / x - k, "C + C*sin(u) + C/u"),
        (lambda x, k: np.cos(x + k), "C*cos(u) + C*sin(u)"),
        (lambda x, k: x**2 - k * x, "C*u + C*u**2"),
    ],
)
def test_the_terms_of_a_sum_are_read_and_no_others(function, form):
    (found,) = read(function, 0.1, 10.0)
    assert sorted(found.split(" + ")) == sorted(form.split(" + "))


def test_a_power_is_not_taken_for_a_wave_that_imitates_it_on_a_short_range():
    (found,) = read(lambda x, k: k - 2 * x**2 + x**4 / 16, 0.001, 0.1)
    assert "cos" not in found


def test_what_is_no_such_sum_is_not_read():
    assert read(lambda x, k: np.tanh(k * x), 0.1, 10.0) == []
    assert read(lambda x, k: np.exp(-x / k), -2.0, 3.0) == []


def test_functions_without_values_are_left_out():
    assert read(lambda x, k: k * x + 1, -2.0, 3.0) == ["C*u + C"]


def test_under_noise_nothing_is_read():
    assert read(lambda x, k: k * x, 0.1, 10.0, noisy=True) == []
