"""What a strategy is: steps towards a law, and how one that was found is held to data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import Protocol, TypeGuard

from odevsr.evidence.law import fit
from odevsr.language.algebra.normal import normal_form
from odevsr.language.expression import Expression
from odevsr.vertical.asking.question import Question


class Outcome(Enum):
    """What a step came to that found no law."""

    SPENT = "more has to be spent"
    REFUTED = "a law was found, and the data refute it"


Step = Expression | Outcome
FindSteps = Callable[[Question], Iterator[Step]]
"""How the law of another quantity is found: the method itself, further down."""


class Strategy(Protocol):
    """A way from the forms of single variables to a law."""

    def steps(self, question: Question, find: FindSteps) -> Iterator[Step]:
        """Steps towards the law."""
        ...


def is_law(step: Step) -> TypeGuard[Expression]:
    """True if the step found a law."""
    return not isinstance(step, Outcome)


def first_law(steps: Iterable[Step]) -> Expression | None:
    """The first law that steps find, if they find any."""
    return next(filter(is_law, steps), None)


def explaining_law(question: Question, law: Expression) -> Step:
    """The law with its numbers fitted to uncontrolled data, if it explains them."""
    data = question.checks
    if not len(data):
        return Outcome.REFUTED
    fitted = fit(normal_form(law), data)
    return fitted.expression if data.explained(fitted.deviation) else Outcome.REFUTED
