"""Candidates for one equation: the best sums of few terms from each library, by regression."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.fitting.subsets import best_subsets
from odevsr.language.algebra.term import added, multiplied
from odevsr.language.expression import CONSTANT, ONE, Apply, Expression, Number, Op, with_constants
from odevsr.recorded.proposing.libraries import Library
from odevsr.recorded.proposing.rows import Rows
from odevsr.recorded.score import constants_cost, prior

MOST_SUBSETS, MOST_IN_SCAN = 150_000, 8_000
"""Subsets of a library that are looked at; and of one with an atom, for each of its constants."""
MOST_TERMS, MOST_KEPT = 7, 14
"""Of the largest subsets, and of those that are left of all terms where there is no noise."""
FARTHEST = 3.0
"""How far constants of atoms move, in logarithms."""
REFINED = 4
"""Up to this size subsets with an atom have its constants refined."""
HUGE, ROUNDING = 1e100, 1e-15

Values = tuple[float, ...]
Subset = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Candidate:
    """A law with open constants, values to begin with, and its score in the regression.

    One whose atom's constants are those of a scan may be scored as if they were right.
    """

    law: Expression
    theta: FloatArray
    score: float
    chi2: float
    label: str


@dataclass(frozen=True)
class Scanned:
    """What a subset leaves and costs at the best of its atom's constants, and which these are."""

    total: float
    hoped: float
    place: int


def candidates(rows: Rows, library: Library, farthest: float = math.inf) -> Iterator[Candidate]:
    """The best laws of a library, of each size, unless they cost more than `farthest`.

    Constants of an atom are scanned, then refined.
    """
    if library.atom is None:
        yield from _scanned(rows, library, farthest)
        return
    columns = rows.columns(library.field)
    plain, special = np.split(columns, [len(library.plain)], axis=1)
    blocks = [
        np.hstack([plain, each]) for each in np.split(special, len(library.atom.values), axis=1)
    ]
    best: dict[Subset, Scanned] = {}
    for place, block in enumerate(blocks):
        for total, hoped, subset in _subsets(rows, block, library, MOST_IN_SCAN, farthest):
            if subset not in best or total < best[subset].total:
                best[subset] = Scanned(total, hoped, place)
    yield from _refined(rows, library, blocks, best)


def _scanned(rows: Rows, library: Library, farthest: float) -> Iterator[Candidate]:
    if library.is_quotient and rows.integral:
        return
    below = len(library.special) if library.is_quotient else 0
    columns = rows.columns(library.field, below)
    subsets = [each for _, _, each in _subsets(rows, columns, library, MOST_SUBSETS, farthest)]
    if rows.paths.clean.all() and not library.is_wide:
        subsets += shortened(columns, rows.target)
    for subset in dict.fromkeys(subsets):
        yield candidate(rows, library, subset, columns[:, list(subset)], ())


def shortened(columns: FloatArray, target: FloatArray) -> Iterator[Subset]:
    """Subsets larger than can be looked at one by one: of all columns the least missed goes."""
    size = np.linalg.norm(np.clip(columns, -HUGE, HUGE), axis=0)
    kept = np.flatnonzero((size < HUGE) & (size > 0))
    everything = np.column_stack([columns[:, kept] / size[kept], target])
    triangle = np.asarray(np.linalg.qr(everything, mode="r"))
    if len(triangle) <= len(kept):
        return
    columns, target = triangle[:, :-1], triangle[:, -1]
    while len(kept) > 1:
        across, along = np.linalg.qr(columns)
        along[np.diag_indices(len(kept))] += ROUNDING
        inverse = np.linalg.inv(along)
        missed = (inverse @ (across.T @ target)) ** 2 / np.sum(inverse**2, axis=1)
        least = int(np.argmin(missed))
        kept, columns = np.delete(kept, least), np.delete(columns, least, axis=1)
        if len(kept) <= MOST_KEPT:
            yield tuple(kept.tolist())


