"""Terms that a law lacks, or has in place of others: low monomials that explain what it leaves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.evidence.agreement import deviation
from odevsr.evidence.data import Data
from odevsr.evidence.law import Law, Residual, inexact, with_labels
from odevsr.language.algebra.monomials import few_monomials, monomials
from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.term import (
    added,
    factors_of,
    multiplied,
    split_coefficient,
    split_power,
    terms,
)
from odevsr.language.expression import ONE, ZERO, Apply, Expression, Op, Real, Variable, variables
from odevsr.limits import DEGREE, SURELY, VAGUE
from odevsr.world.sample import ROUNDING

LOW_DEGREE = 3
"""Highest degree of the terms that may be missed."""
FALLING = 4.0
"""How many times weaker the next term of a series may be than its first two let expect; of sines it
is 3.3."""


def determined_monomials(names: Sequence[str], degree: int, data: Data) -> list[Expression]:
    """The monomials up to the highest degree, no higher than this, that data determine well."""
    return few_monomials(names, degree, len(data) // 3)


def most_missed(law: Law, data: Data) -> tuple[Expression, float]:
    """The term that the law lacks most: a low monomial, or one that would continue a series.

    And by how many errors its coefficient differs from zero beside the law.
    """
    own = tangents(law.expression, data)
    following = [split_coefficient(each.following)[1] for each in all_series(law.expression)]
    candidates = [*determined_monomials(data.names, LOW_DEGREE, data), *following]
    significance = significance_beside(
        own, data.columns(candidates), -data.residuals(law.expression)
    )
    best = int(np.argmax(significance))
    return candidates[best], float(significance[best])


def look_alike(law: Law, data: Data) -> tuple[Expression, Expression] | None:
    """A power or product in the law, and another that would explain the data nearly as well.

    It would if the sum of squares, in units of the errors, grew by less than what makes sure.
    """
    summands = terms(normal_form(law.expression))
    functions = [split_coefficient(term)[1] for term in summands]
    low = determined_monomials(data.names, DEGREE, data)
    others = [each for each in low if each not in functions]
    for place, function in enumerate(functions):
        if function in low and others:
            rest = normal_form(added([ZERO, *summands[:place], *summands[place + 1 :]]))
            own = [*functions[:place], *functions[place + 1 :]]
            beside_it = np.column_stack([data.columns(own), tangents(rest, data)])
            columns = data.columns([function, *others])
            explained = significance_beside(beside_it, columns, data.residuals(rest)) ** 2
            best = int(np.argmax(explained[1:]))
            if explained[0] - explained[1 + best] < data.agreement.limits.sure**2:
                return function, others[best]
    return None


def series_begun(law: Law, data: Data) -> Series | None:
    """Two terms of the law that may begin a series, for the next one of it would not be seen.

    One that is rounding beside the law need not be seen, where the second itself is seen well.
    """
    functions = [split_coefficient(term)[1] for term in terms(normal_form(law.expression))]
    own = np.column_stack([data.columns(functions), tangents(law.expression, data)])
    basis, _ = np.linalg.qr(own)
    rounding = ROUNDING * np.linalg.norm(data.columns([law.expression]))
    for series in all_series(law.expression):
        second, following = (data.columns([each]) for each in (series.second, series.following))
        is_seen = _seen(_beyond(basis, following), data) >= FALLING
        is_seen_well = VAGUE * _seen(second, data) >= 1
        if not is_seen and not (is_seen_well and np.linalg.norm(following) <= rounding):
            return series
    return None


def vague_term(law: Law, data: Data) -> Expression | None:
    """A term of the law whose function might as well be another.

    Any smooth one begins as a parabola; which one it is shows in what it is beyond that. Each odd
    number beside it lets another follow it more closely.
    """
    summands = terms(normal_form(law.expression))
    for term in summands:
        alike = [each for each in summands if variables(each) <= variables(term)]
        odd = min(max(len(inexact(added(alike))), 1), data.agreement.limits.few)
        for function in _functions(term):
            plain = [each for each in summands if not _of(function, _functions(each))]
            whole = multiplied([ONE, *_of(function, _functions(term))])
            basis, _ = np.linalg.qr(data.columns([*plain, *_parabolas(term, whole)]))
            beyond = _beyond(basis, data.columns([term]))
            if _seen(beyond, data) < SURELY**odd:
                return term
    return None


def _functions(term: Expression) -> list[Expression]:
    """The factors of a term that are no polynomials."""
    return [each for each in factors_of(term) if variables(each) and not _is_polynomial(each)]


def _is_polynomial(factor: Expression) -> bool:
    base, exponent = split_power(factor)
    if exponent < 0 or exponent != int(exponent):
        return False
    return isinstance(base, Variable) or (
        len(terms(base)) > 1 and not any(map(_functions, terms(base)))
    )


def _of(function: Expression, others: list[Expression]) -> list[Expression]:
    """Those of the others that are of a variable of the function."""
    return [each for each in others if variables(each) & variables(function)]


def _parabolas(term: Expression, factor: Expression) -> list[Expression]:
    """The term with products of the factor's variables, up to squares, in place of the factor."""
    return [
        normal_form(Apply(Op.DIV, (multiplied([term, each]), factor)))
        for each in monomials(sorted(variables(factor)), 2)
    ]


