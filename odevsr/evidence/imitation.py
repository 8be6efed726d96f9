"""Laws that may be others, as their own numbers tell: undetermined, balanced, or able to be any."""

from __future__ import annotations

from collections import defaultdict

from odevsr.evidence.law import Law, inexact
from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.term import added, factors_of, multiplied, split_power, terms
from odevsr.language.expression import ONE, Apply, Expression, Op, variables, walk
from odevsr.limits import HOPELESS, Limits


def is_determined(law: Law) -> bool:
    """True if no number of the law might as well be another one altogether."""
    return all(each.error <= abs(each.value) for each in law.odd_numbers)


def is_balanced(law: Law) -> bool:
    """True if a number is uncertain only because others can stand for it."""
    return any(each.error > HOPELESS * each.error_alone for each in law.odd_numbers)


def may_imitate(law: Law, limits: Limits) -> bool:
    """True for a law of many functions of one variable, and as many numbers that are not simple.

    With so many, polynomials and fractions follow any smooth function in a range, but not in
    simple numbers. Numbers are those of the law as it is written, functions those of its terms.
    """
    most = limits.many
    return len(law.odd_numbers) >= most and most_functions(law.expression) >= most


def may_be_one_function(law: Expression, limits: Limits) -> bool:
    """True if several functions of one variable, not all of them powers, have few odd numbers.

    Within errors they follow one function of another kind, and its tangent, as well.
    """
    summands = terms(normal_form(law))
    for name in variables(law):
        own = [term for term in summands if variables(term) == {name}]
        bases = [split_power(each)[0] for term in own for each in factors_of(term)]
        are_mixed = len(own) > 1 and any(isinstance(each, Apply) for each in bases)
        if are_mixed and not any(map(_has_kink, own)) and len(inexact(added(own))) >= limits.few:
            return True
    return False


def most_functions(law: Expression) -> int:
    """How many functions of one and the same variable the terms of a law are made of, at most.

    Those with a kink do not count: only a law with that very kink can be followed by them.
    """
    functions: defaultdict[str, set[Expression]] = defaultdict(set)
    for term in terms(normal_form(law)):
        for name in variables(term):
            own = [each for each in factors_of(term) if variables(each) == {name}]
            if not any(map(_has_kink, own)):
                functions[name].add(multiplied([ONE, ONE, *own]))
    return max(map(len, functions.values()), default=0)


def _has_kink(function: Expression) -> bool:
    return any(isinstance(node, Apply) and node.op is Op.ABS for node in walk(function))
