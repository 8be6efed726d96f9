"""Systems made better term by term, while they are fitted as motions.

What a term would explain is read off the sensitivities of the motion, without fitting it; the few
that promise most are fitted, and what they make idle goes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.algebra.term import added, multiplied
from odevsr.language.evaluate import Field
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


@dataclass(frozen=True, eq=False)
class Terms:
    """All that a law may be added to, in blocks that are evaluated together."""

    each: tuple[Term, ...]
    costs: FloatArray
    """Of each in a score, with its coefficient."""
    blocks: tuple[Field, ...]

    def __bool__(self) -> bool:
        return bool(self.each)


def terms_for(paths: Paths, found: Sequence[Library]) -> Terms:
    """The terms of libraries for laws of these paths, where they are noisy.

    Where they are not, slopes tell all that terms could: what is added one by one comes ever
    nearer, and is no law.
    """
    terms = [] if paths.clean.all() else _terms_of(found)
    size = max(1, min(BLOCK, MOST_NUMBERS // paths.samples.size))
    blocks = [terms[first : first + size] for first in range(0, len(terms), size)]
    return Terms(
        tuple(terms),
        np.array([_cost(each, paths) for each in terms]),
        tuple(paths.field([each.closed for each in block]) for block in blocks),
    )


def _terms_of(found: Sequence[Library]) -> list[Term]:
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
    """A term, and about which constants the system would have with it."""

    term: Term
    theta: FloatArray
    """All constants of the system, that of the term behind those of its law."""


@dataclass(frozen=True, eq=False)
class Improved:
    """The best system, and those beside it that were fitted last."""

    system: System
    tried: tuple[System, ...]


def improved(paths: Paths, system: System, terms: Terms) -> Improved:
    """The system with terms added, and others gone, as long as its score gets better."""
    tried: list[System] = []
    for _ in range(MOST_ROUNDS if terms else 0):
        tried = list(_larger(paths, system, terms))
        best = min(tried, key=lambda each: each.score, default=system)
        if not best.score < system.score - BETTER:
            break
        system = best
    return Improved(system, tuple(tried))


def _larger(paths: Paths, system: System, terms: Terms) -> Iterator[System]:
    """The system with one of the terms that promise most in each of its laws, fitted."""
    responses = responses_of(paths, system)
    costs = _constant_costs(paths, system)
    for k in range(paths.variables):
        for promise in _promises(system, k, terms, responses, costs):
            laws = _with(system, k, promise)
            yield without_idle(paths, fit_system(paths, laws, system.segments, STEPS, system))


def _with(system: System, k: int, promise: Promise) -> list[Fitted]:
    """The laws with a term more, at these constants."""
    sizes = [len(each.theta) + (place == k) for place, each in enumerate(system.laws)]
    parts = np.split(promise.theta, np.cumsum(sizes)[:-1])
    laws = [Fitted(each.law, part) for each, part in zip(system.laws, parts, strict=True)]
    law = added([system.laws[k].law, promise.term.opened])
    laws[k] = Fitted(law, np.concatenate([parts[k], promise.term.values]))
    return laws


def _promises(
    system: System, k: int, terms: Terms, responses: Responses, costs: FloatArray
) -> list[Promise]:
    """The terms that would bring most in the k-th law, each function once."""
    place = sum(len(each.theta) for each in system.laws[: k + 1])
    gains, values = [], []
    for block in terms.blocks:
        found = responses.additions(k, block)
        with np.errstate(all="ignore"):
            missed = np.nan_to_num((found.constants / found.constant_errors) ** 2, nan=np.inf)
        spared = np.max(costs[:, None] - missed, axis=0, initial=0.0)
        gains.append(np.where(np.isfinite(found.errors), found.gains + spared, -np.inf))
        values.append(np.insert(found.constants, place, found.coefficients, axis=0))
    scores, theta = np.concatenate(gains) - terms.costs, np.hstack(values)
    best: dict[Expression, Promise] = {}
    for number in np.argsort(-scores, kind="stable").tolist():
        if len(best) == FITTED or scores[number] == -np.inf:
            break
        term = terms.each[number]
        best.setdefault(term.function, Promise(term, theta[:, number]))
    return list(best.values())


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