def _seen(column: FloatArray, data: Data) -> float:
    """How many times larger a column (N, 1), in units of the errors, is than what is just seen.

    Noise averages out over many states, so that all of it counts; errors of any other kind do not,
    so that it is seen where a law that lacks it would not be said to explain the data.
    """
    limits = data.agreement.limits
    if data.agreement.is_noisy:
        return float(np.linalg.norm(column)) / limits.sure
    return float(deviation(column[:, 0])) / limits.estimated


@dataclass(frozen=True)
class Series:
    """Two terms that may be the first of many, each as much weaker as the second of them is."""

    first: Expression
    second: Expression

    @property
    def following(self) -> Expression:
        """The next one of a geometric series."""
        return normal_form(Apply(Op.DIV, (multiplied([self.second, self.second]), self.first)))


def all_series(law: Expression) -> Iterator[Series]:
    """Terms that have the two highest powers of a variable, and else are the same."""
    summands = terms(normal_form(law))
    for name in sorted(variables(law)):
        powers: defaultdict[frozenset[tuple[Expression, Real]], list[tuple[Real, Expression]]]
        powers = defaultdict(list)
        for term in summands:
            factors = dict(map(split_power, factors_of(split_coefficient(term)[1]))) | {ONE: 1}
            exponent = factors.pop(Variable(name), 0)
            powers[frozenset(factors.items())].append((exponent, term))
        for same in powers.values():
            (low, first), (high, second) = sorted([(-1, ONE), *same], key=itemgetter(0))[-2:]
            if 0 <= low < high:
                yield Series(first, second)


def significance_beside(own: FloatArray, others: FloatArray, left: FloatArray) -> FloatArray:
    """Significance of each column of `others` (N, m) in what is left (N,), beside one's own."""
    basis, _ = np.linalg.qr(own)
    missing, rest = (_beyond(basis, each) for each in (left[:, None], others))
    norms = np.linalg.norm(rest, axis=0)
    usable = norms > VAGUE * np.linalg.norm(others, axis=0)
    significance: FloatArray = np.abs(rest.T @ missing)[:, 0] / np.where(usable, norms, np.inf)
    return significance


def _beyond(basis: FloatArray, columns: FloatArray) -> FloatArray:
    """What of the columns no sum of the basis is."""
    left: FloatArray = columns - basis @ (basis.T @ columns)
    return left


def tangents(law: Expression, data: Data) -> FloatArray:
    """What small changes of the law's inexact numbers do (N, numbers), in units of the errors."""
    numbers = inexact(law)
    if not numbers:
        return np.empty((len(data), 0))
    return Residual(*with_labels(law, numbers), data).slopes(np.array(numbers))
