"""The vectorised elementary functions agree with mpmath to the last digits."""

import mpmath
import numpy as np
import pytest
from machines import values_of

from odevsr.language.expression import Apply, Op, Variable

ULP = 2.0**-52


def errors(op, arguments):
    """Relative errors against 40 digits."""
    found = values_of(Apply(op, (Variable("x0"),)), np.array([arguments]))
    with mpmath.workdps(40):
        exact = [getattr(mpmath, op.value)(mpmath.mpf(argument)) for argument in arguments]
        return [abs(value - true) / abs(true) for value, true in zip(found, exact, strict=True)]


@pytest.mark.parametrize("op", [Op.SIN, Op.COS])
@pytest.mark.parametrize("largest", [1.0, 10.0, 1e3, 1e5])
def test_sines_and_cosines_are_accurate_to_the_last_digits(op, largest):
    arguments = np.random.default_rng(0).uniform(-largest, largest, 500)
    assert max(errors(op, arguments)) < 4 * ULP


def test_exponentials_are_accurate_over_the_whole_range():
    arguments = np.random.default_rng(0).uniform(-700, 709, 500)
    assert max(errors(Op.EXP, arguments)) < 4 * ULP


def test_logarithms_are_accurate_over_the_whole_range():
    rng = np.random.default_rng(0)
    arguments = np.concatenate([10.0 ** rng.uniform(-300, 300, 300), rng.uniform(0.5, 2.0, 300)])
    assert max(errors(Op.LOG, arguments)) < 4 * ULP


@pytest.mark.parametrize(
    ("op", "argument", "value"),
    [
        (Op.SIN, 0.0, 0.0),
        (Op.COS, 0.0, 1.0),
        (Op.EXP, 0.0, 1.0),
        (Op.EXP, -1e6, 0.0),
        (Op.LOG, 1.0, 0.0),
    ],
)
def test_special_values_are_exact(op, argument, value):
    found = values_of(Apply(op, (Variable("x0"),)), np.array([[argument]]))
    assert found[0] == pytest.approx(value, abs=1e-300)


@pytest.mark.parametrize(
    ("op", "argument"),
    [
        (Op.EXP, 1e4),
        (Op.LOG, 0.0),
        (Op.LOG, -1.0),
        (Op.SIN, np.inf),
        (Op.COS, np.nan),
        (Op.EXP, np.nan),
    ],
)
def test_what_has_no_finite_value_is_noticed(op, argument):
    found = values_of(Apply(op, (Variable("x0"),)), np.array([[0.5, argument]]))
    assert np.all(np.isnan(found))
