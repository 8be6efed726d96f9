"""What a score is spared where constants of laws seem not to be free."""

import numpy as np
import pytest

from odevsr.language.parse import parse
from odevsr.recorded.motions.savings import saved

NAMES = ("x", "y")
SAMPLES = 500


def spared(texts, theta, errors, shared=0.0):
    """By laws with constants of these errors; `shared` correlates each with each."""
    laws = [parse(text, NAMES, open_symbols=True) for text in texts]
    errors = np.asarray(errors, dtype=float)
    among = np.full((len(errors), len(errors)), shared) + (1 - shared) * np.eye(len(errors))
    return saved(laws, np.asarray(theta), among * np.outer(errors, errors), SAMPLES, len(NAMES))


FLOW = ["C*x*y", "C*x*y + C*y"]


def test_what_leaves_one_variable_and_enters_another_is_told_once():
    told_twice = spared(FLOW, [-0.3, 0.45, 0.7], [0.001, 0.001, 0.001])
    told_once = spared(FLOW, [-0.3, 0.3, 0.7], [0.001, 0.001, 0.001])
    assert told_twice == 0
    assert told_once > np.log(SAMPLES)


def test_constants_that_are_hardly_known_save_little():
    well = spared(FLOW, [-0.3, 0.3, 0.7], [0.001, 0.001, 0.001])
    badly = spared(FLOW, [-0.3, 0.3, 0.7], [0.1, 0.1, 0.001])
    assert 0 < badly < well - 3


def test_terms_with_constants_inside_are_alike_if_all_of_them_are():
    laws = ["C*x*sin(C*y)", "C*y + C*x*sin(C*y)"]
    alike = spared(laws, [2.5, 3.0, 0.7, -2.5, 3.0], 5 * [0.01])
    apart = spared(laws, [2.5, 3.0, 0.7, -2.5, 4.0], 5 * [0.01])
    assert alike > np.log(SAMPLES) * 2
    assert apart == 0


def test_a_coefficient_that_is_one_but_for_its_sign_saves_something():
    assert spared(["C*x", "C*y"], [1.001, -0.7], [0.001, 0.001]) == pytest.approx(
        np.log(SAMPLES) - 1 - 3
    )
    assert spared(["C*x", "C*y"], [1.01, -0.7], [0.001, 0.001]) == 0


def test_what_is_one_because_its_twin_is_saves_nothing_again():
    free = spared(["C*x*y", "C*y"], [1.0, 0.7], [0.001, 0.001])
    tied = spared(["C*x*y", "C*x*y"], [1.0, -1.0], [0.001, 0.001])
    alone = spared(["C*x*y", "C*x*y"], [1.5, -1.5], [0.001, 0.001])
    assert tied == pytest.approx(alone + free)


def test_of_constants_that_are_known_together_only_one_can_be_off():
    theta, errors = [1.02, 1.02], [0.02, 0.02]
    free = spared(["C*x + C*y"], theta, errors)
    assert spared(["C*x + C*y"], theta, errors, shared=-0.999) == pytest.approx(free / 2)
