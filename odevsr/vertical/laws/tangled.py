"""Tangled variables: made one, set apart, or untangled by coordinates and outer functions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from odevsr.language.expression import Expression, Op, Real, Variable, complexity
from odevsr.language.text import to_text
from odevsr.search.plain_sums import plain_sums
from odevsr.search.products import products
from odevsr.search.readings import short_fractions
from odevsr.vertical.asking.design import Draw
from odevsr.vertical.asking.rounds import Question
from odevsr.vertical.asking.story import function_of_it
from odevsr.vertical.laws.strategy import FindSteps, Step, checked
from odevsr.vertical.simpler.fewer import in_power, pair_as_one, with_fewer_variables
from odevsr.vertical.simpler.outer import Seen, promising
from odevsr.vertical.simpler.pair_coordinates import (
    InPairCoordinates,
    Pair,
    in_pair_coordinates,
)
from odevsr.vertical.simpler.reduced import Reduced

POWERS: tuple[Real, ...] = (-1, 2, Fraction(1, 2))
"""Powers of a variable in which its functions may be simpler."""


@dataclass(frozen=True)
class ActingAsOne:
    """Some of the tangled variables may act as one, or scale with one another."""

    tangled: tuple[int, ...]

    def steps(self, question: Question, find: FindSteps) -> Iterator[Step]:
        """Those of the quantity with fewer variables."""
        simpler = fewer_variables(question, self.tangled)
        if simpler is not None:
            yield from in_fewer(question, simpler, find)


@dataclass(frozen=True)
class ThroughOuter:
    """The quantity may be simpler as its reciprocal, square, logarithm, sine, ..."""

    def steps(self, question: Question, find: FindSteps) -> Iterator[Step]:
        """A brief search for each outer function that promises anything, all in one step."""
        for seen in promising(question.quantity, question.design.part(Draw.OUTER).rng(Draw.OUTER)):
            for law in filter(None, find(_through(question, seen))):
                yield checked(question, seen.written_out(law))


@dataclass(frozen=True)
class InAnotherGuise:
    """Of one variable, it may be simpler through an outer function, in a power of it, or both."""

    def steps(self, question: Question, find: FindSteps) -> Iterator[Step]:
        """After cheaper proposals, a brief search for each guise, all in one step.

        Ranks tell nothing here: first come those in which a sum, product or fraction can be read,
        the shortest first. Of the others, those that change one thing alone are worth a search.
        """
        yield None
        ranked = [(_length_read(each.question), each) for each in _guises(question)]
        ranked.sort(key=lambda pair: pair[0])
        for length, each in ranked:
            if each.is_single or length < math.inf:
                for law in filter(None, find(each.question)):
                    yield checked(question, each.written_out(law))


@dataclass(frozen=True, eq=False)
class _Guise:
    """A quantity in a power of its variable, or seen through an outer function, or both."""

    question: Question
    power: Reduced | None
    seen: Seen | None

    @property
    def is_single(self) -> bool:
        return self.power is None or self.seen is None

    def written_out(self, law: Expression) -> Expression:
        """A law in this guise as one of the quantity."""
        plain = law if self.seen is None else self.seen.written_out(law)
        return plain if self.power is None else self.power.written_out(plain)


def _guises(question: Question) -> Iterator[_Guise]:
    """All guises of a quantity of one variable, powers of it first where it is positive."""
    quantity, design = question.quantity, question.design
    powers = POWERS if quantity.box.low[0] > 0 else ()
    insides: list[tuple[Question, Reduced | None]] = [(replace(question, is_brief=True), None)]
    for number, power in enumerate(powers):
        simpler = in_power(quantity, power)
        inner = replace(_about(question, simpler), is_brief=True, design=design.part(number))
        insides.append((inner, simpler))
        yield _Guise(inner, simpler, None)
    for inner, power_of_it in insides:
        rng = inner.design.part(Draw.OUTER).rng(Draw.OUTER)
        for seen in promising(inner.quantity, rng):
            yield _Guise(_through(inner, seen), power_of_it, seen)


def _through(question: Question, seen: Seen) -> Question:
    """The question about the quantity as it is seen through an outer function."""
    return replace(
        question,
        quantity=seen,
        design=question.design.part(Draw.OUTER),
        is_brief=True,
        stands_for=(*question.stands_for, (question.label, function_of_it(seen.outer.name))),
    )


def _length_read(question: Question) -> float:
    """The complexity of what is read off a round over one variable; infinite if nothing is."""
    controlled = question.controlled([0])
    if controlled is None or "readings" not in question.attempt.proposers.settings.proposers:
        return math.inf
    read = (*plain_sums(controlled), *products(controlled), *short_fractions(controlled))
    return min(map(complexity, read), default=math.inf)


@dataclass(frozen=True)
class InNewCoordinates:
    """Two variables are tangled, but may come apart in their difference or sum and one of them."""

    pair: Pair
    op: Op

    def steps(self, question: Question, find: FindSteps) -> Iterator[Step]:
        """Those of the quantity in the new coordinates."""
        quantity = in_pair_coordinates(question.quantity, self.pair, self.op)
        design = question.design.part(Draw.PAIRS, *self.pair)
        x = quantity.names[self.pair[0]]
        inner = replace(
            question,
            quantity=quantity,
            design=design,
            in_new_coordinates=True,
            stands_for=(*question.stands_for, (x, to_text(quantity.written_out(Variable(x))))),
        )
        yield from written_out(question, inner, quantity, find)


def fewer_variables(question: Question, tangled: Sequence[int] = ()) -> Reduced | None:
    """The quantity with its symmetries made use of; noise leaves only guesses about pairs.

    Before any variable is known to be tangled, only those that act as one are looked for.
    """
    quantity, limits = question.quantity, question.limits
    rng = question.design.rng(Draw.SYMMETRIES)
    if question.attempt.agreement.is_noisy:
        return pair_as_one(quantity, list(combinations(tangled, 2)), rng, limits)
    if len(quantity.names) == 1:
        return None
    return with_fewer_variables(quantity, rng, limits, with_scalings=bool(tangled))


def in_fewer(question: Question, simpler: Reduced, find: FindSteps) -> Iterator[Step]:
    """Laws of the quantity with fewer variables, that hold for all values of those held."""
    inner = replace(_about(question, simpler), design=question.design.part(Draw.SYMMETRIES))
    yield from written_out(question, inner, simpler, find)


def _about(question: Question, simpler: Reduced) -> Question:
    """The question about the quantity in other coordinates."""
    stands_for = (*question.stands_for, *simpler.meanings(question.label))
    return replace(question, quantity=simpler, stands_for=stands_for)


def written_out(
    question: Question, inner: Question, quantity: InPairCoordinates | Reduced, find: FindSteps
) -> Iterator[Step]:
    """Laws of the inner question in the variables of the outer one, held to its data."""
    for law in find(inner):
        yield None if law is None else checked(question, quantity.written_out(law))
