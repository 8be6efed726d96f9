"""Strategies that lead from the forms of single variables to a law, the cheapest first.

Each says when it applies and what its steps are. A strategy is a value: what was begun once is not
begun again. Its steps end when it has nothing left to try.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

import numpy as np

from odevsr.arrays import BoolArray
from odevsr.evidence.simplify import explaining_sum
from odevsr.language.algebra.term import terms
from odevsr.language.expression import (
    CONSTANT,
    TRIGONOMETRIC,
    Apply,
    Constant,
    Expression,
    count,
    walk,
    with_constants,
)
from odevsr.limits import BEST, FEWEST, Limits
from odevsr.search.loop import Found
from odevsr.vertical.asking.design import Draw
from odevsr.vertical.asking.question import Question
from odevsr.vertical.asking.screening import interactions
from odevsr.vertical.asking.separate import Span, frozen, product_terms, span, with_phase
from odevsr.vertical.asking.story import WayToLaw
from odevsr.vertical.laws.frozen_form import FrozenForm, separating_form
from odevsr.vertical.laws.strategy import FindSteps, Outcome, Step, Strategy
from odevsr.vertical.laws.tangled import (
    FewerVariables,
    OuterFunctions,
    PairCoordinates,
    TransformedVariable,
)
from odevsr.vertical.simpler.pair_coordinates import SIGNS, Pair


def strategies(question: Question, found: Sequence[Found]) -> Iterator[Strategy]:
    """All strategies that apply to what the rounds have found, the cheapest first."""
    spans = _spans(question, found)
    tangled = [index for index in range(len(found)) if index not in spans]
    if not tangled:
        yield SumOfProducts(tuple(spans.values()))
    if len(found) == 1:  # its forms, with the constants of the one trial, are laws
        laws = [
            with_constants(each.expression, each.constants[0].tolist()) for each in found[0].forms
        ]
        yield from (FrozenForm((0,), each) for each in laws[:BEST])
    if question.is_brief:
        return
    if len(found) > 1:
        yield from _of_several(question, found, spans, tangled)
    elif tangled and question.uses_gradients:
        yield TransformedVariable()


def tangled_variables(question: Question, found: Sequence[Found]) -> list[int]:
    """Variables whose forms, if there are any, do not separate."""
    spans = _spans(question, found)
    return [index for index in range(len(found)) if index not in spans]


def _of_several(
    question: Question, found: Sequence[Found], spans: Mapping[int, Span], tangled: Sequence[int]
) -> Iterator[Strategy]:
    """Strategies where variables are tangled, or what separates did not do."""
    if tangled and not question.uses_gradients:
        yield FewerVariables(tuple(tangled))
    known = list(combinations([index for index in tangled if found[index].forms], 2))
    # Angles that tangle do so by their difference, so that their new coordinates come first.
    angles = [
        pair for pair in known if all(_is_angle(found[index], question.limits) for index in pair)
    ]
    yield from _in_new_coordinates(question, angles)
    forms = _frozen_forms(found, question.limits)
    phased = [replace(each, form=with_phase(each.form)) for each in forms]
    waves = [each for each in phased if each not in forms]
    # What separates alone is peeled.
    filled = [each for each in forms if each.free != tuple(spans)]
    # One constant is one search; several may be due to a function around all of the law.
    yield from (each for each in filled if count(each.form, Constant) == 1)
    if tangled and question.uses_gradients:
        yield OuterFunctions()
    yield from waves
    if tangled and spans and (peeled := separating_form(spans)) is not None:
        yield peeled
    yield from (each for each in filled if count(each.form, Constant) != 1)
    yield from _in_new_coordinates(question, [pair for pair in known if pair not in angles])


def described(strategy: Strategy) -> tuple[WayToLaw, tuple[int, ...], Expression | None]:
    """What a strategy is, for the record: which way, about which variables, filling which form."""
    match strategy:
        case FrozenForm(free, form, way):
            if count(form, Constant):
                return way, free, form
            return WayToLaw.ALONE, free, None
        case PairCoordinates(variables) | FewerVariables(variables):
            return WayToLaw.COORDINATES, variables, None
        case OuterFunctions() | TransformedVariable():
            return WayToLaw.OUTER, (), None
    return WayToLaw.TOGETHER, (), None


def _in_new_coordinates(question: Question, pairs: Sequence[Pair]) -> Iterator[Strategy]:
    """The sum or difference of a pair for one of it; coordinates change only once."""
    if not question.in_new_coordinates:
        for pair, op in product(pairs, SIGNS):
            yield PairCoordinates(pair, op)


@dataclass(frozen=True)
class SumOfProducts:
    """Every variable separates: the law is a sum of products of their functions."""

    spans: tuple[Span, ...]

    def steps(self, question: Question, find: FindSteps) -> Iterator[Step]:
        """One least squares, from which terms that the data do not need are dropped."""
        functions = product_terms(self.spans, self._interacting(question))
        if functions is None:
            return
        data = question.uncontrolled(states_for(len(functions), question.check_points))
        if len(data):
            yield explaining_sum(functions, data) or Outcome.REFUTED

    def _interacting(self, question: Question) -> BoolArray:
        """Which variables may meet in a product; all, where to know it would take more states."""
        everything = np.ones((len(self.spans), len(self.spans)), dtype=bool)
        functions = product_terms(self.spans, everything)
        is_cheap = functions is not None and len(functions) <= question.check_points
        if question.is_frugal and is_cheap:
            return everything
        rng = question.design.rng(Draw.INTERACTIONS)
        thorough = question.is_first and not question.is_frugal
        return interactions(question.quantity, rng, question.limits, thorough=thorough)


def states_for(terms: int, checks: int = 0) -> int:
    """Measurements that so many terms are chosen by: half as many again, and a few."""
    return terms + max(terms, checks) // 2 + FEWEST


def _spans(question: Question, found: Sequence[Found]) -> dict[int, Span]:
    """For each variable that separates, the span of its best form that does."""
    spans: dict[int, Span] = {}
    for index, each in enumerate(found):
        own = (span(form, question.limits) for form in each.forms[:BEST])
        first = next((functions for functions in own if functions is not None), None)
        if first is not None:
            spans[index] = first
    return spans


def _is_angle(found: Found, limits: Limits) -> bool:
    """Whether there is a wave of the variable whose rate is the same in all trials."""
    for node in walk(frozen(found.forms[0], limits, coefficients=True)):
        match node:
            case Apply(op, (argument,)) if op in TRIGONOMETRIC:
                moving = [each for each in terms(argument) if each != CONSTANT]
                if not any(count(each, Constant) for each in moving):
                    return True
    return False


def _frozen_forms(found: Sequence[Found], limits: Limits) -> list[FrozenForm]:
    """Forms of single variables with open summary constants, the simplest first."""
    options = [(form, index) for index, each in enumerate(found) for form in each.forms[:2]]
    options.sort(key=lambda option: (option[0].rank, option[1]))
    return [
        FrozenForm((index,), frozen(form, limits, coefficients=True)) for form, index in options
    ]
