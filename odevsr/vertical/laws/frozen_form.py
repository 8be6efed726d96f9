"""Forms of some variables, whose open constants are laws of their own in the others."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from odevsr.language.algebra.normal import open_sum
from odevsr.language.expression import Constant, Expression, count, rebuild, variables
from odevsr.limits import READABLE
from odevsr.search.tiers import READINGS
from odevsr.vertical.asking.design import Draw
from odevsr.vertical.asking.quantity import FormExperiment
from odevsr.vertical.asking.question import Question
from odevsr.vertical.asking.separate import Span, product_terms
from odevsr.vertical.asking.story import WayToLaw, numbered
from odevsr.vertical.laws.strategy import (
    FindSteps,
    Outcome,
    Step,
    explaining_law,
    first_law,
    is_law,
)


@dataclass(frozen=True)
class FrozenForm:
    """A form of some variables whose open constants are functions of the others."""

    free: tuple[int, ...]
    form: Expression
    way: WayToLaw = WayToLaw.FILLED

    def steps(self, question: Question, find: FindSteps) -> Iterator[Step]:
        """Find every constant as a quantity of its own, and hold the whole to data."""
        experiment = FormExperiment(
            question.quantity,
            self.free,
            self.form,
            question.attempt.agreement,
            question.design,
        )
        laws = yield from _laws_of_constants(question, experiment, find)
        if len(laws) == count(self.form, Constant):
            yield explaining_law(question, rebuild(self.form, iter(laws), Constant))


def separating_form(spans: Mapping[int, Span]) -> FrozenForm | None:
    """The sum of all products of the functions of variables that separate.

    The coefficients are functions of the other variables; None if there are too many of them.
    """
    everything = np.ones((len(spans), len(spans)), dtype=bool)
    functions = product_terms(list(spans.values()), everything)
    if functions is None or len(functions) > READABLE:
        return None
    return FrozenForm(tuple(spans), open_sum(functions), WayToLaw.PEELED)


def _laws_of_constants(
    question: Question, experiment: FormExperiment, find: FindSteps
) -> Generator[Step, None, list[Expression]]:
    """Steps towards the laws of all constants of the form, and these, as far as there are any.

    Each constant gets the steps of reading, and again when others have been found that it may be
    built of; after that, one after the other gets all it takes. All are asked about the same
    states, so that one fit serves them all.
    """
    constants = range(count(experiment.expression, Constant))
    found: dict[int, Expression] = {}
    under_way: dict[int, Iterator[Step]] = {}
    has_news = True
    while has_news and len(found) < len(constants):
        has_news = False
        for index in (each for each in constants if each not in found):
            under_way[index] = find(_within(question, experiment, index, found))
            law = first_law(islice(under_way[index], len(READINGS)))
            if law is not None:
                found[index] = law
                has_news |= bool(variables(law))
    for index in (each for each in constants if each not in found):
        for step in under_way[index]:
            yield Outcome.SPENT
            if is_law(step):
                found[index] = step
                break
        else:
            return []
    return [found[index] for index in constants]


def _within(
    question: Question, experiment: FormExperiment, index: int, found: dict[int, Expression]
) -> Question:
    """The question about one constant of a form."""
    called = question.constants_of(experiment.expression)
    key = (Draw.CONSTANTS, *experiment.free, count(experiment.expression, Constant))
    return replace(
        question,
        quantity=experiment.summary(index),
        attempt=question.attempt.knowing(found.values()),
        design=question.design.part(*key),
        label=f"{question.label}.{index}",
        depth=question.depth + 1,
        within=numbered(experiment.expression, called),
        called=called[index],
    )
