"""Systems made better term by term, while they are fitted as motions.

What a term would explain is read off the sensitivities of the motion, without fitting it; the few
that promise most are fitted, and what they make idle goes. A term may be lacking in two laws, as
what flows from one variable to another: in either alone it then explains little.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.algebra.term import added, multiplied
from odevsr.language.algebra.term import terms as summands
from odevsr.language.evaluate import Field
from odevsr.language.expression import Expression, with_constants
from odevsr.recorded.motions.elimination import STEPS, without_idle
from odevsr.recorded.motions.responses import Additions, responses_of
from odevsr.recorded.motions.systems import FittedLaw, FittedSystem, fit_system, without
from odevsr.recorded.paths import Paths
from odevsr.recorded.proposing.libraries import Library, opened
from odevsr.recorded.score import constants_cost, prior

BLOCK, MOST_NUMBERS = 500, 2_000_000
"""Terms whose responses are followed together, and how many numbers these may be."""
MOST_SCANNED = 6_000_000
"""The same of all terms with constants of their own; of more, constants are begun at fewer values,
from which fits move them anyway. Runs of up to two variables and 1,000 samples have fewer."""
FITTED = 3
"""Terms of each equation, and of all twos of them together, that are fitted."""
MOST_ROUNDS = 6
BETTER = 1.0
"""A system is better if its score is lower by more than this."""

Group = tuple[int, ...]
"""Laws that a term is added to at once."""


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
        return opened(self.function)


@dataclass(frozen=True, eq=False)
class Terms:
    """All that a law may be added to, in blocks that are evaluated together."""

    each: tuple[Term, ...]
    costs: FloatArray
    """Of each in a score, with its coefficient."""
    blocks: tuple[Field, ...]
    """The first holds the terms of the plainest library."""

    def __bool__(self) -> bool:
        return bool(self.each)


def terms_for(paths: Paths, found: Sequence[Library]) -> Terms:
    """The terms of libraries for laws of these paths, where they are noisy.

    Where they are not, slopes tell all that terms could: what is added one by one comes ever
    nearer, and is no law.
    """
    sums = [each for each in found if not (paths.clean.all() or each.is_quotient)]
    scanned = sum(len(each.special) * len(each.atom.values) for each in sums if each.atom)
    terms = _terms_of(sums, 1 + scanned * paths.samples.size // MOST_SCANNED)
    plain = len(found[0].plain) if terms else 0
    size = max(1, min(BLOCK, MOST_NUMBERS // paths.samples.size))
    starts = range(plain, len(terms), size)
    blocks = [terms[:plain], *(terms[first : first + size] for first in starts)]
    return Terms(
        tuple(terms),
        np.array([_cost(each, paths) for each in terms]),
        tuple(paths.field([each.closed for each in block]) for block in blocks),
    )


def _terms_of(found: Sequence[Library], every: int) -> list[Term]:
    """Every term that libraries hold, once; atoms with every few of their constants."""
    terms: dict[Expression, Term] = {}
    for library in found:
        for plain in library.plain:
            terms.setdefault(plain, Term(plain))
        for special in library.special:
            if library.atom is None:
                terms.setdefault(special, Term(special))
                continue
            function = multiplied([library.atom.function, special])
            for values in library.atom.values[::every]:
                term = Term(function, values)
                terms.setdefault(term.closed, term)
    return list(terms.values())


@dataclass(frozen=True, eq=False)
class Promise:
    """A term for one law or two, and about which constants the system would have with it."""

    term: Term
    group: Group
    theta: FloatArray
    """All constants of the system, those of the term behind those of its laws."""
    score: float
    """By how much that of the system would fall."""


@dataclass(frozen=True, eq=False)
class Improved:
    """The best system, and those beside it that were fitted last."""

    system: FittedSystem
    tried: tuple[FittedSystem, ...]


def improved(paths: Paths, system: FittedSystem, terms: Terms) -> Improved:
    """The system with terms added, and others gone, as long as its score gets better."""
    tried: list[FittedSystem] = []
    for _ in range(MOST_ROUNDS if terms else 0):
        tried = list(_larger(paths, system, terms))
        best = min(tried, key=lambda each: each.score, default=system)
        if not best.score < system.score - BETTER:
            break
        system = best
    return Improved(system, tuple(tried))


def _larger(paths: Paths, system: FittedSystem, terms: Terms) -> Iterator[FittedSystem]:
    """The system with one of the terms that promise most in its laws, fitted."""
    for promise in _promises(paths, system, terms):
        laws = _with(system, promise)
        yield without_idle(paths, fit_system(paths, laws, system.segments, STEPS, system))


def _with(system: FittedSystem, promise: Promise) -> list[FittedLaw]:
    """The laws with a term more, at these constants."""
    sizes = [len(each.theta) + (k in promise.group) for k, each in enumerate(system.laws)]
    parts = np.split(promise.theta, np.cumsum(sizes)[:-1])
    laws = [FittedLaw(each.law, part) for each, part in zip(system.laws, parts, strict=True)]
    for k in promise.group:
        law = added([*summands(system.laws[k].law), promise.term.opened])
        laws[k] = FittedLaw(law, np.concatenate([parts[k], promise.term.values]))
    return laws


def _promises(paths: Paths, system: FittedSystem, terms: Terms) -> Iterator[Promise]:
    """The terms that would bring most in each law, and in two of them, each function once.

    In two laws only the plainest are looked for: what flows is mostly a product of what reacts.
    """
    responses, costs = responses_of(paths, system), constant_costs(paths, system)
    ends = np.cumsum([len(each.theta) for each in system.laws])
    laws = range(len(system.laws))
    alone, pairs = [(k,) for k in laws], list(combinations(laws, 2))
    scores: dict[Group, list[FloatArray]] = {group: [] for group in (*alone, *pairs)}
    theta: dict[Group, list[FloatArray]] = {group: [] for group in scores}
    for place, block in enumerate(terms.blocks):
        functions = responses.along(block)
        forced = [responses.to(k, functions) for k in laws]
        for group in scores if place == 0 else alone:
            found = responses.additions([forced[k] for k in group])
            scores[group].append(_gains(found, costs))
            behind = [int(ends[k]) for k in group]
            theta[group].append(np.insert(found.constants, behind, found.coefficients.T, axis=0))

    def best(group: Group) -> list[Promise]:
        gains = np.concatenate(scores[group])
        left = gains - len(group) * terms.costs[: len(gains)]
        return _best(group, left, np.hstack(theta[group]), terms)

    for group in alone:
        yield from best(group)
    both = [each for pair in pairs for each in best(pair)]
    yield from sorted(both, key=lambda each: -each.score)[:FITTED]


def _gains(found: Additions, costs: FloatArray) -> FloatArray:
    """What terms explain, and what they spare if they make one of the constants idle."""
    with np.errstate(all="ignore"):
        missed = np.nan_to_num((found.constants / found.constant_errors) ** 2, nan=np.inf)
    spared = np.max(costs[:, None] - missed, axis=0, initial=0.0)
    return np.where(np.isfinite(found.errors).all(axis=1), found.gains + spared, -np.inf)


def _best(group: Group, scores: FloatArray, theta: FloatArray, terms: Terms) -> list[Promise]:
    best: dict[Expression, Promise] = {}
    for number in np.argsort(-scores, kind="stable").tolist():
        if len(best) == FITTED or scores[number] == -np.inf:
            break
        term = terms.each[number]
        promise = Promise(term, group, theta[:, number], float(scores[number]))
        best.setdefault(term.function, promise)
    return list(best.values())


def _cost(term: Term, paths: Paths) -> float:
    own = prior(term.opened, len(paths.names))
    return own + constants_cost(1 + len(term.values), len(paths.times))


def constant_costs(paths: Paths, system: FittedSystem) -> FloatArray:
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
