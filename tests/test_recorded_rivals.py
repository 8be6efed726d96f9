"""Rivals of laws from recordings: what is another law, and what the same one."""

from dataclasses import replace

import numpy as np
import pytest

from odevsr.language.parse import parse
from odevsr.recorded.judging.rivals import holds, side_of
from odevsr.recorded.motions.systems import FittedLaw, honest_score
from odevsr.recorded.proposing.libraries import libraries
from odevsr.recorded.smoothing import smooth_paths
from odevsr.world.recordings.given import recording

TIMES = np.linspace(0, 4, 80)
PATHS = smooth_paths(recording(TIMES, np.column_stack([1 + 8 * np.exp(-TIMES), 2 + np.sin(TIMES)])))


def fitted(text, *constants):
    return FittedLaw(parse(text, PATHS.names, open_symbols=True), np.array(constants))


@pytest.mark.parametrize(
    ("rival", "is_held"),
    [
        (fitted("C + C/(x0 + C)", 2.1, -3.1, 1.4), True),
        (fitted("C*x0/(x0 + C) + C*x1", 1.9, 1.6, 0.01), True),
        (fitted("C*x0^C/(x0^C + C)", 1.9, 1.01, 1.02, 1.6), True),
        (fitted("C*log(x0) + C", 0.4, 0.7), False),
        (fitted("C*x0/(x0 + 1.5001)", 2.0), False),
    ],
)
def test_a_rival_that_constants_make_the_law_holds_it(rival, is_held):
    law = fitted("C*x0/(x0 + C)", 2.0, 1.5)
    assert holds(PATHS, rival, law, np.random.default_rng(0)) is is_held


def test_what_is_left_within_errors_makes_no_law_without_noise_better():
    within, closer = (replace(fitted("C*x0", 2.0), score=9.0 + left, chi2=left) for left in (20, 1))
    assert PATHS.clean.all()
    assert honest_score(PATHS, within) == honest_score(PATHS, closer)
    noisy = replace(PATHS, clean=np.array([True, False]))
    assert honest_score(noisy, within) > honest_score(noisy, closer)


def test_no_library_has_a_term_twice():
    for library in libraries(PATHS):
        terms = [*library.plain, *(() if library.atom else library.special)]
        if not library.is_quotient:
            assert len(set(terms)) == len(terms)


def test_the_side_where_laws_differ_is_told_by_all_states_not_by_the_last():
    values = np.linspace(0, 10, 101)
    differ = values > 3.1
    assert side_of(values, differ, "x")[1] == "x > 3.1"
    assert side_of(-values, differ, "x")[1] == "x < -3.2"
    differ = np.zeros(101, dtype=bool)
    differ[[0, 30, 60, 90]] = True
    assert side_of(values, differ, "x")[0] < 0.5
