"""Boxes: shares lead evenly, or evenly in the logarithm, to states within the ranges and back."""

import json
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from odevsr import Range
from odevsr.world.box import Box, box_from_json, box_of, plain_box

SHARES = st.floats(0.0, 1.0)


@st.composite
def ranges(draw):
    """A range of any scale, with a domain or none."""
    scale = draw(st.sampled_from(["even", "log", ""]))
    low = draw(st.floats(1e-9, 1e6) if scale == "log" else st.floats(-1e6, 1e6))
    high = low + draw(st.floats(1e-6, 1e6)) * max(1.0, abs(low))
    domain = draw(st.none() | st.just((low, math.inf)) | st.just((min(low - 1, 0.0), high)))
    return Range(low, high, scale, domain)


@st.composite
def boxes(draw):
    return box_of(draw(st.lists(ranges(), min_size=1, max_size=4)))


@st.composite
def boxes_with_a_variable(draw):
    box = draw(boxes())
    return box, draw(st.integers(0, len(box) - 1))


@given(boxes(), st.data())
def test_states_lie_within_the_ranges_whatever_the_shares(box, data):
    shares = data.draw(st.lists(st.floats(-2.0, 3.0), min_size=len(box), max_size=len(box)))
    state = box.at(np.array(shares))
    assert np.all((state >= box.low) & (state <= box.high))


@given(boxes())
def test_the_first_share_is_the_low_end_and_the_last_the_high_one(box):
    assert box.at(np.zeros(len(box))) == pytest.approx(box.low, rel=1e-12)
    assert box.at(np.ones(len(box))) == pytest.approx(box.high, rel=1e-12)


@given(boxes(), SHARES, SHARES)
def test_shares_are_even_in_the_value_or_in_its_logarithm(box, first, second):
    here, there, between = (
        box.at(np.full(len(box), share)) for share in (first, second, (first + second) / 2)
    )
    for variable, is_log in enumerate(box.is_log):
        size = np.abs(box.limits[variable]).max()
        a, b, c = here[variable], there[variable], between[variable]
        if is_log:
            assert math.log(c) == pytest.approx((math.log(a) + math.log(b)) / 2, abs=1e-9)
        else:
            assert c == pytest.approx((a + b) / 2, abs=1e-9 * size)


@given(boxes(), SHARES)
def test_shares_of_states_are_those_they_were_made_of(box, share):
    shares = np.full((3, len(box)), share)
    assert box.shares(box.at(shares)) == pytest.approx(shares, abs=1e-6)


@given(boxes_with_a_variable(), SHARES)
def test_along_one_variable_states_are_those_of_the_whole(chosen, share):
    box, variable = chosen
    whole = box.at(np.full(len(box), share))[variable]
    assert box.along(variable, np.full(2, share)).tolist() == [whole, whole]


@given(boxes(), st.data())
def test_parts_have_the_ranges_they_had(box, data):
    kept = data.draw(st.lists(st.sampled_from(range(len(box))), unique=True))
    part = box.part(kept)
    assert len(part) == len(kept)
    assert np.array_equal(part.limits, box.limits[kept])
    assert np.array_equal(part.is_log, box.is_log[kept])
    assert np.array_equal(part.domain, box.domain[kept])
    assert box.part(range(len(box))) == box


@given(boxes_with_a_variable())
def test_other_limits_change_one_range_alone_and_can_be_taken_back(chosen):
    box, variable = chosen
    low, high = box.limits[variable]
    smaller = box.with_limits(variable, low, (low + high) / 2)
    others = [index for index in range(len(box)) if index != variable]
    assert smaller != box
    assert smaller.part(others) == box.part(others)
    assert smaller.with_limits(variable, low, high) == box


@given(boxes_with_a_variable(), st.floats(0.01, 0.5))
def test_what_lies_beyond_touches_the_range_and_stays_in_the_domain(chosen, share):
    box, variable = chosen
    (low, high), (least, most) = box.limits[variable], box.domain[variable]
    below, above = box.beyond(variable, share)
    if below is None:
        assert least == low
    else:
        assert below.high[variable] == low
        assert least <= below.low[variable] < low
    if above is None:
        assert most == high
    else:
        assert above.low[variable] == high
        assert high < above.high[variable] <= most


@given(st.floats(0.01, 1e3), st.floats(1.5, 1e6), st.floats(0.01, 0.5))
def test_beyond_a_logarithmic_range_the_same_factor_lies_on_both_sides(low, ratio, share):
    below, above = box_of([Range(low, low * ratio, "log")]).beyond(0, share)
    assert below.high[0] / below.low[0] == pytest.approx(ratio**share)
    assert above.high[0] / above.low[0] == pytest.approx(ratio**share)


@given(st.floats(-100, 100), st.floats(0.1, 100), st.floats(0.01, 0.5))
def test_beyond_an_even_range_lies_a_share_of_its_width(low, width, share):
    assume(low + width > low)
    below, above = plain_box([[low, low + width]]).beyond(0, share)
    assert below.width[0] == pytest.approx(share * width, abs=1e-9)
    assert above.width[0] == pytest.approx(share * width, abs=1e-9)


def test_what_is_never_negative_uses_gradients_down_to_nought():
    box = box_of([Range(0.05, 1), Range(0, 1), Range(-0.05, 1), Range(0, 1, domain=(-1, 2))])
    assert [box.beyond(v, 0.1)[0] is None for v in range(4)] == [False, True, False, False]
    assert box.beyond(0, 0.1)[0].low[0] == 0.0
    assert box.beyond(2, 0.1)[0].low[2] == pytest.approx(-0.155)


@given(boxes())
def test_a_box_comes_back_from_json(box):
    again = box_from_json(json.loads(json.dumps(box.to_json(), allow_nan=False)))
    assert again == box
    assert hash(again) == hash(box)


def test_plain_limits_of_earlier_files_are_a_box():
    assert box_from_json([[0.0, 1.0], [1.0, 1000.0]]) == plain_box([[0, 1], [1, 1000]])


def test_arrays_of_a_box_cannot_be_changed():
    box = plain_box([[0.0, 1.0]])
    for array in (box.limits, box.is_log, box.domain):
        assert not array.flags.writeable


def test_boxes_differ_in_scale_and_domain():
    plain = box_of([Range(1, 10)])
    assert plain != box_of([Range(1, 10, "log")])
    assert plain != box_of([Range(1, 10, domain=(1, 10))])
    assert plain != "a box"
    assert isinstance(plain, Box)


def test_the_middle_of_decades_is_in_the_middle_of_their_logarithms():
    assert box_of([Range(1, 100, "log"), Range(1, 100, "even")]).middle.tolist() == [
        pytest.approx(10.0),
        50.5,
    ]


def test_variables_that_hardly_vary_are_named_with_the_share_they_do():
    box = plain_box([[300.0, 300.03], [-300.03, -300.0], [99.0, 101.0], [-1e-9, 1e-9]])
    assert box.narrow(["a", "b", "c", "d"]) == {"a": "0.01 %", "b": "0.01 %"}
