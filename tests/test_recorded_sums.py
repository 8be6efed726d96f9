"""Sums of variables that never change, with noise and without."""

import numpy as np
import pytest

from odevsr.language.expression import Number, with_constants
from odevsr.language.parse import parse
from odevsr.recorded.judging.left_out import LeftOut
from odevsr.recorded.judging.notes import notes_of
from odevsr.recorded.judging.sums import constant_sums
from odevsr.recorded.smoothing import smooth_paths
from odevsr.world.recordings.runs import Recordings, Run

TIMES = np.linspace(0, 10, 300)
FIRST, SECOND = np.exp(-0.4 * TIMES), np.sin(TIMES)


def paths_of(*columns, noise=0.0):
    states = np.stack(columns, axis=1)
    states = states + noise * np.random.default_rng(0).standard_normal(states.shape)
    names = tuple(f"x{k}" for k in range(states.shape[1]))
    run = Run("1", TIMES, states, np.empty((len(TIMES), 0)))
    return smooth_paths(Recordings(names, (run,)))


def sums_of(paths):
    return constant_sums(paths, np.arange(len(paths.names)))


@pytest.mark.parametrize("noise", [0.0, 0.01])
def test_what_is_conserved_is_found(noise):
    (factors,) = sums_of(paths_of(FIRST, SECOND, 3 - FIRST - 2 * SECOND, noise=noise))
    assert factors / factors[2] == pytest.approx([1, 2, 1], rel=0.02)


@pytest.mark.parametrize("noise", [0.0, 0.01])
def test_variables_that_move_apart_have_no_such_sum(noise):
    assert len(sums_of(paths_of(FIRST, SECOND, FIRST * SECOND, noise=noise))) == 0


def test_two_sums_are_told_apart():
    found = sums_of(paths_of(FIRST, SECOND, 1 - FIRST, 4 * SECOND))
    assert sorted(tuple(np.flatnonzero(each)) for each in found) == [(0, 2), (1, 3)]


def test_clean_motions_that_are_nearly_alike_move_apart():
    decays = [np.exp(-(1 + k) * TIMES / 10) for k in range(4)]
    assert len(sums_of(paths_of(*decays))) == 0


def test_units_do_not_matter():
    found = sums_of(paths_of(FIRST, 1e-18 * SECOND, 1 - FIRST, 4e-18 * SECOND))
    assert sorted(tuple(np.flatnonzero(each)) for each in found) == [(0, 2), (1, 3)]


def test_what_moves_only_where_something_else_is_missing_is_left_alone():
    first = FIRST.copy()
    first[100:] = np.nan
    late = np.where(TIMES > 5, TIMES, 5.0)
    run = Run("1", TIMES, first[:, None], late[:, None])
    paths = smooth_paths(Recordings(("x",), (run,), inputs=("u",)))
    assert len(constant_sums(paths, np.arange(2))) == 0


def told(*columns, noise=0.0):
    """What notes say of these variables, whatever their laws."""
    paths = paths_of(*columns, noise=noise)
    laws = [Number(1.0)] * len(columns)
    return list(notes_of(paths, laws, [()] * len(columns), is_cut_short=False))


def test_notes_tell_what_hangs_together_and_how_well_that_is_known():
    (clean,) = told(FIRST, SECOND, 1 - FIRST - SECOND)
    assert clean == "x0 + x1 + x2 never changed: what depends on one may depend on the others"
    (noisy,) = told(FIRST, 1 - FIRST, noise=0.01)
    assert noisy == "x0 and x1 never moved independently of each other, as far as errors tell"


def test_what_moves_less_than_its_errors_is_told():
    assert "x1 never moved by more than its errors" in told(FIRST, 2 + 1e-6 * SECOND, noise=0.01)


def test_numbers_in_left_out_terms_are_as_long_as_is_worth_reading():
    wave = with_constants(parse("x0*sin(C*x0)", ["x0"], open_symbols=True), [0.03921036832324787])
    hidden = [[LeftOut(wave, 0.00141, 1.0)]]
    notes = notes_of(paths_of(FIRST), [Number(1.0)], hidden, is_cut_short=False)
    assert any(each.endswith("up to 0.0014 for x0*sin(0.0392104*x0)") for each in notes)
