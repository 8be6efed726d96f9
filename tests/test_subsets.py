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
    left, chosen = np.zeros((3, 2)), np.zeros((3, 2, 3), dtype=np.int64)
    best_subsets(columns, costs, target, fixed, 3, np.inf, left, chosen)
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
    left, chosen = np.zeros((3, 40)), np.zeros((3, 40, 3), dtype=np.int64)
    best_subsets(columns, costs, target, 0, 3, 1.0, left, chosen)
    for size in (1, 2, 3):
        cheap = [c for c in combinations(range(7), size) if costs[list(c)].sum() <= 1.0]
        sums = sorted(remaining(columns, target, c) + costs[list(c)].sum() for c in cheap)
        assert np.allclose(left[size - 1][np.isfinite(left[size - 1])], sums)


def remaining(columns, target, chosen):
    part = columns[:, list(chosen)]
    return float(np.sum((target - part @ np.linalg.lstsq(part, target, rcond=None)[0]) ** 2))
