"""Tangled variables: made one, set apart, or untangled by coordinates and outer functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from odevsr.language.expression import Variable
from odevsr.language.text import to_text
from odevsr.vertical.coordinates import Changed, Pair, Relation, changed
from odevsr.vertical.design import Draw
from odevsr.vertical.outer import promising
from odevsr.vertical.reduced import Reduced, guessed, reduced
from odevsr.vertical.rounds import Question
from odevsr.vertical.step import Step, is_law
from odevsr.vertical.strategy import Solve, held


@dataclass(frozen=True)
class ActingAsOne:
    """Some of the tangled variables may act as one, or scale with one another."""

    tangled: tuple[int, ...]

    def steps(self, question: Question, solve: Solve) -> Iterator[Step]:
        """Those of the quantity with fewer variables."""
        simpler = fewer_variables(question, self.tangled)
        if simpler is not None:
            yield from in_fewer(question, simpler, solve)


@dataclass(frozen=True)
class ThroughOuter:
    """The quantity may be simpler as its reciprocal, square, logarithm, sine, ..."""

    def steps(self, question: Question, solve: Solve) -> Iterator[Step]:
        """A brief search for each outer function that promises anything, all in one step."""
        quantity, design = question.quantity, question.design.part(Draw.OUTER)
        for seen in promising(quantity, design.rng(Draw.OUTER)):
            inner = replace(
                question,
                quantity=seen,
                design=design,
                is_brief=True,
                stands_for=(*question.stands_for, (question.label, f"its {seen.outer.name}")),
            )
            for law in filter(is_law, solve(inner)):
                yield held(question, seen.written_out(law))


@dataclass(frozen=True)
class InNewCoordinates:
    """Two variables are tangled, but may come apart in their difference or sum and one of them."""

    pair: Pair
    relation: Relation

    def steps(self, question: Question, solve: Solve) -> Iterator[Step]:
        """Those of the quantity in the new coordinates."""
        quantity = changed(question.quantity, self.pair, self.relation)
        design = question.design.part(Draw.PAIRS, *self.pair)
        x = quantity.names[self.pair[0]]
        inner = replace(
            question,
            quantity=quantity,
            design=design,
            in_new_coordinates=True,
            stands_for=(*question.stands_for, (x, to_text(quantity.written_out(Variable(x))))),
        )
        yield from written_out(question, inner, quantity, solve)


def fewer_variables(question: Question, tangled: Sequence[int] = ()) -> Reduced | None:
    """The quantity with its symmetries made use of; noise leaves only guesses about pairs.

    Before any variable is known to be tangled, only those that act as one are looked for.
    """
    quantity, limits = question.quantity, question.limits
    rng = question.design.rng(Draw.SYMMETRIES)
    if question.attempt.agreement.is_noisy:
        return guessed(quantity, list(combinations(tangled, 2)), rng, limits)
    if len(quantity.names) == 1:
        return None
    return reduced(quantity, rng, limits, with_scalings=bool(tangled))


def in_fewer(question: Question, simpler: Reduced, solve: Solve) -> Iterator[Step]:
    """Laws of the quantity with fewer variables, that hold for all values of those held."""
    inner = replace(
        question,
        quantity=simpler,
        design=question.design.part(Draw.SYMMETRIES),
        stands_for=(*question.stands_for, *simpler.meanings(question.label)),
    )
    yield from written_out(question, inner, simpler, solve)


def written_out(
    question: Question, inner: Question, quantity: Changed | Reduced, solve: Solve
) -> Iterator[Step]:
    """Laws of the inner question in the variables of the outer one, held to its data."""
    for step in solve(inner):
        yield held(question, quantity.written_out(step)) if is_law(step) else step