def _refined(
    rows: Rows,
    library: Library,
    blocks: Sequence[FloatArray],
    best: dict[Subset, Scanned],
) -> Iterator[Candidate]:
    """The most promising subsets, one of each small size with constants where they are best.

    Large ones make up for wrong constants, and would come first otherwise. `blocks` are the columns
    for each choice of the constants, of which each subset has its best.
    """
    assert library.atom is not None
    sizes = {len(each): each for each in sorted(best, key=lambda each: -best[each].total)}
    promising = sorted(best, key=lambda each: best[each].hoped)
    first = [sizes[size] for size in range(1, REFINED + 1) if size in sizes and rows.moves]
    for subset in dict.fromkeys([*first, *promising[: rows.with_atom]]):
        place = best[subset].place
        values, columns = library.atom.values[place], blocks[place][:, list(subset)]
        if subset in first:
            left = partial(_left_by, rows, library, subset, columns)
            values = best_constants(left, values, rows.moves)
            columns = _with_atom(rows, library, subset, columns, values)
        found = candidate(rows, library, subset, columns, values)
        forgiven = 0.0 if subset in first else _forgiven(rows, library, found.chi2)
        yield replace(found, score=found.score - forgiven)


def best_constants(
    left: Callable[[Values], FloatArray], values: Values, most_moves: int, **precise: float
) -> Values:
    """The constants of an atom, near these values, that leave least."""
    from scipy.optimize import least_squares

    start = np.array(values)

    def moved(logarithms: FloatArray) -> Values:
        return tuple((start * np.exp(logarithms)).tolist())

    def rest(logarithms: FloatArray) -> FloatArray:
        return np.clip(np.nan_to_num(left(moved(logarithms)), nan=HUGE), -HUGE, HUGE)

    limits = (-FARTHEST, FARTHEST)
    found = least_squares(rest, np.zeros(len(start)), bounds=limits, max_nfev=most_moves, **precise)
    return moved(found.x)


def _left_by(
    rows: Rows, library: Library, subset: Subset, columns: FloatArray, values: Values
) -> FloatArray:
    """What a subset leaves of the target, where its atom has these constants."""
    columns = _with_atom(rows, library, subset, columns, values)
    return np.asarray(rows.target - columns @ solved(columns, rows.target)[0])


def _with_atom(
    rows: Rows, library: Library, subset: Subset, columns: FloatArray, values: Values
) -> FloatArray:
    """The columns of a subset, those of its plain terms as they are, for these constants."""
    assert library.atom is not None
    function = with_constants(library.atom.function, values)
    special = [library.special[k - len(library.plain)] for k in subset if k >= len(library.plain)]
    others = rows.columns(rows.paths.field([multiplied([function, each]) for each in special]))
    return np.hstack([columns[:, : len(subset) - len(special)], others])


def _subsets(
    rows: Rows, columns: FloatArray, library: Library, looked: int, farthest: float
) -> Iterator[tuple[float, float, Subset]]:
    """The best subsets of columns of each size, with what they leave and cost together.

    Behind that comes what they may once the constants of an atom are fitted.
    """
    farthest -= _atom_cost(rows, library)
    costs = library.priors + constants_cost(1, rows.samples)
    size = np.linalg.norm(np.clip(columns, -HUGE, HUGE), axis=0)
    usable = np.flatnonzero((size < HUGE) & (size > 0))
    fixed = int(np.searchsorted(usable, len(library.plain)))
    if fixed == len(usable) and (library.special or not fixed):
        return
    everything = np.column_stack([columns[:, usable] / size[usable], rows.target])
    triangle = np.asarray(np.linalg.qr(everything, mode="r"))
    most = _largest(len(usable), looked)
    left = np.full((most, rows.of_each_size), math.inf)
    chosen = np.zeros((most, rows.of_each_size, most), dtype=np.int64)
    best_subsets(
        np.ascontiguousarray(triangle[:, :-1]), costs[usable],
        np.ascontiguousarray(triangle[:, -1]), fixed, most, farthest - _floor(triangle), left,
        chosen,
    )  # fmt: skip
    for terms, rank in np.argwhere(left < farthest + rows.forgiven).tolist():
        subset = sorted(usable[chosen[terms, rank, : terms + 1]].tolist())
        total = float(left[terms, rank])
        hoped = total - _forgiven(rows, library, total - float(np.sum(costs[subset])))
        if hoped < farthest:
            yield total, hoped, tuple(subset)


