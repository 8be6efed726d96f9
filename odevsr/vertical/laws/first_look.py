"""The first look: a law that others guessed, or a short sum of products, needs no rounds.

A few states anywhere tell it.
"""

from __future__ import annotations

from collections.abc import Sequence

from odevsr.evidence.imitation import most_functions
from odevsr.evidence.law import fit, inexact
from odevsr.evidence.simplify import explaining_sum
from odevsr.language.algebra.monomials import monomials
from odevsr.language.algebra.term import factors_of, split_power
from odevsr.language.expression import Expression, variables
from odevsr.limits import DEGREE
from odevsr.vertical.asking.question import Question
from odevsr.vertical.asking.story import WayToLaw
from odevsr.vertical.laws.strategies import states_for


def first_look(question: Question) -> Expression | None:
    """The polynomial of lowest degree that explains the quantity, if few states tell it.

    It is read off the data, if anybody reads.
    """
    names = question.quantity.names
    if "readings" not in question.settings.proposers:
        return None
    for degree in range(1, DEGREE + 1):
        functions = [
            each
            for each in monomials(names, degree)
            if max(split_power(factor)[1] for factor in factors_of(each)) <= question.limits.few
        ]
        wanted = states_for(len(functions))
        if wanted > question.states_of_rounds / 2:
            break
        law = explaining_sum(functions, question.uncontrolled(wanted))
        if law is not None:
            if most_functions(law) >= question.limits.few:  # rounds tell what series it begins
                break
            question.conclude(law, WayToLaw.FIRST_LOOK)
            return law
    return None


def explaining_guess(question: Question, guesses: Sequence[Expression]) -> Expression | None:
    """The first of some laws that explains a few states anywhere, its numbers fitted to them."""
    possible = [each for each in guesses if variables(each) <= set(question.quantity.names)]
    if not possible:
        return None
    data = question.uncontrolled(states_for(max(len(inexact(each)) for each in possible)))
    for each in possible if len(data) else ():
        law = fit(each, data)
        if data.explained(law.deviation):
            question.conclude(law.expression, WayToLaw.RECORDINGS)
            return law.expression
    return None
