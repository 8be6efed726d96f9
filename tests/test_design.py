"""Designs: the same purpose gets the same points, others get others, and nothing is used up."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from odevsr.vertical.asking.design import Design, Draw, design_of

seeds = st.integers(0, 2**64)
draws = st.sampled_from(Draw)
paths = st.lists(st.integers(0, 100), max_size=3).map(tuple)


def points(design, draw, *which):
    return design.rng(draw, *which).random(8).tolist()


@given(seeds, paths, draws, paths)
def test_the_same_purpose_gets_the_same_points_whenever_it_asks(seed, path, draw, which):
    design = Design(seed, path)
    first = points(design, draw, *which)
    for other in Draw:
        design.rng(other).random(3)
    assert points(design, draw, *which) == first == points(Design(seed, path), draw, *which)


@given(seeds, st.lists(st.tuples(draws, paths), min_size=2, max_size=6, unique=True))
def test_other_purposes_get_other_points(seed, purposes):
    drawn = [tuple(points(Design(seed), draw, *which)) for draw, which in purposes]
    assert len(set(drawn)) == len(drawn)


@given(st.lists(seeds, min_size=2, max_size=6, unique=True), draws)
def test_other_seeds_get_other_points(several, draw):
    assert len({tuple(points(Design(seed), draw)) for seed in several}) == len(several)


@given(seeds, st.lists(paths.filter(bool), min_size=2, max_size=6, unique=True), draws)
def test_other_parts_get_other_points_than_each_other_and_than_the_whole(seed, parts, draw):
    whole = Design(seed)
    designs = [whole, *(whole.part(*part) for part in parts)]
    assert len({tuple(points(design, draw)) for design in designs}) == len(designs)


@given(seeds, paths, paths)
def test_a_part_of_a_part_is_a_part(seed, first, second):
    assert Design(seed).part(*first).part(*second) == Design(seed).part(*first, *second)


@given(seeds, st.integers(1, 5))
def test_a_design_is_what_its_seeds_say(seed, number):
    first, again = (np.random.SeedSequence(seed).spawn(number) for _ in range(2))
    designs = [design_of(each) for each in first]
    assert designs == [design_of(each) for each in again]
    assert len(set(designs)) == number


def test_seeds_of_several_numbers_make_a_design_too():
    one, other = (design_of(np.random.SeedSequence([1, 2, last])) for last in (3, 4))
    assert one == design_of(np.random.SeedSequence([1, 2, 3])) != other
