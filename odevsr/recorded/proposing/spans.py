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
from odevsr.recorded.proposing.candidates import (
    HUGE,
    Candidate,
    Values,
    best_constants,
    candidate,
    shortened,
)
from odevsr.recorded.proposing.libraries import Library
from odevsr.recorded.proposing.rows import Rows

REFINED = 4
"""Libraries whose terms leave least, and whose constants are moved to where they leave least."""
FEW_MOVES, MOST_MOVES = 5, 30
"""Of the constants of all libraries before these are compared, and of the best: a function of two
constants leaves little only near the right ones."""


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
    plain = _basis(rows.columns(rows.paths.field(libraries[0].plain)))
    rest = rows.target - plain @ (plain.T @ rows.target)
    spans = [_scanned(rows, library, plain, rest) for library in libraries]
    spans = [_moved(rows, each, plain, rest, FEW_MOVES) for each in spans]
    for span in sorted(spans, key=lambda each: each.left)[:REFINED]:
        values = _moved(rows, span, plain, rest, MOST_MOVES).values
        terms = [*span.library.plain, *span.library.products([values])]
        columns = rows.columns(rows.paths.field(terms))
        for subset in shortened(columns, rows.target):
            yield candidate(rows, span.library, subset, columns[:, list(subset)], values)


def _scanned(rows: Rows, library: Library, plain: FloatArray, rest: FloatArray) -> _Span:
    """Where the atom's constants leave least, of those suggested."""
    assert library.atom is not None
    columns = rows.columns(rows.paths.field(library.products(library.atom.values)))
    blocks = np.split(columns, len(library.atom.values), axis=1)
    left = [float(np.sum(_left(block, plain, rest) ** 2)) for block in blocks]
    best = int(np.argmin(left))
    return _Span(left[best], library, library.atom.values[best])


def _left(block: FloatArray, plain: FloatArray, rest: FloatArray) -> FloatArray:
    """What terms leave of the rest, beside the plain ones."""
    if not np.abs(block).max(initial=0.0) < HUGE:
        return np.full(len(rest), math.inf)
    beside = _basis(block - plain @ (plain.T @ block))
    return np.asarray(rest - beside @ (beside.T @ rest))


def _basis(columns: FloatArray) -> FloatArray:
    size = np.linalg.norm(columns, axis=0)
    return np.linalg.qr(columns[:, size > 0] / size[size > 0])[0]


def _moved(rows: Rows, span: _Span, plain: FloatArray, rest: FloatArray, moves: int) -> _Span:
    """The same with constants nearby that leave least."""

    def left(values: Values) -> FloatArray:
        terms = rows.paths.field(span.library.products([values]))
        return _left(rows.columns(terms), plain, rest)

    values = best_constants(left, span.values, moves, ftol=1e-14, xtol=1e-14, gtol=1e-14)
    return _Span(float(np.sum(left(values) ** 2)), span.library, values)
