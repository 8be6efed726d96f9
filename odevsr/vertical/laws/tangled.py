"""Tangled variables: made one, set apart, or untangled by coordinates and outer functions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Protocol

from odevsr.language.expression import Expression, Op, Real, complexity
from odevsr.search.plain_sums import plain_sums
from odevsr.search.products import products
from odevsr.search.readings import short_fractions
from odevsr.vertical.asking.design import Draw
from odevsr.vertical.asking.quantity import Quantity
from odevsr.vertical.asking.question import Question
from odevsr.vertical.laws.strategy import FindSteps, Outcome, Step, explaining_law, is_law
from odevsr.vertical.simpler.fewer import in_power, pair_as_one, with_fewer_variables
from odevsr.vertical.simpler.outer import promising_views
from odevsr.vertical.simpler.pair_coordinates import Pair, in_pair_coordinates
from odevsr.vertical.simpler.reduced import Reduced

POWERS: tuple[Real, ...] = (-1, 2, Fraction(1, 2))
"""Powers of a variable in which its functions may be simpler."""


class View(Quantity, Protocol):
    """A quantity made of another, in other coordinates or through an outer function."""

    def written_out(self, law: Expression) -> Expression:
        """A law of it as one of the other quantity."""
        ...

    def meanings(self, label: str) -> list[tuple[str, str]]:
        """What stands for what in it, if `label` is what the other quantity is called."""
        ...


def _about(question: Question, view: View, *which: int) -> Question:
    """The question about another view of the quantity; `which` is what tells it from others."""
    return replace(
        question,
        quantity=view,
        design=question.design.part(*which),
        stands_for=(*question.stands_for, *view.meanings(question.label)),
    )


def _steps(question: Question, inner: Question, view: View, find: FindSteps) -> Iterator[Step]:
    """Laws of the inner question in the variables of the outer one, held to its data."""
    for step in find(inner):
        yield explaining_law(question, view.written_out(step)) if is_law(step) else step


@dataclass(frozen=True)
class FewerVariables:
    """Some of the tangled variables may act as one, or scale with one another."""

    tangled: tuple[int, ...]

    def steps(self, question: Question, find: FindSteps) -> Iterator[Step]:
        """Those of the quantity with fewer variables."""
        simpler = fewer_variables(question, self.tangled)
        if simpler is not None:
            yield from in_fewer(question, simpler, find)


@dataclass(frozen=True)
class PairCoordinates:
    """Two variables are tangled, but may come apart in their difference or sum and one of them."""

    pair: Pair
    op: Op

    def steps(self, question: Question, find: FindSteps) -> Iterator[Step]:
        """Those of the quantity in the new coordinates."""
        view = in_pair_coordinates(question.quantity, self.pair, self.op)
        inner = _about(question, view, Draw.PAIRS, *self.pair)
        yield from _steps(question, replace(inner, in_new_coordinates=True), view, find)


@dataclass(frozen=True)
class OuterFunctions:
    """The quantity may be simpler as its reciprocal, square, logarithm, sine, ..."""

    def steps(self, question: Question, find: FindSteps) -> Iterator[Step]:
        """A brief search for each outer function that promises anything, all in one step."""
        for each in _Transform(question).through_outer_functions():
            yield from each.steps(question, find)


@dataclass(frozen=True)
class TransformedVariable:
    """Of one variable, it may be simpler through an outer function, in a power of it, or both."""

    def steps(self, question: Question, find: FindSteps) -> Iterator[Step]:
        """After cheaper proposals, a brief search for each transform, all in one step.

        Ranks tell nothing here: first come those in which a sum, product or fraction can be read,
        the shortest first. Of the others, those that change one thing alone are worth a search.
        """
        yield Outcome.SPENT
        ranked = [(_length_read(each.question), each) for each in _transforms(question)]
        ranked.sort(key=lambda pair: pair[0])
        for length, each in ranked:
            if len(each.views) == 1 or length < math.inf:
                yield from each.steps(question, find)


@dataclass(frozen=True, eq=False)
class _Transform:
    """A question about a view of a quantity, which may be a view of another view, and so on."""

    question: Question
    views: tuple[View, ...] = ()

    def seen(self, view: View, which: int) -> _Transform:
        """A further view, of which only what is found at once is worth it."""
        inner = replace(_about(self.question, view, which), is_brief=True)
        return _Transform(inner, (*self.views, view))

    def through_outer_functions(self) -> Iterator[_Transform]:
        """Further views, through outer functions that promise to make it simpler."""
        rng = self.question.design.part(Draw.OUTER).rng(Draw.OUTER)
        for view in promising_views(self.question.quantity, rng):
            yield self.seen(view, Draw.OUTER)

    def steps(self, whole: Question, find: FindSteps) -> Iterator[Step]:
        """Laws of the last view as laws of the whole quantity, held to its data."""
        for law in filter(is_law, find(self.question)):
            for view in reversed(self.views):
                law = view.written_out(law)
            yield explaining_law(whole, law)


def _transforms(question: Question) -> Iterator[_Transform]:
    """All transforms of a quantity of one variable, powers of it first where it is positive."""
    plain = _Transform(question)
    powers = POWERS if question.quantity.box.low[0] > 0 else ()
    in_powers = [
        plain.seen(in_power(question.quantity, power), number)
        for number, power in enumerate(powers)
    ]
    yield from in_powers
    for each in (plain, *in_powers):
        yield from each.through_outer_functions()


def _length_read(question: Question) -> float:
    """The complexity of what is read off a round over one variable; infinite if nothing is."""
    controlled = question.controlled([0])
    if controlled is None or "readings" not in question.settings.proposers:
        return math.inf
    read = (*plain_sums(controlled), *products(controlled), *short_fractions(controlled))
    return min(map(complexity, read), default=math.inf)


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
    yield from _steps(question, _about(question, simpler, Draw.SYMMETRIES), simpler, find)
