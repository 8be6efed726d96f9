"""Sums that may be the law, with constants inside their terms: fitted, shortened, proposed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.evidence.agreement import LARGEST, deviation
from odevsr.evidence.controlled import Controlled
from odevsr.evidence.law import MOST_EVALUATIONS
from odevsr.language.algebra.normal import open_sum
from odevsr.language.algebra.term import CACHED
from odevsr.language.evaluate import Field, compile_field
from odevsr.language.expression import Expression, Number, Variable, substitute
from odevsr.language.parse import parse


@dataclass(frozen=True)
class Candidate:
    """Functions of x whose sum, with open coefficients, may be the law; `names` are constants."""

    terms: tuple[str, ...]
    names: tuple[str, ...]
    values: tuple[float, ...]


def shortest(candidate: Candidate, controlled: Controlled) -> Candidate:
    """Less one term after another, the weakest first, as long as the others explain the trials."""
    while len(candidate.terms) > 1:
        weakest = int(np.argmin(_sizes(candidate, controlled)))
        terms = candidate.terms[:weakest] + candidate.terms[weakest + 1 :]
        shorter, left = polished(replace(candidate, terms=terms), controlled)
        if not left <= controlled.limit:
            break
        candidate = shorter
    return candidate


@lru_cache(maxsize=CACHED)
def field_of(terms: tuple[str, ...], names: tuple[str, ...]) -> Field:
    """The terms as one function of x and their constants."""
    return compile_field([parse(term, names) for term in terms], names)


def _columns(candidate: Candidate, controlled: Controlled) -> Callable[[FloatArray], FloatArray]:
    """The candidate's terms (K, N, p) in units of the errors, as a function of its constants."""
    field = field_of(candidate.terms, ("x", *candidate.names))
    points, weights = controlled.trials.points[:, 0, :, None], controlled.weights[..., None]

    def columns(values: FloatArray) -> FloatArray:
        constants = np.broadcast_to(values, (*points.shape[:2], len(values)))
        found = weights * field(np.concatenate([points, constants], axis=-1))
        return np.nan_to_num(found, posinf=0.0, neginf=0.0)

    return columns


def _targets(controlled: Controlled) -> FloatArray:
    return (controlled.weights * controlled.trials.targets)[..., None]


def _sizes(candidate: Candidate, controlled: Controlled) -> FloatArray:
    """How much of the targets each term makes up at most, in errors, (p,)."""
    columns = _columns(candidate, controlled)(np.array(candidate.values))
    coefficients = np.linalg.pinv(columns) @ _targets(controlled)
    sizes: FloatArray = np.max(np.abs(columns * np.swapaxes(coefficients, -1, -2)), axis=(0, 1))
    return sizes


def polished(candidate: Candidate, controlled: Controlled) -> tuple[Candidate, float]:
    """The candidate with constants fitted to all trials at once, and the deviation they leave."""
    from scipy.optimize import least_squares

    columns, targets = _columns(candidate, controlled), _targets(controlled)

    def residual(values: FloatArray) -> FloatArray:
        basis, _ = np.linalg.qr(columns(values))
        rest: FloatArray = targets - basis @ (basis.transpose(0, 2, 1) @ targets)
        return np.clip(np.nan_to_num(rest), -LARGEST, LARGEST).reshape(-1)

    start = np.array(candidate.values)
    solution = least_squares(
        residual, start, jac="3-point", x_scale="jac", max_nfev=MOST_EVALUATIONS
    )
    return replace(candidate, values=tuple(solution.x.tolist())), float(deviation(solution.fun))


def proposal_of(candidate: Candidate, variable: str) -> Expression:
    """The sum in normal form, with its constants as numbers and open coefficients."""
    names = ["x", *candidate.names]
    numbers: list[Expression] = [Number(value) for value in candidate.values]
    known = dict(zip(names, [Variable(variable), *numbers], strict=True))
    terms = [substitute(parse(term, names), known) for term in candidate.terms]
    return open_sum(terms)
