"""Terms that a law has not, and how large they could be without being seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.algebra.monomials import monomials
from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.term import multiplied, split_coefficient, terms
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Apply, Expression, Op, walk
from odevsr.recorded.motions.responses import Responses, by_constants
from odevsr.recorded.motions.systems import FittedLaw, closed
from odevsr.recorded.paths import Paths

CERTAIN = 2.0
"""Errors beyond its best value that a coefficient may lie."""
ROUNDING = 1e-7
"""Share of a term beside a law's own from which on it is another one: splines are no better."""
STATES = 200
"""At which a term and a change of the law's constants are compared,"""
MOVED = 0.1
"""where every variable moves by at least this share of its size."""


@dataclass(frozen=True)
class LeftOut:
    """A term that a law has not, and the largest coefficient it could have.

    `share` is what it would then make up of the law's rate along the recordings.
    """

    term: Expression
    most: float
    share: float


def left_out(
    paths: Paths,
    law: FittedLaw,
    equation: int,
    responses: Responses | None,
    rng: np.random.Generator,
) -> Iterator[LeftOut]:
    """Every term of low order that the law of an equation has not, at least as many as it has.

    A law of nearly all terms of an order would lack none of it, and could imitate others. Products
    of its own functions are among them: by what is conserved along an orbit, one may stand for
    another. Those that are but a change of the law's constants, wherever the state may be, are not.
    Where there is no noise slopes tell how large terms may be, else the responses of the motion.
    """
    chosen = closed(law)
    own = [split_coefficient(each)[1] for each in terms(chosen)]
    others = _not_a_change(paths, law, _not_among(own, paths.names), rng)
    if responses is None:
        states = paths.states
        coefficients, errors = _by_slopes(paths, law, equation, others)
    else:
        states = responses.line.ends
        functions = responses.along(paths.field(others))
        found = responses.additions([responses.to(equation, functions)])
        coefficients, errors = found.coefficients[:, 0], found.errors[:, 0]
    values = compile_field([chosen, *others], paths.names)(states)
    rate, *sizes = np.sqrt(np.mean(values**2, axis=0)).tolist()
    for term, size, value, error in zip(others, sizes, coefficients, errors, strict=True):
        most = float(abs(value) + CERTAIN * error)
        yield LeftOut(term, most, most * size / max(rate, 1e-300))


def _by_slopes(
    paths: Paths, law: FittedLaw, equation: int, others: Sequence[Expression]
) -> tuple[FloatArray, FloatArray]:
    """Coefficients of terms beside a law whose constants are free, and their errors."""
    weights = 1 / np.maximum(paths.slope_errors[:, equation], 1e-300)
    off = weights * (paths.slopes[:, equation] - paths.along([closed(law)])[:, 0])
    own = weights[:, None] * by_constants(law, paths.names, paths.states)
    columns = weights[:, None] * paths.along(others)
    sizes = np.linalg.norm(columns, axis=0) + 1e-300
    rest = _beside(own, columns / sizes)
    left = np.linalg.norm(rest, axis=0)
    with np.errstate(all="ignore"):
        errors = np.where(left > ROUNDING, 1 / (left * sizes), np.inf)
        return np.nan_to_num(rest.T @ off / left**2 / sizes), errors


def _not_a_change(
    paths: Paths, law: FittedLaw, others: Sequence[Expression], rng: np.random.Generator
) -> list[Expression]:
    """Terms that no change of the law's constants brings, near the states that were visited.

    What never moved there does here: it may be a part of a constant.
    """
    size = np.maximum(np.maximum(np.abs(paths.low), np.abs(paths.high)), 1e-300)
    high = np.maximum(paths.high, paths.low + MOVED * size)
    states = rng.uniform(paths.low, high, (STATES, len(paths.names)))
    columns, own = paths.field(others)(states), by_constants(law, paths.names, states)
    known = np.isfinite(np.hstack([columns, own])).all(axis=1)
    if np.sum(known) <= 2 * len(law.theta):
        return list(others)
    rest = _beside(own[known], columns[known])
    left = np.linalg.norm(rest, axis=0) / (np.linalg.norm(columns[known], axis=0) + 1e-300)
    return [each for each, share in zip(others, left, strict=True) if share > ROUNDING]


def _beside(own: FloatArray, columns: FloatArray) -> FloatArray:
    """The columns less all that a law's own can make up for."""
    basis = np.linalg.qr(own / (np.linalg.norm(own, axis=0) + 1e-300))[0]
    return np.asarray(columns - basis @ (basis.T @ columns))


def _not_among(own: Sequence[Expression], names: Sequence[str]) -> list[Expression]:
    degree = 3 if len(names) == 1 else 2
    while len(found := [each for each in monomials(names, degree) if each not in own]) < len(own):
        degree += 1
    products = (multiplied([one, other]) for one in own if _has_function(one) for other in own)
    made = dict.fromkeys(normal_form(each) for each in products)
    return [*found, *(each for each in made if each not in own)]


def _has_function(term: Expression) -> bool:
    """True if the term is no monomial."""
    return any(
        isinstance(node, Apply) and (node.op.is_function or node.op is Op.DIV)
        for node in walk(term)
    )
