"""The law from crossings: within the planes of each variable, then from plane to plane.

Where trajectories cross the planes {variable = value} of a mesh, one variable is held and all
others are free. First the law within the planes is sought, a sum with coefficients of its own on
each plane; then how these depend on the variable that was held, each as a quantity of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from odevsr.evidence.form import Form
from odevsr.evidence.imitation import most_functions
from odevsr.language.algebra.monomials import monomials
from odevsr.language.algebra.normal import open_sum
from odevsr.language.expression import Constant, Expression, count
from odevsr.limits import BEST, DEGREE
from odevsr.search.catalogue import function_of
from odevsr.search.plain_sums import PLAIN, shortest_sum
from odevsr.search.proposer import FixedProposer
from odevsr.vertical.asking.quantity import Remembered
from odevsr.vertical.asking.question import Question
from odevsr.vertical.asking.rounds import search_round, search_tier
from odevsr.vertical.asking.separate import frozen, product_terms
from odevsr.vertical.laws.frozen_form import FrozenForm
from odevsr.vertical.laws.solve import solve, steps_to_law
from odevsr.vertical.laws.strategies import states_for
from odevsr.vertical.laws.strategy import first_law


def solve_on_planes(question: Question) -> Expression | None:
    """The law from crossings of planes; None if it is a short sum within those of no variable."""
    number = len(question.quantity.names)
    if number == 1:  # Its planes are points, and whatever moves crosses them one by one.
        return solve(question)
    question = replace(question, quantity=Remembered(question.quantity))
    # Products of variables by their degree, plain functions, and products of these.
    for level in range(DEGREE + 2):
        plans = [
            FrozenForm(free, frozen(form, question.limits, coefficients=True))
            for free in combinations(range(number), number - 1)
            for form in _within_planes(question, free, level)
        ]
        for plan in sorted(plans, key=lambda each: count(each.form, Constant)):
            law = first_law(plan.steps(question, steps_to_law))
            if law is not None:
                question.conclude(law, plan.way, plan.free, plan.form)
                return law
    return None


def _within_planes(question: Question, free: tuple[int, ...], level: int) -> Sequence[Form]:
    """Forms of the free variables that explain what crosses a few planes of the one held."""
    if len(free) == 1:
        return _of_one(question, free[0], level)
    names = [question.quantity.names[index] for index in free]
    functions = _functions(names, level)
    points = states_for(len(functions))
    is_affordable = question.trials * points <= question.states_of_rounds
    controlled = question.controlled(free, points) if is_affordable else None
    if controlled is None:
        return ()
    found = shortest_sum(controlled, functions)
    batch = [open_sum(found)] if found else []
    operators = question.settings.operators
    proposer = FixedProposer("readings", lambda: [batch], operators)
    forms = search_round(question, controlled, names[-1], [proposer]).forms[:1]
    return [each for each in forms if most_functions(each.expression) < question.limits.few]


def _functions(names: Sequence[str], level: int) -> list[Expression]:
    """What a law within planes is a sum of: products of variables, then of plain functions."""
    if level < DEGREE:
        return monomials(names, level + 1)
    spans = [[function_of(name, each) for each in PLAIN] for name in names]
    joined = np.full((len(names), len(names)), level > DEGREE) | np.eye(len(names), dtype=bool)
    return product_terms(spans, joined) or []


def _of_one(question: Question, free: int, level: int) -> Sequence[Form]:
    """The same where one variable is free: all that rounds know of is proposed, tier by tier."""
    tiers = question.attempt.proposers.tiers(sampling=True)
    if level >= len(tiers):
        return ()
    return search_tier(question, question.controlled([free]), free, tiers[level]).forms[:BEST]
