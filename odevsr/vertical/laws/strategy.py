"""What a strategy is: steps towards a law, and how one that was found is held to data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from odevsr.evidence.law import fit
from odevsr.language.algebra.normal import normal_form
from odevsr.language.expression import Expression
from odevsr.vertical.asking.question import Question

Step = Expression | None
"""The law that a step found; None if it found none, or one that the data refute."""
FindSteps = Callable[[Question], Iterator[Step]]
"""How the law of another quantity is found: the method itself, further down."""


class Strategy(Protocol):
    """A way from the forms of single variables to a law."""

    def steps(self, question: Question, find: FindSteps) -> Iterator[Step]:
        """Steps towards the law."""
        ...


def laws_among(steps: Iterable[Step]) -> Iterator[Expression]:
    """The laws that steps found."""
    return (law for law in steps if law is not None)


def explaining_law(question: Question, law: Expression) -> Step:
    """The law with its numbers fitted to uncontrolled data, if it explains them."""
    data = question.checks
    if not len(data):
        return None
    fitted = fit(normal_form(law), data)
    return fitted.expression if data.explained(fitted.deviation) else None
