"""The best subsets of columns, against all of them tried one by one."""

from itertools import combinations

import numpy as np
import pytest

from odevsr.fitting.subsets import best_subsets


@pytest.mark.parametrize("fixed", [0, 4, 7])
def test_no_subset_leaves_less_with_its_costs_than_the_best(fixed):
    rng = np.random.default_rng(fixed)
    columns = rng.standard_normal((9, 7))
    columns /= np.linalg.norm(columns, axis=0)
    target, costs = rng.standard_normal(9), rng.random(7)
    left, chosen = searched(columns, costs, target, fixed, np.inf, 2)
    for size in (1, 2, 3):
        allowed = [c for c in combinations(range(7), size) if fixed == 7 or max(c) >= fixed]
        sums = sorted((remaining(columns, target, c) + costs[list(c)].sum(), c) for c in allowed)
        assert np.allclose(left[size - 1], [each for each, _ in sums[:2]])
        assert set(chosen[size - 1, 0, :size]) == set(sums[0][1])


def test_subsets_that_cost_too_much_are_passed_over_and_no_others():
    rng = np.random.default_rng(1)
    columns = rng.standard_normal((9, 7))
    columns /= np.linalg.norm(columns, axis=0)
    target, costs = rng.standard_normal(9), rng.random(7)
    left, _ = searched(columns, costs, target, 0, 1.0, 40)
    for size in (1, 2, 3):
        cheap = [c for c in combinations(range(7), size) if costs[list(c)].sum() <= 1.0]
        sums = sorted(remaining(columns, target, c) + costs[list(c)].sum() for c in cheap)
        assert np.allclose(left[size - 1][np.isfinite(left[size - 1])], sums)


def test_each_regression_is_searched_on_its_own():
    rng = np.random.default_rng(2)
    columns, targets = rng.standard_normal((3, 5, 6)), rng.standard_normal((3, 6))
    columns /= np.linalg.norm(columns, axis=2, keepdims=True)
    left, chosen = np.zeros((3, 2, 4)), np.zeros((3, 2, 4, 2), dtype=np.int64)
    best_subsets(columns, np.zeros(5), targets, 0, 2, np.full(3, np.inf), left, chosen)
    for b in range(3):
        alone, its = searched(columns[b].T, np.zeros(5), targets[b], 0, np.inf, 4, 2)
        assert np.array_equal(left[b], alone)
        assert np.array_equal(chosen[b], its)


def searched(columns, costs, target, fixed, farthest, kept, most=3):
    left, chosen = np.zeros((1, most, kept)), np.zeros((1, most, kept, most), dtype=np.int64)
    stacked = np.ascontiguousarray(columns.T[None])
    best_subsets(stacked, costs, target[None], fixed, most, np.array([farthest]), left, chosen)
    return left[0], chosen[0]


def remaining(columns, target, chosen):
    part = columns[:, list(chosen)]
    return float(np.sum((target - part @ np.linalg.lstsq(part, target, rcond=None)[0]) ** 2))