def _forgiven(rows: Rows, library: Library, left: float) -> float:
    """What of the sum of squares may be due to constants of an atom that are not right yet."""
    return 0.0 if library.atom is None else min(rows.forgiven, max(0.0, left - rows.least))


def _floor(triangle: FloatArray) -> float:
    """What all columns together leave of the target, the last one."""
    return float(triangle[-1, -1] ** 2) if len(triangle) == triangle.shape[1] else 0.0


def _atom_cost(rows: Rows, library: Library) -> float:
    """What the atom of a library costs in a score, however many terms it is a factor of."""
    if library.atom is None:
        return 0.0
    constants = constants_cost(len(library.atom.values[0]), rows.samples)
    return constants + prior(library.atom.function, len(rows.paths.names))


def _largest(columns: int, looked: int) -> int:
    """The largest size up to which there are no more subsets than may be looked at."""
    subsets, most = 0, 0
    while most < min(columns, MOST_TERMS):
        subsets += math.comb(columns, most + 1)
        if subsets > looked:
            break
        most += 1
    return max(most, 1)


def solved(columns: FloatArray, target: FloatArray) -> tuple[FloatArray, float]:
    """Coefficients, 0 of columns that are next to nothing, and the sum of squares left."""
    size = np.linalg.norm(np.clip(columns, -HUGE, HUGE), axis=0)
    if not (size < HUGE).all():
        return np.zeros(columns.shape[1]), math.inf
    size = np.where(size > 1 / HUGE, size, math.inf)
    solution = np.linalg.lstsq(columns / size, target, rcond=1e-14)[0] / size
    return solution, float(np.sum((target - columns @ solution) ** 2))


def candidate(
    rows: Rows,
    library: Library,
    subset: Subset,
    columns: FloatArray,
    values: Values,
) -> Candidate:
    """The law of a subset of terms, whose columns these are, with its best coefficients."""
    coefficients, left = solved(columns, rows.target)
    if library.is_quotient:
        left = _left_by_quotient(
            columns, coefficients, rows.target, sum(k < len(library.plain) for k in subset)
        )
    above = [k for k in subset if k < len(library.plain)]
    other = [library.special[k - len(library.plain)] for k in subset if k >= len(library.plain)]
    law = law_of([library.plain[k] for k in above], other, library)
    theta = np.array([*coefficients, *values])
    count = len(rows.target)
    freedom = max(count - len(theta), 1)
    score = left * count / freedom + constants_cost(len(theta), rows.samples)
    score += prior(law, len(rows.paths.names))
    return Candidate(law, theta, score, left, library.label)


def _left_by_quotient(
    columns: FloatArray, coefficients: FloatArray, target: FloatArray, above: int
) -> float:
    """The sum of squares that p/(1 + q) leaves of f, from the regression of f on p - f*q."""
    with np.errstate(all="ignore"):
        below = 1 - columns[:, above:] @ coefficients[above:] / target
        left = float(np.sum((target - columns[:, :above] @ coefficients[:above] / below) ** 2))
    return left if math.isfinite(left) and (below > 0).all() else math.inf


def sum_of(terms: Sequence[Expression]) -> Expression:
    """The sum of terms, each with an open coefficient."""
    return added([_open(term) for term in terms])


def law_of(
    plain: Sequence[Expression], special: Sequence[Expression], library: Library
) -> Expression:
    """The sum of terms with open coefficients, whose order is that of the terms."""
    above = [_open(term) for term in plain]
    others = [_open(term) for term in special]
    if library.is_quotient:
        return Apply(
            Op.MUL,
            (added(above or [Number(0)]), Apply(Op.POW, (added([ONE, *others]), Number(-1)))),
        )
    if library.atom is not None and others:
        return added([*above, Apply(Op.MUL, (added(others), library.atom.function))])
    return added([*above, *others])


def _open(term: Expression) -> Expression:
    return CONSTANT if term == ONE else Apply(Op.MUL, (CONSTANT, term))
