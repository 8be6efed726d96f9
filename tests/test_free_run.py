import math

import pytest

from odevsr.world.simulators.free_run import LEAST, widened


def test_a_level_that_spans_powers_of_ten_is_wider_by_factors():
    found = widened(1e-3, 10.0, 1.0, is_level=True)
    assert (found.low, found.high) == (1e-3 / 1.5, 15.0)
    assert found.is_log
    assert found.domain == (0.0, math.inf)


@pytest.mark.parametrize("low", [0.0, LEAST, 1.0])
def test_other_levels_are_wider_by_half_and_never_below_nought(low):
    found = widened(low, 10.0, 1.0, is_level=True)
    assert found.low == 0.0
    assert found.high == pytest.approx(15.0, rel=0.1)


def test_what_is_no_level_may_become_negative():
    assert widened(0.0, 10.0, 1.0, is_level=False).low == -5.0


def test_what_stays_gets_the_width_of_its_size_or_the_usual_one():
    assert widened(2.0, 2.0, 1.0, is_level=False).high == 3.0
    assert widened(0.0, 0.0, 1.0, is_level=True).high == 0.5
