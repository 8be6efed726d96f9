"""Laws of many terms around one function with constants, where there is next to no noise.

All terms of a library together tell where the constants of its atom are, however many of the terms
are in the law; then those that are missed least go.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.evaluate import at_constants
from odevsr.recorded.proposing.atoms import Values
from odevsr.recorded.proposing.candidates import MOST_SUBSETS, Candidate, candidate, refined
from odevsr.recorded.proposing.constants import Remainder, best_constants, remainder
from odevsr.recorded.proposing.libraries import Library
from odevsr.recorded.proposing.regression import (
    MOST_KEPT,
    Regression,
    Regressions,
    regressions_of,
)
from odevsr.recorded.proposing.rows import Rows
from odevsr.recorded.proposing.subsets import subsets_of

REFINED, EXPLAINING = 4, 12
"""Libraries whose terms leave least, and whose constants are moved to where they leave least: so
many in any case, and of those that leave no more than errors."""
FEW_MOVES, MOST_MOVES = 5, 30
"""Of the constants of all libraries before these are compared, and of the best: a function of two
constants leaves little only near the right ones."""
PRECISION = 1e-14


@dataclass(frozen=True, eq=False)
class _Span:
    """A library's terms at some constants of its atom, and the sum of squares they leave."""

    left: float
    library: Library
    values: Values


def spanned(rows: Rows, libraries: Sequence[Library]) -> Iterator[Candidate]:
    """The laws that are left of the best libraries, whose plain terms are the same."""
    if not libraries:
        return
    plain = rows.columns(rows.paths.field(libraries[0].plain))
    beside = remainder(plain, rows.target)
    spans = [_scanned(rows, library, beside) for library in libraries]
    spans = [_moved(rows, each, beside, FEW_MOVES) for each in spans]
    best = sorted(spans, key=lambda each: each.left)[:EXPLAINING]
    explaining = sum(each.left <= rows.explained for each in best)
    for place, span in enumerate(best[: max(REFINED, explaining)]):
        moved = _moved(rows, span, beside, MOST_MOVES)
        terms = _regressions(rows, moved.library, moved.values, plain)
        yield from _shortened(rows, moved, terms[0], plain)
        if place < explaining:
            yield from _of_few(rows, moved, terms)


def _of_few(rows: Rows, span: _Span, terms: Regressions) -> Iterator[Candidate]:
    """The best laws of few terms, where the constants of the atom are those of all."""
    found = subsets_of(rows, terms, span.library, MOST_SUBSETS, math.inf)
    for subset, left in zip(found.each(), found.left.tolist(), strict=True):
        yield candidate(rows, span.library, subset, span.values, terms[0], left)


def _shortened(
    rows: Rows, span: _Span, terms: Regression, plain: FloatArray
) -> Iterator[Candidate]:
    """What is left of a span as the term that is missed least goes, again and again.

    Many terms make up for wrong constants of the atom; where fewer do no longer, it is moved.
    """
    library, values, left = span.library, span.values, span.left
    kept = tuple(terms.usable.tolist())
    while 0 < len(kept) < len(terms.target):
        before, least = left, terms.part(kept).least_missed
        kept = kept[:least] + kept[least + 1 :]
        if not library.factors(kept):
            break
        left = terms.part(kept).left
        found = candidate(rows, library, kept, values, terms, left)
        if values and before <= rows.explained < left:
            found = refined(rows, library, kept, plain, values)
            values, left = found.values, found.chi2
            terms = _regressions(rows, library, values, plain)[0]
        if len(kept) <= MOST_KEPT:
            yield found


def _regressions(rows: Rows, library: Library, values: Values, plain: FloatArray) -> Regressions:
    """One, in all terms of a library, at constants of its atom."""
    special = rows.columns(rows.paths.field(library.products([values])))
    return regressions_of(plain, special, rows.target, 1)


def _scanned(rows: Rows, library: Library, beside: Remainder) -> _Span:
    """Where the atom's constants leave least, of those suggested."""
    assert library.atom is not None
    columns = rows.columns(library.field)[:, len(library.plain) :]
    blocks = np.split(columns, len(library.atom.values), axis=1)
    left = [float(np.sum(beside.less(block) ** 2)) for block in blocks]
    best = int(np.argmin(left))
    return _Span(left[best], library, library.atom.values[best])


def _moved(rows: Rows, span: _Span, beside: Remainder, moves: int) -> _Span:
    """The same with constants nearby that leave least."""
    if not span.values:
        return span
    products = span.library.open_field(span.library.special)
    values = best_constants(rows, products, beside, span.values, moves, PRECISION)
    columns = rows.columns(at_constants(products, values))
    return _Span(float(np.sum(beside.less(columns) ** 2)), span.library, values)
