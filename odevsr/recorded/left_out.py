"""Terms that a law has not, and how large they could be without being seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from odevsr.language.algebra.monomials import monomials
from odevsr.language.algebra.term import split_coefficient, terms
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Expression
from odevsr.recorded.responses import Responses
from odevsr.recorded.systems import Fitted, closed

CERTAIN = 2.0
"""Errors beyond its best value that a coefficient may lie."""


@dataclass(frozen=True)
class LeftOut:
    """A term that a law has not, and the largest coefficient it could have.

    `share` is what it would then make up of the law's rate along the recordings.
    """

    term: Expression
    most: float
    share: float


def left_out(responses: Responses, law: Fitted, equation: int) -> Iterator[LeftOut]:
    """Every term of low order that the law of an equation has not, at least as many as it has.

    A law of nearly all terms of an order would lack none of it, and could imitate others.
    """
    line = responses.line
    chosen = closed(law)
    own = {split_coefficient(each)[1] for each in terms(chosen)}
    others = _not_among(own, line.names)
    found = responses.additions(equation, others)
    values = compile_field([chosen, *others], line.names)(line.ends)
    rate, *sizes = np.sqrt(np.mean(values**2, axis=0)).tolist()
    for term, size, value, error in zip(
        others, sizes, found.coefficients.tolist(), found.errors.tolist(), strict=True
    ):
        most = abs(value) + CERTAIN * error
        yield LeftOut(term, most, most * size / max(rate, 1e-300))


def _not_among(own: set[Expression], names: Sequence[str]) -> list[Expression]:
    degree = 3 if len(names) == 1 else 2
    while len(found := [each for each in monomials(names, degree) if each not in own]) < len(own):
        degree += 1
    return found
