"""Two laws of a system, replaced at once: what leaves one variable often enters another.

A flow that is wrong in both laws is the best in either as long as it stands in the other. So sums
of monomials for both are looked for together, along the motion of the system, with its other laws
as they are; what flows from one variable to the other counts as one term.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from operator import attrgetter

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.algebra.term import added
from odevsr.language.expression import Expression
from odevsr.recorded.motions.elimination import STEPS
from odevsr.recorded.motions.responses import Responses, responses_of
from odevsr.recorded.motions.stepwise import BETTER, MOST_ROUNDS
from odevsr.recorded.motions.systems import FittedLaw, FittedSystem, closed, fit_system
from odevsr.recorded.paths import Paths
from odevsr.recorded.proposing.libraries import opened, polynomial
from odevsr.recorded.proposing.regression import Regression, Regressions, Subset, regressions_of
from odevsr.recorded.proposing.subsets import cheapest, largest
from odevsr.recorded.score import constants_cost, prior

DEGREE, MOST_MONOMIALS = 3, 15
MOST_TERMS, MOST_SUBSETS = 6, 1_000_000
"""Of two laws together, and sets of these that are looked at."""
FITTED = 12
"""Pairs of laws that are fitted in place of two."""

Pair = tuple[FittedLaw, FittedLaw]


def flowed(paths: Paths, system: FittedSystem) -> FittedSystem:
    """The system with two of its laws replaced, again as long as its score gets better."""
    for _ in range(MOST_ROUNDS):
        best = min(_others(paths, system), key=attrgetter("score"), default=system)
        if not best.score < system.score - BETTER:
            break
        system = best
    return system


def _others(paths: Paths, system: FittedSystem) -> Iterator[FittedSystem]:
    """The system with each of the most hopeful pairs of laws in place of two, fitted."""
    terms = polynomial(paths.names, DEGREE, MOST_MONOMIALS)
    costs = [constants_cost(1, len(paths.times)) + prior(term, len(paths.names)) for term in terms]
    responses = responses_of(paths, system)
    functions = [
        np.nan_to_num(responses.to(k, responses.along(paths.field([*terms, closed(law)]))))
        for k, law in enumerate(system.laws)
    ]
    for one, other in combinations(range(len(functions)), 2):
        whole = _together(responses, functions, one, other)
        subsets = _best(whole, np.tile(costs, 3))
        found = (_pair(terms, whole[0], subset) for subset in subsets)
        for pair in islice(_distinct(found), FITTED):
            laws = list(system.laws)
            laws[one], laws[other] = pair
            yield fit_system(paths, laws, system.segments, STEPS, system)


def _together(
    responses: Responses, functions: Sequence[FloatArray], one: int, other: int
) -> Regressions:
    """What two laws bring to the motion, in terms of the one, of the other, and of flows."""
    basis = responses.others((one, other))
    columns = np.column_stack([functions[one], functions[other], responses.left])
    first, second, left = np.split(
        columns - basis @ (basis.T @ columns), [functions[one].shape[1], -1], axis=1
    )
    target = first[:, -1] + second[:, -1] - left[:, 0]
    first, second = first[:, :-1], second[:, :-1]
    columns = np.hstack([first, second, first - second])
    return regressions_of(columns, columns[:, :0], target, 1)


def _best(whole: Regressions, costs: FloatArray) -> Iterator[Subset]:
    """The best subsets of columns that cost so much each, best first."""
    most = largest(len(costs), MOST_TERMS, MOST_SUBSETS)
    totals, chosen = cheapest(whole, costs, len(costs), np.array([np.inf]), (most, FITTED))
    for place in np.argsort(totals, axis=None, kind="stable").tolist():
        size, rank = divmod(place, FITTED)
        if np.isfinite(totals[0, size, rank]):
            yield tuple(chosen[0, size, rank, : size + 1].tolist())


def _pair(terms: Sequence[Expression], whole: Regression, subset: Subset) -> Pair | None:
    """The two laws that some columns make, if there are two."""
    first: dict[int, float] = defaultdict(float)
    second: dict[int, float] = defaultdict(float)
    coefficients = whole.part(subset).coefficients.tolist()
    for column, coefficient in zip(subset, coefficients, strict=True):
        kind, term = divmod(column, len(terms))
        if kind != 1:
            first[term] += coefficient
        if kind != 0:
            second[term] += coefficient if kind == 1 else -coefficient
    if not (first and second):
        return None
    return _law(terms, first), _law(terms, second)


def _law(terms: Sequence[Expression], coefficients: dict[int, float]) -> FittedLaw:
    places = sorted(coefficients)
    law = added([opened(terms[k]) for k in places])
    return FittedLaw(law, np.array([coefficients[k] for k in places]))


def _distinct(found: Iterator[Pair | None]) -> Iterator[Pair]:
    """Each pair of forms once: a flow and its term in either law make the same as that in both."""
    seen: set[tuple[Expression, Expression]] = set()
    for pair in found:
        if pair is not None and (forms := (pair[0].law, pair[1].law)) not in seen:
            seen.add(forms)
            yield pair
