"""Sums that may be the law, with constants inside their terms: fitted, shortened, proposed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.evidence.agreement import LARGEST
from odevsr.evidence.controlled import Controlled, worst_deviation
from odevsr.evidence.law import MOST_EVALUATIONS
from odevsr.evidence.simplify import simplified
from odevsr.language.algebra.normal import open_sum
from odevsr.language.algebra.term import CACHED
from odevsr.language.evaluate import Field, compile_field
from odevsr.language.expression import Expression, Number, Variable, substitute
from odevsr.language.parse import parse


@dataclass(frozen=True)
class CandidateSum:
    """Functions of x whose sum, with open coefficients, may be the law; `names` are constants."""

    terms: tuple[Expression, ...]
    names: tuple[str, ...]
    values: tuple[float, ...]
    deviation: float = math.inf
    """That of the worst trial, once they are fitted."""


def candidate_sum(
    terms: Iterable[str], names: Iterable[str], values: Iterable[float]
) -> CandidateSum:
    """A sum of terms that are written as texts in x and constants, which begin at these values."""
    known = tuple(names)
    parsed = tuple(_term(each, known) for each in terms)
    return CandidateSum(parsed, known, tuple(map(float, values)))


@lru_cache(maxsize=CACHED)
def _term(text: str, names: tuple[str, ...]) -> Expression:
    return parse(text, ["x", *names])


def first_explaining(
    candidates: Iterable[CandidateSum], controlled: Controlled
) -> list[Expression]:
    """The first candidate that explains the trials, less what they do without; else none."""
    for candidate in candidates:
        if np.all(np.isfinite(candidate.values)):
            fitted = _fitted(candidate, controlled)
            if fitted.deviation <= controlled.limit:
                return [_proposal(_shortened(fitted, controlled), controlled.names[0])]
    return []


def _shortened(candidate: CandidateSum, controlled: Controlled) -> CandidateSum:
    """Less one term after another, the weakest first, as long as no trial notices."""

    def smaller(candidate: CandidateSum) -> Iterator[CandidateSum]:
        if len(candidate.terms) > 1:
            weakest = int(np.argmin(_sizes(candidate, controlled)))
            terms = candidate.terms[:weakest] + candidate.terms[weakest + 1 :]
            yield _fitted(replace(candidate, terms=terms), controlled)

    return simplified(candidate, smaller, controlled.agreement)


@lru_cache(maxsize=CACHED)
def _field_of(terms: tuple[Expression, ...], names: tuple[str, ...]) -> Field:
    """The terms as one function of x and their constants."""
    return compile_field(terms, ["x", *names])


def _columns(candidate: CandidateSum, controlled: Controlled) -> Callable[[FloatArray], FloatArray]:
    """The candidate's terms (K, N, p) in units of the errors, as a function of its constants."""
    field = _field_of(candidate.terms, candidate.names)
    points, weights = controlled.trials.points[:, 0, :, None], controlled.weights[..., None]

    def columns(values: FloatArray) -> FloatArray:
        constants = np.broadcast_to(values, (*points.shape[:2], len(values)))
        found = weights * field(np.concatenate([points, constants], axis=-1))
        return np.nan_to_num(found, posinf=0.0, neginf=0.0)

    return columns


def _targets(controlled: Controlled) -> FloatArray:
    return (controlled.weights * controlled.trials.targets)[..., None]


def _sizes(candidate: CandidateSum, controlled: Controlled) -> FloatArray:
    """How much of the targets each term makes up at most, in errors, (p,)."""
    columns = _columns(candidate, controlled)(np.array(candidate.values))
    coefficients = np.linalg.pinv(columns) @ _targets(controlled)
    sizes: FloatArray = np.max(np.abs(columns * np.swapaxes(coefficients, -1, -2)), axis=(0, 1))
    return sizes


def _fitted(candidate: CandidateSum, controlled: Controlled) -> CandidateSum:
    """The candidate with constants fitted to all trials at once."""
    from scipy.optimize import least_squares

    columns, targets = _columns(candidate, controlled), _targets(controlled)

    def residual(values: FloatArray) -> FloatArray:
        rest = np.nan_to_num(unexplained(columns(values), targets))
        return np.clip(rest, -LARGEST, LARGEST).reshape(-1)

    start = np.array(candidate.values)
    solution = least_squares(
        residual, start, jac="3-point", x_scale="jac", max_nfev=MOST_EVALUATIONS
    )
    left = worst_deviation(solution.fun.reshape(controlled.trials.targets.shape))
    return replace(candidate, values=tuple(solution.x.tolist()), deviation=left)


def unexplained(columns: FloatArray, targets: FloatArray) -> FloatArray:
    """What of the targets (..., N, q) no sum of the columns (..., N, p) can follow."""
    basis, _ = np.linalg.qr(columns)
    return targets - basis @ (np.swapaxes(basis, -1, -2) @ targets)


def _proposal(candidate: CandidateSum, variable: str) -> Expression:
    """The sum in normal form, with its constants as numbers and open coefficients."""
    meant: list[Expression] = [Variable(variable), *map(Number, candidate.values)]
    known = dict(zip(["x", *candidate.names], meant, strict=True))
    return open_sum([substitute(each, known) for each in candidate.terms])
