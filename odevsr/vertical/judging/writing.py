"""A law as a person would write it: candidates from algebra, among which the data choose."""

from __future__ import annotations

import numpy as np

from odevsr.evidence.data import Data
from odevsr.evidence.exact import with_exact_numbers
from odevsr.evidence.law import Law, fit
from odevsr.evidence.straight import with_constant_parts
from odevsr.language.algebra.expand import expanded
from odevsr.language.algebra.fold import folded
from odevsr.language.algebra.normal import is_invalid, normal_form
from odevsr.language.expression import ZERO, Expression, Number, rebuild, walk
from odevsr.language.size import length
from odevsr.language.tidying.angles import contracted, with_phases
from odevsr.language.tidying.roots import under_roots
from odevsr.language.tidying.tidy import tidy
from odevsr.language.tidying.writings import TOLERANCE, writings
from odevsr.limits import FINEST, HOPELESS, LIKELY, SAME


def shortest_writing(law: Law, data: Data) -> Law:
    """The law with exact values where errors allow, in the shortest writing that the data allow."""
    exact = [with_exact_numbers(each, data) for each in _candidates(law, data)]
    found = _with_brackets(_tidied(min(exact, key=_length), data), data)
    # Identities may have made of the factors of a root what cancels under it.
    rooted = tidy(under_roots(found.expression))
    if length(rooted) >= length(found.expression):
        return found
    shorter = fit(rooted, data)
    if not data.agreement.no_worse(shorter.deviation, found.deviation):
        return found
    return shortest_writing(shorter, data)


def _candidates(law: Law, data: Data) -> list[Law]:
    """The law as found, as a sum of terms, with waves of sums, with factors under roots."""
    found = [law]
    whole = expanded(law.expression)
    clean = [
        each
        for dust in (SAME, FINEST)
        if not is_invalid(each := _without_rounding_dust(whole, dust))
    ] or [whole]
    angles = contracted(clean[-1])
    roots = with_constant_parts(under_roots(law.expression), data)
    for each in (*clean, angles, with_phases(angles), roots):
        candidate = tidy(each)
        if is_invalid(candidate):
            continue
        if candidate not in {normal_form(each.expression) for each in found}:
            fitted = fit(candidate, data)
            if data.agreement.no_worse(fitted.deviation, law.deviation):
                found.append(fitted)
    return found


def _without_rounding_dust(expression: Expression, dust: float) -> Expression:
    """The expression with zero for numbers that rounding may have left of it."""
    numbers = [node for node in walk(expression) if isinstance(node, Number)]
    kept = [ZERO if abs(float(number.value)) < dust else number for number in numbers]
    return normal_form(rebuild(expression, iter(kept), Number))


def _length(law: Law) -> tuple[int, int]:
    """How many numbers of a law are inexact, and how long it is."""
    return len(law.odd_numbers), length(law.expression)


def _tidied(law: Law, data: Data) -> Law:
    """The law in the order and with the signs that people use, if the data agree with that."""
    expression = tidy(law.expression)
    deviation = data.deviation(expression)
    if not data.agreement.no_worse(deviation, law.deviation):
        return law
    return Law(expression, law.constants, deviation)


def _with_brackets(law: Law, data: Data) -> Law:
    """The shortest of its writings with brackets and fractions that the data allow.

    Numbers that are the same within their errors are taken for one, and for what they are.
    """
    found = [law]
    loose = max(TOLERANCE, LIKELY * float(np.median(_uncertainties(law) or 0)))
    shorter = (each for size in (loose, TOLERANCE) for each in writings(law.expression, size))
    for candidate in dict.fromkeys(shorter):
        fitted = fit(candidate, data)
        if not _is_as_good(fitted, law, data):
            continue
        found.append(with_exact_numbers(fitted, data, folded))
        if not fitted.constants:
            break
    return min(found, key=_length)


def _uncertainties(law: Law) -> list[float]:
    """The errors of numbers that are not exact, relative to them."""
    return [abs(each.error / each.value) for each in law.odd_numbers if each.value]


def _is_as_good(short: Law, law: Law, data: Data) -> bool:
    """True if the data do not mind the shorter writing, which may hold fewer numbers.

    One in which numbers stand for one another, as before a bracket and in it, is none.
    """
    agreement = data.agreement
    known = max([SAME, *(HOPELESS * each for each in _uncertainties(law))])
    is_known = all(each <= known for each in _uncertainties(short))
    if not (is_known and agreement.no_worse(short.deviation, law.deviation)):
        return False
    if not agreement.is_noisy:
        return True
    after, before = (float(np.sum(data.residuals(each.expression) ** 2)) for each in (short, law))
    fewer = max(len(law.constants) - len(short.constants), 1)
    return after - before <= LIKELY**2 * fewer * max(1.0, before / len(data))
