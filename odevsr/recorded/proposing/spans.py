"""Laws of many terms around one function with constants, where there is next to no noise.

All terms of a library together tell where the constants of its atom are, however many of the terms
are in the law; then those that are missed least go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from odevsr.language.evaluate import at_constants
from odevsr.recorded.proposing.atoms import Values
from odevsr.recorded.proposing.candidates import Candidate, candidate
from odevsr.recorded.proposing.constants import Remainder, best_constants, remainder
from odevsr.recorded.proposing.libraries import Library
from odevsr.recorded.proposing.regression import regression_of
from odevsr.recorded.proposing.rows import Rows

REFINED = 4
"""Libraries whose terms leave least, and whose constants are moved to where they leave least."""
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
    beside = remainder(rows.columns(rows.paths.field(libraries[0].plain)), rows.target)
    spans = [_scanned(rows, library, beside) for library in libraries]
    spans = [_moved(rows, each, beside, FEW_MOVES) for each in spans]
    for span in sorted(spans, key=lambda each: each.left)[:REFINED]:
        values = _moved(rows, span, beside, MOST_MOVES).values
        terms = [*span.library.plain, *span.library.products([values])]
        whole = regression_of(rows.columns(rows.paths.field(terms)), rows.target)
        for subset in whole.shortened():
            left = whole.part(subset).left
            yield candidate(rows, span.library, subset, values, whole, left)


def _scanned(rows: Rows, library: Library, beside: Remainder) -> _Span:
    """Where the atom's constants leave least, of those suggested."""
    assert library.atom is not None
    columns = rows.columns(rows.paths.field(library.products(library.atom.values)))
    blocks = np.split(columns, len(library.atom.values), axis=1)
    left = [float(np.sum(beside.less(block) ** 2)) for block in blocks]
    best = int(np.argmin(left))
    return _Span(left[best], library, library.atom.values[best])


def _moved(rows: Rows, span: _Span, beside: Remainder, moves: int) -> _Span:
    """The same with constants nearby that leave least."""
    products = span.library.open_field(span.library.special)
    values = best_constants(rows, products, beside, span.values, moves, PRECISION)
    columns = rows.columns(at_constants(products, values))
    return _Span(float(np.sum(beside.less(columns) ** 2)), span.library, values)
