"""Least squares kept as triangles, against those of all rows."""

import math

import numpy as np
import pytest

from odevsr.recorded.proposing.regression import regression_of, regressions_of


def rows_of(seed, columns):
    rng = np.random.default_rng(seed)
    sizes = 10.0 ** rng.integers(-3, 4, columns)
    return rng.standard_normal((50, columns)) * sizes, rng.standard_normal(50)


@pytest.mark.parametrize("subset", [(0,), (1, 4), (0, 2, 3, 5)])
def test_a_part_is_solved_as_its_columns_are(subset):
    columns, target = rows_of(1, 6)
    part = regression_of(columns, target).part(subset)
    solution, left, *_ = np.linalg.lstsq(columns[:, subset], target)
    assert np.allclose(part.coefficients, solution)
    assert part.left == pytest.approx(left[0])


def test_regressions_that_share_columns_are_those_of_each():
    plain, target = rows_of(2, 3)
    special, _ = rows_of(3, 8)
    blocks = regressions_of(plain, special, target, 4)
    for k, own in enumerate(np.split(special, 4, axis=1)):
        alone = regression_of(np.hstack([plain, own]), target)
        assert np.allclose(blocks[k].coefficients, alone.coefficients)
        assert blocks[k].left == pytest.approx(alone.left)
        assert blocks.floors[k] == pytest.approx(alone.left)


def test_columns_that_are_nothing_or_huge_are_no_part_of_a_solution():
    columns, target = rows_of(4, 4)
    columns[:, 1], columns[:, 2] = 0.0, 1e140
    whole = regression_of(columns, target)
    assert whole.usable.tolist() == [0, 3]
    assert whole.coefficients[[1, 2]].tolist() == [0.0, 0.0]
    assert whole.part((0, 1)).left == math.inf


def test_of_all_columns_those_that_are_missed_least_go_first():
    columns, _ = rows_of(5, 8)
    columns /= np.linalg.norm(columns, axis=0)
    found = list(regression_of(columns, columns @ [9, 0, 3, 0, 0, 1, 0, 0]).shortened())
    assert found[-3:] == [(0, 2, 5), (0, 2), (0,)]


@pytest.mark.parametrize("seed", range(6))
def test_the_column_that_is_missed_least_leaves_least_when_it_is_gone(seed):
    whole = regression_of(*rows_of(seed, 6))
    left = [whole.part([j for j in range(6) if j != k]).left for k in range(6)]
    assert whole.least_missed == np.argmin(left)
