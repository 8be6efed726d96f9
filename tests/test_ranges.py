"""Ranges: their scale where nobody says, what is refused, and that nothing else is."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from odevsr import Range
from odevsr.errors import UsageError
from odevsr.world.ranges import checked_range


@given(st.floats(1e-6, 1e6), st.floats(1.01, 1e6))
def test_positive_ranges_over_decades_are_logarithmic_unless_someone_says(low, ratio):
    high = low * ratio
    assert Range(low, high).is_log == (high / low > 30)
    assert Range(low, high, "log").is_log
    assert not Range(low, high, "even").is_log
    assert not Range(low, high, "linear").is_log
    assert not Range(-low, high).is_log
    assert not Range(0.0, high).is_log


def test_pairs_and_ranges_are_taken():
    assert checked_range("x", (0, 1)) == Range(0.0, 1.0)
    assert checked_range("x", [0, 1]) == Range(0.0, 1.0)
    declared = Range(1, 1000, scale="log", domain=(0, math.inf))
    assert checked_range("x", declared) == declared


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (Range(0, 10, "log"), r"x has a log scale over \[0, 10\]; let the range begin above 0"),
        (Range(-1, 10, "log"), "log scale over"),
        (Range(1, 10, "logg"), "unknown scale 'logg'; did you mean log?"),
        (Range(1, 10, None), "the scale of x is 'even' or 'log', not None"),
        (Range(1, 10, domain=(2, math.inf)), r"the domain \[2, inf\], which does not hold"),
        (Range(1, 10, domain=(0, 5)), "does not hold its range"),
        (Range(1, 10, domain=(math.nan, 20)), "does not hold its range"),
        (Range(1, 10, domain=3), "the domain of x is .*two numbers, not 3"),
        (Range(1, 1), "low below high"),
        (Range(1, math.inf), "x has a range that is not finite; write plain numbers"),
        (Range(0, 1e70), r"x has range \[0, 1e\+70\]; give it in other units"),
        (Range(-1e-70, 0), "between 1e-60 and 1e\\+60"),
        (Range("a", 1), "two numbers"),
        ({"low": 1}, "go into inputs"),
    ],
)
def test_what_is_no_range_is_refused_in_a_sentence(given, sentence):
    with pytest.raises(UsageError, match=sentence):
        checked_range("x", given)


def test_a_changed_range_keeps_what_the_new_one_does_not_say():
    old = Range(1, 1000, "log", (0, math.inf))
    assert old.changed(Range(2, 5)) == Range(2, 5, "log", (0, math.inf))
    assert old.changed(Range(2, 5, "even", (1, 9))) == Range(2, 5, "even", (1, 9))
