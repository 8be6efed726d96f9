"""Systems made better term by term, while they are fitted as motions.

What a term would explain is read off the sensitivities of the motion, without fitting it; the few
that promise most are fitted, and what they make idle goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.algebra.term import added, multiplied
from odevsr.language.expression import CONSTANT, ONE, Apply, Expression, Op, with_constants
from odevsr.recorded.motions.elimination import STEPS, without_idle
from odevsr.recorded.motions.responses import Responses, responses_of
from odevsr.recorded.motions.systems import Fitted, System, fit_system, without
from odevsr.recorded.paths import Paths
from odevsr.recorded.proposing.libraries import Library
from odevsr.recorded.score import constants_cost, prior

BLOCK, MOST_NUMBERS = 500, 2_000_000
"""Terms whose responses are followed together, and how many numbers these may be."""
FITTED = 3
"""Terms of each equation that are fitted."""
MOST_ROUNDS = 6
BETTER = 1.0
"""A system is better if its score is lower by more than this."""


@dataclass(frozen=True, eq=False)
class Term:
    """A function that a law may be added to with a coefficient; its own constants have values."""

    function: Expression
    values: tuple[float, ...] = ()

    @cached_property
    def closed(self) -> Expression:
        """With its numbers."""
        return with_constants(self.function, self.values)

    @cached_property
    def opened(self) -> Expression:
        """With a coefficient."""
        return CONSTANT if self.function == ONE else Apply(Op.MUL, (CONSTANT, self.function))


def terms_of(found: Sequence[Library]) -> list[Term]:
    """Every term that libraries of sums hold, once; atoms with each of their constants."""
    terms: dict[Expression, Term] = {}
    for library in found:
        if library.is_quotient:
            continue
        for plain in library.plain:
            terms.setdefault(plain, Term(plain))
        for special in library.special:
            if library.atom is None:
                terms.setdefault(special, Term(special))
                continue
            function = multiplied([library.atom.function, special])
            for values in library.atom.values:
                term = Term(function, values)
                terms.setdefault(term.closed, term)
    return list(terms.values())


@dataclass(frozen=True, eq=False)
class Promise:
    """What a score would gain by a term, and by the loss of the one it replaces, about."""

    score: float
    term: Term
    theta: FloatArray
    """All constants of the system, that of the term behind those of its law."""


@dataclass(frozen=True, eq=False)
class Improved:
    """The best system, and those beside it that were fitted last."""

    system: System
    tried: tuple[System, ...]


def improved(paths: Paths, system: System, terms: Sequence[Term]) -> Improved:
    """The system with terms added, and others gone, as long as its score gets better."""
    tried: list[System] = []
    for _ in range(MOST_ROUNDS if terms else 0):
        tried = list(_larger(paths, system, terms))
        best = min(tried, key=lambda each: each.score, default=system)
        if not best.score < system.score - BETTER:
            break
        system = best
    return Improved(system, tuple(tried))


def _larger(paths: Paths, system: System, terms: Sequence[Term]) -> Iterator[System]:
    """The system with one of the terms that promise most in each of its laws, fitted."""
    responses = responses_of(paths, system)
    costs = _constant_costs(paths, system)
    for k in range(paths.variables):
        for promise in _first(_promises(paths, system, k, terms, responses, costs)):
            laws = _with(system, k, promise)
            yield without_idle(paths, fit_system(paths, laws, system.segments, STEPS, system))


def _first(promises: Iterable[Promise]) -> list[Promise]:
    """The best, each function once."""
    best: dict[Expression, Promise] = {}
    for each in sorted(promises, key=lambda promise: -promise.score):
        best.setdefault(each.term.function, each)
    return list(best.values())[:FITTED]


def _with(system: System, k: int, promise: Promise) -> list[Fitted]:
    """The laws with a term more, at these constants."""
    sizes = [len(each.theta) + (place == k) for place, each in enumerate(system.laws)]
    parts = np.split(promise.theta, np.cumsum(sizes)[:-1])
    laws = [Fitted(each.law, part) for each, part in zip(system.laws, parts, strict=True)]
    law = added([system.laws[k].law, promise.term.opened])
    laws[k] = Fitted(law, np.concatenate([parts[k], promise.term.values]))
    return laws


def _promises(
    paths: Paths,
    system: System,
    k: int,
    terms: Sequence[Term],
    responses: Responses,
    costs: FloatArray,
) -> Iterator[Promise]:
    """What each term would bring in the k-th law."""
    before = sum(len(each.theta) for each in system.laws[: k + 1])
    size = max(1, min(BLOCK, MOST_NUMBERS // len(responses.left)))
    for first in range(0, len(terms), size):
        block = terms[first : first + size]
        found = responses.additions(k, [term.closed for term in block])
        with np.errstate(all="ignore"):
            missed = np.nan_to_num((found.constants / found.constant_errors) ** 2, nan=np.inf)
        spared = np.max(costs[:, None] - missed, axis=0, initial=0.0)
        for place in np.flatnonzero(np.isfinite(found.errors)).tolist():
            score = found.gains[place] - _cost(block[place], paths) + spared[place]
            theta = np.insert(found.constants[:, place], before, found.coefficients[place])
            yield Promise(float(score), block[place], theta)


def _cost(term: Term, paths: Paths) -> float:
    own = prior(term.opened, len(paths.names))
    return own + constants_cost(1 + len(term.values), len(paths.times))


def _constant_costs(paths: Paths, system: System) -> FloatArray:
    """What the score would be spared without each constant of a system, and what hangs on it."""
    costs = []
    for each in system.laws:
        whole = prior(each.law, len(paths.names))
        for place in range(len(each.theta)):
            law, kept = without(each.law, place)
            spared = constants_cost(len(each.theta) - len(kept), len(paths.times))
            less = -np.inf if law is None else whole - prior(law, len(paths.names))
            costs.append(spared + less)
    return np.array(costs)
