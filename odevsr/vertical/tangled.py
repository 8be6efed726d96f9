"""Tangled variables: made one, set apart, or untangled by coordinates and outer functions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from odevsr.language.expression import Real, Variable, complexity
from odevsr.language.text import to_text
from odevsr.search.plain_sums import plain_sums
from odevsr.search.products import products
from odevsr.vertical.coordinates import Changed, Pair, Relation, changed
from odevsr.vertical.design import Draw
from odevsr.vertical.outer import Seen, promising
from odevsr.vertical.reduced import Reduced, guessed, in_power, reduced
from odevsr.vertical.rounds import Question
from odevsr.vertical.step import Outcome, Step, is_law
from odevsr.vertical.strategy import Solve, held

POWERS: tuple[Real, ...] = (-1, 2, Fraction(1, 2))
"""Powers of a variable in which its functions may be simpler."""


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
        """A brief search for each outer function that promises anything, all in one step.

        Of one variable ranks tell nothing: cheaper proposals come first, and then those outer
        functions through which a sum or product can be read, the shortest first.
        """
        seen = promising(question.quantity, question.design.part(Draw.OUTER).rng(Draw.OUTER))
        if len(question.quantity.names) == 1:
            yield Outcome.SPENT
            seen.sort(key=lambda each: _length_read(_through(question, each)))
        for each in seen:
            for law in filter(is_law, solve(_through(question, each))):
                yield held(question, each.written_out(law))


def _through(question: Question, seen: Seen) -> Question:
    """The question about the quantity as it is seen through an outer function."""
    return replace(
        question,
        quantity=seen,
        design=question.design.part(Draw.OUTER),
        is_brief=True,
        stands_for=(*question.stands_for, (question.label, f"its {seen.outer.name}")),
    )


def _length_read(question: Question) -> float:
    """The complexity of what is read off a round over one variable; infinite if nothing is."""
    controlled = question.controlled([0])
    if controlled is None or "readings" not in question.attempt.proposers.settings.proposers:
        return math.inf
    return min(map(complexity, (*plain_sums(controlled), *products(controlled))), default=math.inf)


@dataclass(frozen=True)
class InPowers:
    """A quantity of one positive variable may be simpler in its reciprocal, square or root."""

    def steps(self, question: Question, solve: Solve) -> Iterator[Step]:
        """A brief search for each power, all in one step, after cheaper proposals."""
        yield Outcome.SPENT
        for number, power in enumerate(POWERS):
            simpler = in_power(question.quantity, power)
            brief = replace(question, is_brief=True, design=question.design.part(number))
            yield from filter(is_law, in_fewer(brief, simpler, solve))


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
