"""The first look: a short sum of products needs no rounds, a few states anywhere tell it."""

from __future__ import annotations

from odevsr.evidence.simplify import fit_terms
from odevsr.language.expression import Expression
from odevsr.language.monomials import monomials
from odevsr.vertical.rounds import Question
from odevsr.vertical.strategies import enough

HIGHEST_DEGREE = 5
WORTH = 0.5
"""Share of what rounds would take that the look may take."""


def first_look(question: Question) -> Expression | None:
    """The polynomial of lowest degree that explains the quantity, if few states tell it."""
    names, agreement = question.quantity.names, question.attempt.agreement
    affordable = WORTH * len(names) * question.trials * question.points
    for degree in range(1, HIGHEST_DEGREE + 1):
        functions = monomials(names, degree)
        wanted = enough(len(functions))
        if wanted > affordable:
            break
        sample = question.uncontrolled(wanted)
        law, deviation = fit_terms(functions, names, sample, agreement)
        if sample.values.size and agreement.explains(deviation, len(sample.values)):
            question.conclude("together", law)
            return law
    return None
