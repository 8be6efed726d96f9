"""The vertical method: a law for a quantity, one variable at a time.

Each variable is freed alone in a round of controlled experiments, and a form is sought that
explains all trials with constants of their own. From the forms of the single variables, strategies
lead on to a law; some of them ask the same of quantities with fewer variables, and so on down.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from odevsr.language.expression import Expression, Number
from odevsr.limits import Limits
from odevsr.search.loop import Found
from odevsr.search.tiers import READINGS
from odevsr.vertical.asking.common import Common
from odevsr.vertical.asking.design import Draw
from odevsr.vertical.asking.quantity import Held, Quantity, Remembered
from odevsr.vertical.asking.question import Question
from odevsr.vertical.asking.rounds import search_tier
from odevsr.vertical.asking.screening import effects, effects_along_lines
from odevsr.vertical.asking.separate import classify, number_of
from odevsr.vertical.asking.states import uniform_states
from odevsr.vertical.asking.story import Screening, WayToLaw
from odevsr.vertical.laws.strategies import described, strategies, tangled_variables
from odevsr.vertical.laws.strategy import Outcome, Step, Strategy, first_law, is_law
from odevsr.vertical.laws.tangled import fewer_variables, in_fewer
from odevsr.vertical.simpler.reduced import Reduced


def solve(question: Question) -> Expression | None:
    """An expression with numbers for constants that explains the quantity, or None."""
    return first_law(steps_to_law(question))


def steps_to_law(question: Question) -> Iterator[Step]:
    """Laws, the likeliest first, and a step for every tier of proposers that found none."""
    question.attempt.check_budget()
    question = relevant_question(question)
    variables = range(len(question.quantity.names))
    if not variables:
        value = constant_law(question.quantity, question.limits)
        if value is not None:
            question.conclude(value, WayToLaw.CONSTANT)
        yield value or Outcome.REFUTED
        return
    looks = question.uses_gradients and not question.is_frugal
    if looks and (simpler := fewer_variables(question)) is not None:
        yield from _in_fewer(question, simpler)
        return
    trials = [question.controlled([variable]) for variable in variables]
    found = [Found()] * len(trials)
    under_way: dict[Strategy, Iterator[Step]] = {}
    begun: set[Strategy] = set()
    tiers = iter(_tiers(question))
    has_scalings = question.uses_gradients
    while (tier := next(tiers, None)) is not None or under_way:
        if tier is not None:
            found = [
                each if each.forms else search_tier(question, trials[variable], variable, tier)
                for variable, each in enumerate(found)
            ]
            if has_scalings and (tangled := tangled_variables(question, found)):
                has_scalings = False
                simpler = fewer_variables(question, tangled)
                if simpler is not None:
                    yield from _in_fewer(question, simpler)
            new = [each for each in strategies(question, found) if each not in begun]
            begun.update(new)
            # What has just been found comes first.
            under_way = {each: each.steps(question, steps_to_law) for each in new} | under_way
        yield (step := _next_step(question, under_way))
        while is_law(step):  # whoever wants another gets it at the same cost, if there is one
            yield (step := _next_step(question, under_way))


def _in_fewer(question: Question, simpler: Reduced) -> Iterator[Step]:
    """Steps of the quantity in fewer variables.

    That it depends on no more was seen, not guessed: nothing else is tried meanwhile.
    """
    for step in in_fewer(question, simpler, steps_to_law):
        if is_law(step):
            question.conclude(step, WayToLaw.COORDINATES, simpler.about)
        yield step


def _next_step(question: Question, under_way: dict[Strategy, Iterator[Step]]) -> Step:
    """Go one step further with every strategy until one finds a law; those that end are dropped."""
    for strategy, steps in list(under_way.items()):
        step = next(steps, None)
        if step is None:
            del under_way[strategy]
        elif is_law(step):
            question.conclude(step, *described(strategy))
            return step
    return Outcome.SPENT


def relevant_question(question: Question) -> Question:
    """The question about the variables that matter; the others are held."""
    whole, design = question.quantity, question.design
    if isinstance(whole, Common):
        moved = effects_along_lines(whole, question.trials)
    else:
        rng = design.rng(Draw.SCREENING)
        moved = effects(whole, rng, thorough=question.is_first)
    limit = question.limits.noticeable
    effects_of = dict(zip(whole.names, moved, strict=True))
    question.attempt.journal.screenings.append(Screening(question.place, effects_of, limit))
    relevant = tuple(index for index, effect in enumerate(moved) if effect > limit)
    if isinstance(whole, Common):
        return replace(question, quantity=whole.only(relevant))
    base = uniform_states(whole.box, 1, design.rng(Draw.BASE))[0]
    return replace(question, quantity=Remembered(Held(whole, relevant, base)))


def _tiers(question: Question) -> list[int]:
    """Tiers of proposers that the question is worth; in brief, those with readings.

    Sampling a grammar is dear: summary constants get it only where they have one variable.
    """
    may_sample = question.is_first or len(question.quantity.names) == 1
    tiers = question.attempt.proposers.tiers(sampling=may_sample)
    return [tier for tier in tiers if tier < len(READINGS)] if question.is_brief else tiers


def constant_law(quantity: Quantity, limits: Limits) -> Expression | None:
    """The value of a quantity in which no variable is left."""
    sample = quantity.measure(np.zeros((4, 0))).measured()
    if not sample.values.size:
        return None
    columns = sample.values[:, None], sample.errors[:, None]
    return Number(number_of(classify(*columns, limits)[0], limits))
